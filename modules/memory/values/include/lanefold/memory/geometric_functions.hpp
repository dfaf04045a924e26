// SPDX-License-Identifier: Apache-2.0
/// The geometric functions of SYCL 2020. [sycl.4.17.8]
///
/// They take numbers, vec and marray of float, double or half, and varying vectors, which give varyings. Elements are
/// multiplied and added in their type (half as float), one after the other.
#pragma once

#include <lanefold/memory/common_functions.hpp>
#include <lanefold/memory/detail/elementwise.hpp>

#include <bit>
#include <cstdint>
#include <limits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Element i, of a number that number; of half the float that it is.
template <class X>
LANEFOLD_ALWAYS_INLINE constexpr decltype(auto) coordinate(const X& x, int i) {
  const auto& element = math_element<void>(x, i);
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(element)>, half>) {
    return static_cast<float>(element);
  } else {
    return math_element<void>(x, i);
  }
}
template <class X>
inline constexpr int dimensions_of = 1;
template <class X>
  requires(math_shape<X>::rank >= 2)
inline constexpr int dimensions_of<X> = math_shape<X>::size;

/// f(constants 0, 1, …, K - 1) added up.
template <class F, std::size_t... K>
LANEFOLD_ALWAYS_INLINE auto sum_of(F f, std::index_sequence<K...>) {
  return (f(static_cast<int>(K)) + ...);
}
template <class X, class Y>
LANEFOLD_ALWAYS_INLINE auto dot_product(const X& x, const Y& y) {
  constexpr auto size = static_cast<std::size_t>(dimensions_of<std::conditional_t<(dimensions_of<X> > 1), X, Y>>);
  return sum_of([&](int i) LANEFOLD_INLINE_LAMBDA { return coordinate(x, i) * coordinate(y, i); },
                std::make_index_sequence<size>{});
}

/// The length, also where squares leave the range of the type: of the vector times a power of two that brings its
/// greatest coordinate near 1. Powers are made of bits: behind a branch, or with what compilers make one of, loops over
/// work-items would be scalar.
template <class X>
LANEFOLD_ALWAYS_INLINE auto length_of(const X& x) {
  using T = std::remove_cvref_t<decltype(dot_product(x, x))>;
  if constexpr (std::is_floating_point_v<T> && std::numeric_limits<T>::is_iec559 && sizeof(T) <= 8) {
    using bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    constexpr int fraction = std::numeric_limits<T>::digits - 1;
    constexpr bits infinite = 2 * std::numeric_limits<T>::max_exponent - 1;
    constexpr auto size = static_cast<std::size_t>(dimensions_of<X>);
    const auto greater = [&](bits most, int i) LANEFOLD_INLINE_LAMBDA {
      const bits other = std::bit_cast<bits>(T(coordinate(x, i))) & std::numeric_limits<bits>::max();
      return most < other ? other : most;
    };
    bits greatest = bits(1) << fraction;
    [&]<std::size_t... K>(std::index_sequence<K...>) LANEFOLD_INLINE_LAMBDA {
      ((greatest = greater(greatest, static_cast<int>(K))), ...);
    }(std::make_index_sequence<size>());
    greatest >>= fraction;
    // So that both powers are numbers that are neither 0 nor infinite.
    const bits exponent = greatest < infinite - 3 ? greatest : infinite - 3;
    const T by = std::bit_cast<T>((infinite - 1 - exponent) << fraction);
    const T back = std::bit_cast<T>(exponent << fraction);
    const auto square = [&](int i) LANEFOLD_INLINE_LAMBDA {
      const T part = coordinate(x, i) * by;
      return part * part;
    };
    return static_cast<T>(sqrt(sum_of(square, std::make_index_sequence<size>())) * back);
  } else {
    return sqrt(dot_product(x, x));
  }
}

/// A result of type float that was computed from half.
template <class X, class R>
LANEFOLD_ALWAYS_INLINE auto as_coordinate_of(const R& r) {
  if constexpr (std::is_same_v<typename math_shape<X>::element, half>) {
    return static_cast<with_lanes_t<half, R>>(r);
  } else {
    return r;
  }
}

/// f of each coordinate, in the type of x.
template <class X, class F>
LANEFOLD_ALWAYS_INLINE auto scaled(const X& x, F f) {
  return elementwise(
      [&](const auto& e) LANEFOLD_INLINE_LAMBDA { return as_coordinate_of<math_type<X>>(f(coordinate(e, 0))); }, x);
}

} // namespace detail

/// x[0] * y[0] + x[1] * y[1] + …
template <class X, class Y>
  requires detail::MathArguments<X, Y>
LANEFOLD_ALWAYS_INLINE auto dot(const X& x, const Y& y) {
  return detail::as_coordinate_of<detail::math_type<X>>(
      detail::dot_product(detail::math_argument(x), detail::math_argument(y)));
}
/// The square root of dot(x, x), also where the squares leave the range of the type (but not of varyings).
template <class X>
  requires detail::MathArguments<X>
LANEFOLD_ALWAYS_INLINE auto length(const X& x) {
  return detail::as_coordinate_of<detail::math_type<X>>(detail::length_of(detail::math_argument(x)));
}
template <class X, class Y>
  requires detail::MathArguments<X, Y>
LANEFOLD_ALWAYS_INLINE auto distance(const X& x, const Y& y) {
  return lanefold::length(detail::math_argument(x) - detail::math_argument(y));
}
/// x / length(x); a zero vector as it is.
template <class X>
  requires detail::MathArguments<X>
LANEFOLD_ALWAYS_INLINE auto normalize(const X& x) {
  const auto size = detail::length_of(detail::math_argument(x));
  using T = std::remove_cv_t<decltype(size)>;
  const auto divisor = [&]() LANEFOLD_INLINE_LAMBDA {
    if constexpr (std::is_floating_point_v<T>) {
      return size + static_cast<T>(size == 0); // no branch, see length_of
    } else {
      return select(size == 0, T(1), size);
    }
  }();
  return detail::scaled(x, [&](const auto& e) LANEFOLD_INLINE_LAMBDA { return e / divisor; });
}
/// The fast_ functions do the same without care for the range of the type; fast_normalize by rsqrt.
template <class X>
  requires detail::MathArguments<X>
LANEFOLD_ALWAYS_INLINE auto fast_length(const X& x) {
  const auto& v = detail::math_argument(x);
  return detail::as_coordinate_of<detail::math_type<X>>(sqrt(detail::dot_product(v, v)));
}
template <class X, class Y>
  requires detail::MathArguments<X, Y>
LANEFOLD_ALWAYS_INLINE auto fast_distance(const X& x, const Y& y) {
  return lanefold::fast_length(detail::math_argument(x) - detail::math_argument(y));
}
template <class X>
  requires detail::MathArguments<X>
LANEFOLD_ALWAYS_INLINE auto fast_normalize(const X& x) {
  const auto& v = detail::math_argument(x);
  const auto square = detail::dot_product(v, v);
  const auto factor = rsqrt(select(square == 0, decltype(square)(1), square));
  return detail::scaled(x, [&](const auto& e) LANEFOLD_INLINE_LAMBDA { return e * factor; });
}

/// The vector product of vectors of three or four elements; the fourth becomes 0.
template <class X, class Y>
  requires detail::MathObjects<X, Y>
LANEFOLD_ALWAYS_INLINE auto cross(const X& x_, const Y& y_) {
  const auto& x = detail::math_argument(x_);
  const auto& y = detail::math_argument(y_);
  using S = detail::shape_of<X, Y>;
  static_assert(S::size == 3 || S::size == 4, "lanefold: cross takes vectors of three or four elements");
  const auto part = [&](int i, int k) LANEFOLD_INLINE_LAMBDA {
    return detail::coordinate(x, i) * detail::coordinate(y, k) - detail::coordinate(x, k) * detail::coordinate(y, i);
  };
  using result = typename S::template with<typename S::element>;
  if constexpr (S::size == 3) {
    return result(part(1, 2), part(2, 0), part(0, 1));
  } else {
    return result(part(1, 2), part(2, 0), part(0, 1), typename S::element(0));
  }
}

LANEFOLD_END_NAMESPACE
