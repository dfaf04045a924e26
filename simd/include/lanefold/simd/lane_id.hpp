// SPDX-License-Identifier: Apache-2.0
/// Multi-dimensional ids of the lanes of a sub-group.
#pragma once

#include <lanefold/id.hpp>
#include <lanefold/simd/lane_index.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE

/// A dimension known at compile time, for `it.get_global_id(lf::dim<0>)`: the result then has the exact type of that
/// dimension (uniform `std::size_t`, or a lane index with known strides).
template <int D>
inline constexpr std::integral_constant<int, D> dim{};

namespace detail {

/// Say how dimension `Dimension` of `D` varies over the lanes of a shape.
template <int D, class Lanes, int Dimension>
inline constexpr stride row_stride_kind = Dimension == D - 2 && Lanes::rows > 1 ? stride::one : stride::zero;
template <int D, class Lanes, int Dimension>
inline constexpr stride column_stride_kind = Dimension == D - 1 ? stride::one : stride::zero;

/// The id in one dimension, `first` being that of lane (0, 0): a std::size_t where it is uniform.
template <int D, class Lanes, int Dimension>
LANEFOLD_ALWAYS_INLINE constexpr auto id_in_dimension(lane_context<Lanes>* context, std::size_t first) {
  constexpr stride row = row_stride_kind<D, Lanes, Dimension>;
  constexpr stride column = column_stride_kind<D, Lanes, Dimension>;
  if constexpr (row == stride::zero && column == stride::zero) {
    return first;
  } else {
    return lane_index<Lanes, row, column>(context, static_cast<std::ptrdiff_t>(first), static_cast<std::ptrdiff_t>(row),
                                          static_cast<std::ptrdiff_t>(column));
  }
}

} // namespace detail

/// The id of each lane of a sub-group in two or three dimensions (in one dimension it is a lane_index). The last
/// dimension varies by the column of the lane, the one before it by the row; the others are uniform. Made by items.
/// `auto [y, x] = it.get_global_id();` gives each dimension its exact type.
template <int D, class Lanes>
class lane_id {
public:
  static constexpr int dimensions = D;

  LANEFOLD_ALWAYS_INLINE constexpr lane_id(detail::lane_context<Lanes>* context, const id<D>& first)
      : m_context(context), m_first(first) {}

  /// The id in dimension `Dimension`, with its exact type.
  template <int Dimension>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get() const {
    static_assert(Dimension >= 0 && Dimension < D, "no such dimension");
    return detail::id_in_dimension<D, Lanes, Dimension>(m_context, m_first[Dimension]);
  }
  template <int Dimension>
  LANEFOLD_ALWAYS_INLINE constexpr auto operator[](std::integral_constant<int, Dimension>) const {
    return get<Dimension>();
  }
  /// The id in a dimension given as a plain integer, as in SYCL. The type cannot depend on it, so the strides are known
  /// at run time only: with a literal the optimiser finds them, otherwise the access is strided. Varying.
  LANEFOLD_ALWAYS_INLINE constexpr auto operator[](int dimension) const {
    return lane_index<Lanes, stride::dynamic, stride::dynamic>(
        m_context, static_cast<std::ptrdiff_t>(m_first[dimension]), Lanes::rows > 1 && dimension == D - 2 ? 1 : 0,
        dimension == D - 1 ? 1 : 0);
  }

private:
  detail::lane_context<Lanes>* m_context;
  id<D> m_first;
};

template <int Dimension, int D, class Lanes>
LANEFOLD_ALWAYS_INLINE constexpr auto get(const lane_id<D, Lanes>& i) {
  return i.template get<Dimension>();
}

LANEFOLD_END_NAMESPACE

template <int D, class Lanes>
struct std::tuple_size<lanefold::lane_id<D, Lanes>> : std::integral_constant<std::size_t, static_cast<std::size_t>(D)> {
};
template <std::size_t I, int D, class Lanes>
struct std::tuple_element<I, lanefold::lane_id<D, Lanes>> {
  using type = decltype(std::declval<const lanefold::lane_id<D, Lanes>&>().template get<static_cast<int>(I)>());
};
