// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lanefold/version.hpp>

#include <string>
#include <string_view>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu {

struct operator_description;

namespace opencl {

/// The identity of an operator (`user`: its description, null for the library's operators) as an expression of the
/// type; empty if it has none.
std::string identity_text(const operator_description* user, std::string_view op, std::string_view type);

} // namespace opencl
} // namespace gpu
LANEFOLD_END_NAMESPACE
