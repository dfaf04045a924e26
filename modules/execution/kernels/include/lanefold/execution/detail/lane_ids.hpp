// SPDX-License-Identifier: Apache-2.0
/// Ids as kernels see them: plain for `scalar`, else of every lane.
#pragma once

#include <lanefold/range.hpp>
#include <lanefold/simd/lane_id.hpp>

#include <algorithm>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Copies the coordinates of an id or a range one by one. A copy of the whole is 16 bytes and 8, which g++ 12 tuned for
/// AMD stores and reads again in loops over units; behind stores of single coordinates it also waits for these.
template <int D, class Coordinates>
[[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr Coordinates copy_coordinates(const Coordinates& from) {
  Coordinates copy;
  for_each_dimension<D>([&](int d) LANEFOLD_INLINE_LAMBDA { copy[d] = from[d]; });
  return copy;
}

/// Returns how many work-items a unit has whose first one is at `first` in a group of `extents`: one, or the lanes that
/// are work-items. In divergent code fewer may be active.
template <int D, class Lanes>
LANEFOLD_ALWAYS_INLINE constexpr unsigned work_items_of_unit(const lane_context<Lanes>* context,
                                                             const range<D>& extents, const id<D>& first) {
  if constexpr (std::is_same_v<Lanes, scalar>) {
    return 1;
  } else if (context->all) {
    return Lanes::size;
  } else if (!context->divergent) {
    return static_cast<unsigned>(context->active.count());
  } else if constexpr (Lanes::rows > 1) {
    return static_cast<unsigned>(std::min(Lanes::rows, extents[D - 2] - first[D - 2]) * Lanes::columns);
  } else {
    return static_cast<unsigned>(std::min(Lanes::columns, extents[D - 1] - first[D - 1]));
  }
}

/// The id of the work-item, or those of the lanes, the first of which is `first`.
template <int D, class Lanes>
LANEFOLD_ALWAYS_INLINE constexpr auto ids_of_lanes(lane_context<Lanes>* context, const id<D>& first) {
  if constexpr (std::is_same_v<Lanes, scalar>) {
    return first;
  } else if constexpr (D == 1) {
    return id_in_dimension<1, Lanes, 0>(context, first[0]);
  } else {
    return lane_id<D, Lanes>(context, first);
  }
}

/// One dimension of them: `Dimension` is an int, or dim<K> for the exact type.
template <int D, class Lanes, class Dimension>
LANEFOLD_ALWAYS_INLINE constexpr auto ids_in_dimension(lane_context<Lanes>* context, const id<D>& first,
                                                       Dimension dimension) {
  if constexpr (std::is_same_v<Lanes, scalar>) {
    return std::size_t(first[dimension]);
  } else {
    return detail::ids_of_lanes(context, first)[dimension];
  }
}

/// Row-major position of an id in `extents`. Uniform.
template <int D>
LANEFOLD_ALWAYS_INLINE constexpr std::size_t linear_id(const id<D>& i, const range<D>& extents) {
  std::size_t position = 0;
  for_each_dimension<D>([&](int d) LANEFOLD_INLINE_LAMBDA { position = position * extents[d] + i[d]; });
  return position;
}

/// Returns the positions of the work-item or of the lanes, the first of which is `first`.
template <int D, class Lanes>
LANEFOLD_ALWAYS_INLINE constexpr auto linear_ids(lane_context<Lanes>* context, const id<D>& first,
                                                 const range<D>& extents) {
  if constexpr (std::is_same_v<Lanes, scalar>) {
    return detail::linear_id(first, extents);
  } else {
    constexpr stride row = Lanes::rows > 1 ? stride::dynamic : stride::zero;
    return lane_index<Lanes, row, stride::one>(context, static_cast<std::ptrdiff_t>(linear_id(first, extents)),
                                               static_cast<std::ptrdiff_t>(extents[D - 1]), 1);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
