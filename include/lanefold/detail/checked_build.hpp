// SPDX-License-Identifier: Apache-2.0
/// Says whether this is a checked build, and what the environment asks of one. Internal.
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

#if defined(LANEFOLD_CHECKED)
inline constexpr bool checked_build = true;
#else
inline constexpr bool checked_build = false;
#endif

/// Whose accesses are compared, each with all before it. In the order of the words of LANEFOLD_RACE_CHECK.
enum class race_check : unsigned char {
  off,
  local,  ///< those of the work-items of a group to local memory
  group,  ///< and to global memory
  launch, ///< and those of different groups of a launch
};

/// Nothing in other builds.
struct checked_settings {
#if defined(LANEFOLD_CHECKED)
  race_check races = race_check::group;
  std::size_t schedule = 0; ///< seed of the order of units, groups and commands; 0: the usual one
#endif
};

} // namespace detail
LANEFOLD_END_NAMESPACE
