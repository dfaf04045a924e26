// SPDX-License-Identifier: Apache-2.0
/// The integer functions of SYCL 2020, but for those that varyings brought (arithmetic.hpp), which get elements here.
/// [sycl.4.17.6]
///
/// They take integers, vec, swizzles, marray, varyings and varying vectors, element by element; a number beside
/// something with elements counts as each of them. The result has the type that the operands have in common, without
/// promotion, and wraps around where nothing else is said.
#pragma once

#include <lanefold/memory/detail/function_overloads.hpp>
#include <lanefold/simd/arithmetic.hpp>

#include <limits>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The integer of twice the bytes, and of the same without sign.
template <class T>
using wide_integer = typename sized_integer<2 * sizeof(T), std::is_signed_v<T>>::type;
template <class T>
using unsigned_integer = std::make_unsigned_t<T>;

/// The upper half of the product of 64-bit integers.
template <class T>
T upper_product(T x, T y) {
  __extension__ using wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  return static_cast<T>(static_cast<wide>(x) * y >> 64);
}
/// x * y + z, the next that T holds.
template <class T>
T saturated_product_sum(T x, T y, T z) {
  __extension__ using wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  using limits = std::numeric_limits<T>;
  const wide sum = static_cast<wide>(x) * y + z;
  return static_cast<T>(sum > limits::max() ? limits::max() : sum < limits::min() ? limits::min() : sum);
}

/// Is true for lanes whose upper products take two multiplications: half of the time of whole products of 64 bits.
template <class V>
inline constexpr bool multiplies_evens = false;
template <class T, std::size_t N, class Isa>
inline constexpr bool multiplies_evens<varying<T, N, Isa>> = sizeof(T) == 4 && instructions<Isa>::has_even_products;

#define LANEFOLD_DETAIL_INTEGER(name, parameters)                                                                      \
  struct integer_##name {                                                                                              \
    template <class V>                                                                                                 \
    LANEFOLD_ALWAYS_INLINE static V of parameters;                                                                     \
  };                                                                                                                   \
  template <class V>                                                                                                   \
  LANEFOLD_ALWAYS_INLINE V integer_##name::of parameters
#define LANEFOLD_DETAIL_INTEGER_2(name) LANEFOLD_DETAIL_INTEGER(name, (const V& x, const V& y))
#define LANEFOLD_DETAIL_INTEGER_3(name) LANEFOLD_DETAIL_INTEGER(name, (const V& x, const V& y, const V& z))

/// x as integers U of the same number.
template <class U, class V>
LANEFOLD_ALWAYS_INLINE auto as_integers(const V& x) {
  return lanefold::convert<U>(x);
}
/// x op y modulo 2^bits.
#define LANEFOLD_DETAIL_WRAPPED(op)                                                                                    \
  V(as_integers<typename value_traits<V>::element>(as_integers<unsigned_integer<typename value_traits<V>::element>>(   \
      x) op as_integers<unsigned_integer<typename value_traits<V>::element>>(y)))
template <class V>
LANEFOLD_ALWAYS_INLINE V wrapped_sum(const V& x, const V& y) {
  return LANEFOLD_DETAIL_WRAPPED(+);
}
template <class V>
LANEFOLD_ALWAYS_INLINE V wrapped_difference(const V& x, const V& y) {
  return LANEFOLD_DETAIL_WRAPPED(-);
}
template <class V>
LANEFOLD_ALWAYS_INLINE V wrapped_product(const V& x, const V& y) {
  using T = typename value_traits<V>::element;
  using U = std::conditional_t<(sizeof(T) < 4), unsigned, unsigned_integer<T>>; // unsigned short promotes to int
  return V(as_integers<T>(as_integers<U>(x) * as_integers<U>(y)));
}
#undef LANEFOLD_DETAIL_WRAPPED

LANEFOLD_DETAIL_INTEGER_2(abs_diff) { return V(select(x < y, wrapped_difference(y, x), wrapped_difference(x, y))); }
LANEFOLD_DETAIL_INTEGER_2(hadd) { return V((x & y) + ((x ^ y) >> 1)); }
LANEFOLD_DETAIL_INTEGER_2(rhadd) { return V((x | y) - ((x ^ y) >> 1)); }
LANEFOLD_DETAIL_INTEGER_2(add_sat) {
  using T = typename value_traits<V>::element;
  using limits = std::numeric_limits<T>;
  const V sum = wrapped_sum(x, y);
  if constexpr (std::is_unsigned_v<T>) {
    return V(select(sum < x, V(limits::max()), sum));
  } else {
    const V limit(select(x < 0, V(limits::min()), V(limits::max())));
    return V(select(((x ^ sum) & (y ^ sum)) < 0, limit, sum));
  }
}
LANEFOLD_DETAIL_INTEGER_2(sub_sat) {
  using T = typename value_traits<V>::element;
  using limits = std::numeric_limits<T>;
  const V difference = wrapped_difference(x, y);
  if constexpr (std::is_unsigned_v<T>) {
    return V(select(x < y, V(T(0)), difference));
  } else {
    const V limit(select(x < 0, V(limits::min()), V(limits::max())));
    return V(select(((x ^ y) & (x ^ difference)) < 0, limit, difference));
  }
}
LANEFOLD_DETAIL_INTEGER_2(mul_hi) {
  using T = typename value_traits<V>::element;
  if constexpr (sizeof(T) == 8) {
    return V(lane_by_lane<T>([](T a, T b) { return upper_product(a, b); }, x, y));
  } else if constexpr (multiplies_evens<V>) {
    return apply<T>(register_mul_hi{}, x, y);
  } else {
    using W = wide_integer<T>;
    return V(as_integers<T>((as_integers<W>(x) * as_integers<W>(y)) >> (8 * sizeof(T))));
  }
}
LANEFOLD_DETAIL_INTEGER_3(mad_hi) { return wrapped_sum(integer_mul_hi::of(x, y), z); }
LANEFOLD_DETAIL_INTEGER_3(mad_sat) {
  using T = typename value_traits<V>::element;
  if constexpr (sizeof(T) == 8) {
    return V(lane_by_lane<T>([](T a, T b, T c) { return saturated_product_sum(a, b, c); }, x, y, z));
  } else {
    using W = wide_integer<T>;
    using limits = std::numeric_limits<T>;
    const auto sum = as_integers<W>(as_integers<W>(x) * as_integers<W>(y) + as_integers<W>(z));
    return V(as_integers<T>(clamp(sum, W(limits::min()), W(limits::max()))));
  }
}
LANEFOLD_DETAIL_INTEGER_2(mul24) { return wrapped_product(x, y); }
LANEFOLD_DETAIL_INTEGER_3(mad24) { return wrapped_sum(wrapped_product(x, y), z); }

#undef LANEFOLD_DETAIL_INTEGER
#undef LANEFOLD_DETAIL_INTEGER_2
#undef LANEFOLD_DETAIL_INTEGER_3

} // namespace detail

LANEFOLD_DETAIL_NAMED_ELEMENTWISE(1, elementwise, abs)
LANEFOLD_DETAIL_NAMED_ELEMENTWISE(1, elementwise, clz)
LANEFOLD_DETAIL_NAMED_ELEMENTWISE(1, elementwise, ctz)
LANEFOLD_DETAIL_NAMED_ELEMENTWISE(1, elementwise, popcount)
LANEFOLD_DETAIL_NAMED_ELEMENTWISE(2, elementwise, rotate)

LANEFOLD_DETAIL_NAMED_MATH(2, integer, abs_diff) ///< |x - y|
LANEFOLD_DETAIL_NAMED_MATH(2, integer, add_sat)  ///< x + y, the next that the type holds
LANEFOLD_DETAIL_NAMED_MATH(2, integer, hadd)     ///< (x + y) >> 1 without overflow
LANEFOLD_DETAIL_NAMED_MATH(2, integer, rhadd)    ///< (x + y + 1) >> 1 without overflow
LANEFOLD_DETAIL_NAMED_MATH(3, integer, mad_hi)   ///< mul_hi(x, y) + z
LANEFOLD_DETAIL_NAMED_MATH(3, integer, mad_sat)  ///< x * y + z, the next that the type holds
LANEFOLD_DETAIL_NAMED_MATH(2, integer, mul_hi)   ///< the upper half of x * y; lane by lane for 64 bits
LANEFOLD_DETAIL_NAMED_MATH(2, integer, sub_sat)  ///< x - y, the next that the type holds
LANEFOLD_DETAIL_NAMED_MATH(3, integer, mad24)    ///< x * y + z for x and y of 24 bits
LANEFOLD_DETAIL_NAMED_MATH(2, integer, mul24)    ///< x * y for x and y of 24 bits

/// (high << bits) | low, an integer of twice the bytes with the sign of `high`; `low` has none.
template <class H, class L>
  requires detail::MathArguments<H, L>
LANEFOLD_ALWAYS_INLINE auto upsample(const H& high, const L& low) {
  if constexpr (detail::MathObjects<H, L>) {
    return detail::elementwise_as_given(
        [](const auto& h, const auto& l) LANEFOLD_INLINE_LAMBDA { return lanefold::upsample(h, l); }, high, low);
  } else {
    using T = detail::element_of<H>;
    static_assert(std::is_same_v<detail::element_of<L>, std::make_unsigned_t<T>> && sizeof(T) < 8,
                  "lanefold: upsample takes integers of 8, 16 or 32 bits, the second like the first but without sign");
    using W = detail::wide_integer<T>;
    const auto upper = detail::as_integers<W>(detail::as_integers<W>(detail::operand(high)) << (8 * sizeof(T)));
    return detail::as_integers<W>(upper | detail::as_integers<W>(detail::operand(low)));
  }
}

LANEFOLD_END_NAMESPACE
