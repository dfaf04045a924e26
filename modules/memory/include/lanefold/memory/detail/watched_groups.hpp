// SPDX-License-Identifier: Apache-2.0
/// Checked builds: what the race detector knows of the groups and units that run. Internal.
#pragma once

#include <lanefold/detail/checked_build.hpp>

#if defined(LANEFOLD_CHECKED)

#include <lanefold/fwd.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class launch_accesses;

/// The unit that runs: its lanes are the work-items `first`, `first` + 1, … of the group, in rows of `columns` whose
/// beginnings are `pitch` work-items apart.
struct watched_unit {
  std::uint32_t first = 0;
  std::uint32_t lanes = 1;
  std::uint32_t columns = 1;
  std::uint32_t pitch = 1;
  std::uint32_t sub_group = 0; ///< its number in the group
};

/// Holds what a launch tells of its groups.
struct watched_groups {
  std::array<std::size_t, most_dimensions> extents{1, 1, 1, 1, 1, 1}; ///< by which the numbers of work-items become ids
  int dimensions = 1;
  const char* item = "the work-item with local id ";
  const std::byte* local_memory = nullptr;
  std::size_t local_bytes = 0;
  race_check level = race_check::group;
  bool items_are_groups = false;     ///< a kernel over a range
  launch_accesses* launch = nullptr; ///< of all groups, if those are compared, too
};

/// An access as it is remembered.
struct accessing_party {
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};
  static constexpr std::uint32_t sub_interval_bits = 12;
  /// The sub-interval that is ordered with all others of its sub-group.
  static constexpr std::uint32_t ordered = (1U << sub_interval_bits) - 1;

  std::uint32_t item = nobody;                          ///< the first lane where all lanes do the same
  std::uint32_t for_lanes : 1 = 0;                      ///< all lanes do the same
  std::uint32_t sub_interval : sub_interval_bits = 0;   ///< sub-group barriers that the sub-group has passed
  std::uint32_t sub_group : 31 - sub_interval_bits = 0; ///< number modulo 2^19
  const void* code = nullptr;
};

} // namespace detail
LANEFOLD_END_NAMESPACE

#endif
