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

/// The id of the first work-item of a group at most, where all ids are to fit in int.
inline constexpr std::size_t most_int_base = INT_MAX - most_work_items;

/// Tells the compiler what is known to hold.
LANEFOLD_ALWAYS_INLINE constexpr void assume(bool holds) {
  if (!holds) {
    __builtin_unreachable();
  }
}

/// Tells the compiler that the ids of a group fit, where they do. The last product is what g++ makes of a kernel's own
/// `int i = group * local_range + local`. Two conditions in one would teach it nothing.
LANEFOLD_ALWAYS_INLINE constexpr void assume_int_ids(std::size_t offset, std::size_t group, std::size_t local_range) {
  assume(local_range <= most_work_items);
  assume(offset + group * local_range <= most_int_base);
  assume(static_cast<unsigned>(group) * static_cast<unsigned>(local_range) <= most_int_base);
}

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
