// SPDX-License-Identifier: Apache-2.0
/// LANEFOLD_EXPLAIN=1: what became of a launch on the CPU.
#pragma once

#include "observation.hpp"

#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Says how the kernel is run: "in 4096 groups of (256), simd<64>, the default for rows of 256 work-items; 4 units a
/// group". Empty for actions that are no kernels or explain themselves.
std::string describe_strategy(const launch_description& told);

/// The line that explains a launch that has run as is noted; empty where there is nothing to say.
std::string explain(const launch& work, observation& notes);

} // namespace detail
LANEFOLD_END_NAMESPACE
