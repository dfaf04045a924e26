// SPDX-License-Identifier: Apache-2.0
/// Memory in which the units of a group leave values for each other when they meet in a group algorithm.
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Holds what the units bring to one algorithm. They come in linear order; the first one starts it anew.
struct meeting_slot {
  static constexpr std::size_t small_bytes = 192;

  const void* what = nullptr; ///< the algorithm that the first unit came for
  unsigned arrived = 0;       ///< units that have brought their values
  alignas(64) std::byte small[small_bytes];

  meeting_slot() = default;
  meeting_slot(const meeting_slot&) = delete;
  meeting_slot& operator=(const meeting_slot&) = delete;
  ~meeting_slot();

  /// At least `bytes` bytes, aligned to 64. To be asked for by the first unit; the others then get the same.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE std::byte* data(std::size_t bytes) {
    return bytes <= small_bytes ? small : large_data(bytes);
  }

private:
  LANEFOLD_COLD std::byte* large_data(std::size_t bytes);

  std::byte* m_large = nullptr; ///< owned and kept, so that only the first use of a size allocates
  std::size_t m_large_bytes = 0;
};

/// Two slots in turns: what the first unit writes for the next algorithm must not touch what the others have still to
/// read of this one. A unit that comes to the next algorithm has read its results, so two are enough.
struct meeting_place {
  meeting_slot slots[2];
  unsigned current = 0;

  /// Forgets what a launch that failed has left.
  void reset() {
    slots[0].arrived = slots[1].arrived = 0;
    slots[0].what = slots[1].what = nullptr;
  }
};

/// Groups that may meet while a larger one gathers, or has results that are still to be read, have places of their own:
/// chunks of each size, and the two parts of a sub-group that work side by side.
enum meeting_level : unsigned {
  meeting_of_group,
  meeting_of_sub_group,
  meeting_of_part,
  meeting_of_other_part,
  meeting_of_smallest_chunk,                     ///< one work-item; then two, four …
  meeting_levels = meeting_of_smallest_chunk + 9 ///< to 256
};

} // namespace detail
LANEFOLD_END_NAMESPACE
