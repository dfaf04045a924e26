// SPDX-License-Identifier: Apache-2.0
/// range<D>: the extents of an index space or of a work-group.
#pragma once

#include <lanefold/detail/coordinates.hpp>

#include <concepts>
#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE

/// One to six extents (SYCL has up to three); dimension 0 varies slowest in memory and in the linear order of
/// work-items. Uniform; usable on the host and in kernels, trivially copyable, every operation constexpr. Default: zero
/// in every dimension. Operators are element-wise, `==` compares all dimensions.
// [sycl.4.9.1.1]
template <int Dimensions>
class range : public detail::coordinates<range<Dimensions>, Dimensions> {
  using base = detail::coordinates<range, Dimensions>;

public:
  constexpr range() = default;
  constexpr range(std::size_t extent0)
    requires(Dimensions == 1)
      : base(extent0) {}
  constexpr range(std::size_t extent0, std::size_t extent1)
    requires(Dimensions == 2)
      : base(extent0, extent1) {}
  constexpr range(std::size_t extent0, std::size_t extent1, std::size_t extent2)
    requires(Dimensions == 3)
      : base(extent0, extent1, extent2) {}
  /// More dimensions than SYCL has: four to six.
  template <std::convertible_to<std::size_t>... Values>
    requires(Dimensions > 3 && sizeof...(Values) == Dimensions)
  constexpr range(Values... extents) : base(static_cast<std::size_t>(extents)...) {}

  /// The number of points: the product of the extents, modulo 2^64.
  constexpr std::size_t size() const {
    std::size_t product = 1;
    detail::for_each_dimension<Dimensions>([&](int d) LANEFOLD_INLINE_LAMBDA { product *= this->get(d); });
    return product;
  }
};

namespace detail {

/// The number of points, or the largest std::size_t where there are more.
template <int D>
constexpr std::size_t saturated_size(const range<D>& extents) {
  constexpr auto most = static_cast<std::size_t>(-1);
  std::size_t product = 1;
  for (int d = 0; d < D; ++d) {
    if (extents[d] == 0) {
      return 0;
    }
    product = product > most / extents[d] ? most : product * extents[d];
  }
  return product;
}

} // namespace detail

range(std::size_t) -> range<1>;
range(std::size_t, std::size_t) -> range<2>;
range(std::size_t, std::size_t, std::size_t) -> range<3>;
template <std::convertible_to<std::size_t>... Values>
  requires(sizeof...(Values) > 3)
range(Values...) -> range<static_cast<int>(sizeof...(Values))>;

LANEFOLD_END_NAMESPACE
