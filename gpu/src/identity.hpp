// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lanefold/gpu/device_library.hpp>

#include <string>
#include <string_view>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::detail {

/// The identity of an operator (`user`: its description, null for the library's operators) as an expression of the
/// type; empty if it has none.
std::string identity_text(const operator_description* user, std::string_view op, std::string_view type);

} // namespace gpu::detail
LANEFOLD_END_NAMESPACE
