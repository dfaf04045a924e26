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

/// One to three indices. Uniform; usable on the host and in kernels, trivially copyable, every operation constexpr.
/// Default: zero in every dimension. Operators are element-wise, `==` compares all dimensions; a range may stand beside
/// an id. An id<1> is also its index, so it takes part in arithmetic and subscripts like a std::size_t.
// [sycl.4.9.1.2]
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
template <int Dimensions>
id(range<Dimensions>) -> id<Dimensions>;

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
