// SPDX-License-Identifier: Apache-2.0
/// Types and numbers as OpenCL C spells them.
#pragma once

#include <lanefold/recorded/detail/recorder.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Of elements of arrays: a bool is a byte there.
const char* name_in_memory(recorded_type type);
std::size_t bytes_of(recorded_type type);

} // namespace detail
LANEFOLD_END_NAMESPACE
