// SPDX-License-Identifier: Apache-2.0
/// Tells the race detector of checked builds which groups and units run. Nothing of it is in other builds.
#pragma once

#include <lanefold/execution/launch.hpp>
#include <lanefold/id.hpp>
#include <lanefold/memory/detail/launch_accesses.hpp>
#include <lanefold/memory/detail/race_detector.hpp>
#include <lanefold/range.hpp>
#include <lanefold/simd/lanes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// While it lives, the thread runs groups of a launch, which are watched if the launch asks for that.
class watched_launch {
public:
  /// `extents` turn the number of a work-item into its id; `item` says which id that is.
  template <int D>
  watched_launch([[maybe_unused]] const launch& of, [[maybe_unused]] const range<D>& extents,
                 [[maybe_unused]] const std::byte* local_memory,
                 [[maybe_unused]] const char* item = "work-item with local id ") {
#if defined(LANEFOLD_CHECKED)
    if (of.checks().races != race_check::off) {
      watched_groups groups;
      for (int d = 0; d < D; ++d) {
        groups.extents[static_cast<std::size_t>(d)] = extents[d];
      }
      groups.dimensions = D;
      groups.item = item;
      groups.local_memory = local_memory;
      groups.local_bytes = of.local_bytes();
      groups.level = of.checks().races;
      if (groups.level == race_check::launch) {
        groups.launch = &of.shared_by_groups<launch_accesses>();
      }
      race_detector::of_thread().begin_launch(groups);
    }
#endif
  }
  watched_launch(const watched_launch&) = delete;
  watched_launch& operator=(const watched_launch&) = delete;
  ~watched_launch() {
#if defined(LANEFOLD_CHECKED)
    race_detector::of_thread().end_launch();
#endif
  }
};

#if defined(LANEFOLD_CHECKED)
/// Tells the watch of a kernel over a range, of which each work-item is a group as far as its accesses are concerned.
class watched_range {
public:
  template <int D>
  watched_range(const launch& of, const range<D>& extents) {
    if (of.checks().races == race_check::launch) {
      watched_groups groups;
      for (int d = 0; d < D; ++d) {
        groups.extents[static_cast<std::size_t>(d)] = extents[d];
      }
      groups.dimensions = D;
      groups.item = "work-item ";
      groups.level = race_check::launch;
      groups.launch = &of.shared_by_groups<launch_accesses>();
      groups.items_are_groups = true;
      race_detector::of_thread().begin_launch(groups);
    }
  }
  watched_range(const watched_range&) = delete;
  watched_range& operator=(const watched_range&) = delete;
  ~watched_range() { race_detector::of_thread().end_launch(); }
};
#endif

/// Checked builds: the thread goes on to the group with a number, which finds a pattern in local memory.
LANEFOLD_ALWAYS_INLINE void begin_watched_group([[maybe_unused]] std::size_t number,
                                                [[maybe_unused]] std::byte* local_memory,
                                                [[maybe_unused]] std::size_t local_bytes) {
#if defined(LANEFOLD_CHECKED)
  std::fill_n(local_memory, local_bytes, std::byte{0xA5});
  if (race_detector* const detector = race_detector::of_launch()) {
    detector->begin_group(number);
  }
#endif
}

/// A unit runs from here to end_watched_unit. `first` is the number of its first work-item in the group; its lanes lie
/// in rows that are `pitch` work-items apart.
template <class Lanes>
LANEFOLD_ALWAYS_INLINE void begin_watched_unit([[maybe_unused]] std::size_t first, [[maybe_unused]] std::size_t pitch,
                                               [[maybe_unused]] std::size_t sub_group) {
#if defined(LANEFOLD_CHECKED)
  if (race_detector* const detector = race_detector::of_launch()) {
    detector->begin_unit({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(Lanes::size),
                          static_cast<std::uint32_t>(Lanes::columns), static_cast<std::uint32_t>(pitch),
                          static_cast<std::uint32_t>(sub_group)});
  }
#endif
}
/// Errors: errc::kernel for what the unit did since it met others last.
LANEFOLD_ALWAYS_INLINE void end_watched_unit() {
#if defined(LANEFOLD_CHECKED)
  if (race_detector* const detector = race_detector::watching()) {
    detector->end_unit();
  }
#endif
}

/// All units of the group have met, where they run one after the other.
LANEFOLD_ALWAYS_INLINE void meet_watched_group() {
#if defined(LANEFOLD_CHECKED)
  if (race_detector* const detector = race_detector::of_launch()) {
    detector->meet_as_group();
  }
#endif
}

/// The unit that runs begins a group function.
LANEFOLD_ALWAYS_INLINE void begin_watched_function() {
#if defined(LANEFOLD_CHECKED)
  if (race_detector* const detector = race_detector::watching()) {
    detector->meet_as_unit();
  }
#endif
}

/// A unit at a barrier, which `wait` passes.
template <class Wait>
LANEFOLD_ALWAYS_INLINE void wait_watched([[maybe_unused]] barrier_reach reach, const Wait& wait) {
#if defined(LANEFOLD_CHECKED)
  if (race_detector* const detector = race_detector::watching()) {
    const race_detector::moment before = detector->leave();
    wait();
    detector->enter(before, reach);
    return;
  }
#endif
  wait();
}

} // namespace detail
LANEFOLD_END_NAMESPACE
