// SPDX-License-Identifier: Apache-2.0
/// Lets compilers vectorise loops over work-items whose kernels take ids as int. Internal.
///
/// `int i = it.get_global_id(0); y[i] = …` is how most programs are written, those that came from CUDA first of all.
/// Where a compiler must assume that the id may be beyond int, y[i] of neighbouring work-items need not be neighbours:
/// g++ 12 then leaves the loop scalar or gathers each element. So loops over work-items count in int where all ids fit,
/// and say what is known of the rest: up to twelve times as fast (docs/decisions/063 has the figures).
///
/// Larger spaces run in a copy of the loop that is compiled for size. (DPC++ refuses them, unless it is told otherwise:
/// -fsycl-id-queries-fit-in-int.)
#pragma once

#include <lanefold/execution/nd_range.hpp>

#include <climits>
#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The largest id where all ids are to fit in int: so far below the largest int that what kernels add to an id does,
/// too.
inline constexpr std::size_t most_int_id = INT_MAX - 65536;
/// The id of the first work-item of a group at most.
inline constexpr std::size_t most_int_base = most_int_id - most_work_items;

/// Tells the compiler what is known to hold.
LANEFOLD_ALWAYS_INLINE constexpr void assume(bool holds) {
  if (!holds) {
    __builtin_unreachable();
  }
}

/// Tells the compiler that the ids of a group fit, where they do. The last product is what g++ makes of a kernel's own
/// `int i = group * local_range + local`; that the group fits as well helps where it is an int of its own. Two
/// conditions in one would teach it nothing.
LANEFOLD_ALWAYS_INLINE constexpr void assume_int_ids(std::size_t offset, std::size_t group, std::size_t local_range) {
  assume(local_range <= most_work_items);
  assume(group <= most_int_base);
  assume(offset + group * local_range <= most_int_base);
  assume(static_cast<unsigned>(group) * static_cast<unsigned>(local_range) <= most_int_base);
}

/// Tells the same of a group of any size, in a space that begins at 0.
LANEFOLD_ALWAYS_INLINE constexpr void assume_int_ids(std::size_t group, std::size_t items) {
  assume(items <= most_int_base);
  assume(group * items <= most_int_base);
  assume(static_cast<unsigned>(group) * static_cast<unsigned>(items) <= most_int_base);
}

/// The global id of a work-item in the last dimension, if the loop over its row counts it.
struct counted_id {
  int value = 0;
  bool is_counted = false; ///< known at compile time
};

/// The ids of the work-items of a row, as variables of the loop over it.
///
/// A sum of the group's first id and of what a loop counts is computed where it is used, behind the `if (i < n)` that
/// most kernels begin with, and there g++ 12 lets all that a kernel makes of it wrap: y[i + n] of neighbouring
/// work-items then need not be neighbours. A variable of the loop splits it at n, where the condition ends
/// (docs/decisions/077).
class row_ids {
public:
  /// clang 19 vectorises such kernels as they are, and no loop that is written like this.
  static constexpr bool help =
#if defined(__clang__)
      false;
#else
      true;
#endif

  /// Begins at the work-item `x` of a row of `group`.
  template <int D>
  LANEFOLD_ALWAYS_INLINE constexpr row_ids(const nd_range<D>& space, const id<D>& group, std::size_t x)
      : m_first(first_id(0, group[D - 1], space.get_local_range()[D - 1])),
        m_without_offset(m_first + static_cast<int>(x)),
        m_global(first_id(space.get_offset()[D - 1], group[D - 1], space.get_local_range()[D - 1]) +
                 static_cast<int>(x)) {}

  /// Counts the ids of a group of so many items, in a space without an offset.
  LANEFOLD_ALWAYS_INLINE constexpr row_ids(std::size_t group, std::size_t items, std::size_t x)
      : m_first(first_id(0, group, items)), m_without_offset(m_first + static_cast<int>(x)),
        m_global(m_without_offset) {}

  /// Returns what global() is at the end of the row, which lies `items` work-items behind. It is never more than
  /// most_int_id, but so g++ knows: `int x = it.get_global_id(0) + 1` is a sum of unsigned numbers to it, and y[x] of
  /// neighbouring work-items are neighbours only if that cannot wrap.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr int end_behind(std::size_t items) const {
    const unsigned end = static_cast<unsigned>(m_global) + static_cast<unsigned>(items);
    constexpr auto most = static_cast<unsigned>(most_int_id) + 1;
    return static_cast<int>(end < most ? end : most);
  }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr bool is_before(int end) const { return m_global < end; }

  LANEFOLD_ALWAYS_INLINE constexpr void next() {
    ++m_without_offset;
    ++m_global;
  }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr counted_id global() const { return {m_global, true}; }
  /// Returns the position in the row: a difference, which a kernel's own `group * local_range + local` takes back.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr int x() const { return m_without_offset - m_first; }

private:
  /// The sum is that of assume_int_ids, and what is known of it is said again, as compilers lose it.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE static constexpr int first_id(std::size_t offset, std::size_t group,
                                                                     std::size_t local_range) {
    const int first = static_cast<int>(static_cast<unsigned>(offset) +
                                       static_cast<unsigned>(group) * static_cast<unsigned>(local_range));
    assume(first >= 0);
    assume(first <= static_cast<int>(most_int_base));
    return first;
  }

  int m_first;
  int m_without_offset;
  int m_global;
};

/// Says whether all ids of a range that begins at `offset` fit in int, those of a last group that is not full included.
template <int D>
[[nodiscard]] constexpr bool ids_fit_in_int(const range<D>& extents, const id<D>& offset = id<D>()) {
  bool fit = true;
  for (int d = 0; d < D; ++d) {
    fit = fit && offset[d] <= most_int_base && extents[d] <= most_int_base - offset[d];
  }
  return fit;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
