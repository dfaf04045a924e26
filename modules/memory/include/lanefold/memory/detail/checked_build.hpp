// SPDX-License-Identifier: Apache-2.0
/// Says whether this is a checked build. Internal.
#pragma once

#include <lanefold/version.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

#if defined(LANEFOLD_CHECKED)
inline constexpr bool checked_build = true;
#else
inline constexpr bool checked_build = false;
#endif

} // namespace detail
LANEFOLD_END_NAMESPACE
