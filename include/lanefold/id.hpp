// SPDX-License-Identifier: Apache-2.0
/// id<D>: a point of an index space.
#pragma once

#include <lanefold/detail/coordinates.hpp>
#include <lanefold/range.hpp>

#include <concepts>
#include <cstddef>
#include <tuple>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE

/// One to six indices (SYCL has up to three). Uniform; usable on the host and in kernels, trivially copyable, every
/// operation constexpr. Default: zero in every dimension. Operators are element-wise, `==` compares all dimensions; a
/// range may stand beside an id. An id<1> is also its index, so it takes part in arithmetic and subscripts like a
/// std::size_t.
// [sycl.4.9.1.3]
template <int Dimensions>
class id : public detail::coordinates<id<Dimensions>, Dimensions> {
  using base = detail::coordinates<id, Dimensions>;

public:
  constexpr id() = default;
  constexpr id(std::size_t index0)
    requires(Dimensions == 1)
      : base(index0) {}
  constexpr id(std::size_t index0, std::size_t index1)
    requires(Dimensions == 2)
      : base(index0, index1) {}
  constexpr id(std::size_t index0, std::size_t index1, std::size_t index2)
    requires(Dimensions == 3)
      : base(index0, index1, index2) {}
  /// More dimensions than SYCL has: four to six.
  template <std::convertible_to<std::size_t>... Values>
    requires(Dimensions > 3 && sizeof...(Values) == Dimensions)
  constexpr id(Values... indexes) : base(static_cast<std::size_t>(indexes)...) {}
  /// The point just beyond the last one of `extents`.
  constexpr id(const range<Dimensions>& extents) {
    detail::for_each_dimension<Dimensions>([&](int d) LANEFOLD_INLINE_LAMBDA { (*this)[d] = extents[d]; });
  }
  /// The point where an item is: `it.get_id()`.
  template <class Item>
    requires std::same_as<decltype(std::declval<const Item&>().get_id()), id<Dimensions>>
  constexpr id(const Item& it) : id(it.get_id()) {}

  constexpr operator std::size_t() const
    requires(Dimensions == 1)
  {
    return this->get(0);
  }
};

id(std::size_t) -> id<1>;
id(std::size_t, std::size_t) -> id<2>;
id(std::size_t, std::size_t, std::size_t) -> id<3>;
template <std::convertible_to<std::size_t>... Values>
  requires(sizeof...(Values) > 3)
id(Values...) -> id<static_cast<int>(sizeof...(Values))>;
template <int Dimensions>
id(range<Dimensions>) -> id<Dimensions>;

namespace detail {

// A plane is what the last two dimensions span; planes are numbered in row-major order of the other dimensions.

template <int D>
constexpr std::size_t planes_of(const range<D>& extents) {
  std::size_t planes = 1;
  for_each_dimension<(D > 2 ? D - 2 : 0)>([&](int d) LANEFOLD_INLINE_LAMBDA { planes *= extents[d]; });
  return planes;
}

/// Moves a place to a plane, and leaves the last two coordinates.
template <int D>
constexpr void set_plane(id<D>& at, [[maybe_unused]] std::size_t plane, [[maybe_unused]] const range<D>& extents) {
  if constexpr (D == 3) {
    at[0] = plane;
  } else {
    for (int d = D - 3; d >= 0; --d) {
      at[d] = plane % extents[d];
      plane /= extents[d];
    }
  }
}

/// Moves a place to the next plane. Behind the last one, the first coordinate is its extent.
template <int D>
constexpr void next_plane(id<D>& at, [[maybe_unused]] const range<D>& extents) {
  if constexpr (D == 3) {
    ++at[0];
  } else {
    for (int d = D - 3; d >= 0 && ++at[d] == extents[d] && d != 0; --d) {
      at[d] = 0;
    }
  }
}

} // namespace detail

/// Structured bindings call this: `const auto [row, column] = it.get_global_id();`.
template <std::size_t Dimension, int Dimensions>
constexpr std::size_t get(const id<Dimensions>& i) {
  static_assert(Dimension < static_cast<std::size_t>(Dimensions), "lanefold: an id has no such dimension");
  return i[static_cast<int>(Dimension)];
}

LANEFOLD_END_NAMESPACE

template <int Dimensions>
struct std::tuple_size<lanefold::id<Dimensions>>
    : std::integral_constant<std::size_t, static_cast<std::size_t>(Dimensions)> {};
template <std::size_t Dimension, int Dimensions>
struct std::tuple_element<Dimension, lanefold::id<Dimensions>> {
  using type = std::size_t;
};
