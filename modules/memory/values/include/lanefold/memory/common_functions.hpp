// SPDX-License-Identifier: Apache-2.0
/// The common functions of SYCL 2020. [sycl.4.17.7]
///
/// They take numbers, half, vec, swizzles, marray, varyings and varying vectors, element by element; a number beside
/// something with elements counts as each of them.
#pragma once

#include <lanefold/memory/detail/function_overloads.hpp>
#include <lanefold/simd/arithmetic.hpp>

#include <numbers>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

#define LANEFOLD_DETAIL_COMMON(name, parameters)                                                                       \
  struct real_##name {                                                                                                 \
    template <class V>                                                                                                 \
    LANEFOLD_ALWAYS_INLINE static V of parameters;                                                                     \
  };                                                                                                                   \
  template <class V>                                                                                                   \
  LANEFOLD_ALWAYS_INLINE V real_##name::of parameters

LANEFOLD_DETAIL_COMMON(degrees, (const V& x)) {
  using T = typename value_traits<V>::element;
  return V(x * (T(180) / std::numbers::pi_v<T>));
}
LANEFOLD_DETAIL_COMMON(radians, (const V& x)) {
  using T = typename value_traits<V>::element;
  return V(x * (std::numbers::pi_v<T> / T(180)));
}
LANEFOLD_DETAIL_COMMON(mix, (const V& x, const V& y, const V& a)) { return V(x + (y - x) * a); }
LANEFOLD_DETAIL_COMMON(step, (const V& edge, const V& x)) { return V(select(x < edge, V(0), V(1))); }
LANEFOLD_DETAIL_COMMON(smoothstep, (const V& low, const V& high, const V& x)) {
  using T = typename value_traits<V>::element;
  const V t(clamp(V((x - low) / (high - low)), T(0), T(1)));
  return V(t * t * (T(3) - T(2) * t));
}
LANEFOLD_DETAIL_COMMON(sign, (const V& x)) {
  const V zero(select(x == 0, x, V(0)));
  return V(select(x > 0, V(1), select(x < 0, V(-1), zero)));
}
#undef LANEFOLD_DETAIL_COMMON

} // namespace detail

LANEFOLD_DETAIL_NAMED_ELEMENTWISE(3, elementwise, clamp)
LANEFOLD_DETAIL_NAMED_ELEMENTWISE(2, elementwise, max)
LANEFOLD_DETAIL_NAMED_ELEMENTWISE(2, elementwise, min)

LANEFOLD_DETAIL_NAMED_MATH(1, real, degrees) ///< radians as degrees
LANEFOLD_DETAIL_NAMED_MATH(1, real, radians) ///< degrees as radians
LANEFOLD_DETAIL_NAMED_MATH(3, real, mix)     ///< x + (y - x) * a
LANEFOLD_DETAIL_NAMED_MATH(1, real, sign)    ///< 1, -1, a zero as it is; 0 for NaN

/// 0 where x is below the edge, else 1. (With a number as edge SYCL names the type of x: step<float4>(0.5f, x).)
template <class X, class Y>
  requires(detail::WithoutElements<X, Y> || (detail::WithElements<X, Y> && detail::has_elements<X>))
LANEFOLD_ALWAYS_INLINE auto step(const X& edge, const Y& x) {
  return detail::real_function<detail::real_step>{}(detail::converted(edge), detail::converted(x));
}
template <class Y, class X>
  requires(detail::WithElements<X, Y> && !detail::has_elements<X>)
LANEFOLD_ALWAYS_INLINE auto step(const X& edge, const Y& x) {
  return detail::real_function<detail::real_step>{}(edge, x);
}
/// From 0 where x is low to 1 where it is high along 3t^2 - 2t^3, each step in the type of the elements, also in half.
/// (With numbers SYCL names the type of x.)
template <class X, class Y, class Z>
  requires(detail::WithoutElements<X, Y, Z> ||
           (detail::WithElements<X, Y, Z> && (detail::has_elements<X> || detail::has_elements<Y>)))
LANEFOLD_ALWAYS_INLINE auto smoothstep(const X& low, const Y& high, const Z& x) {
  return detail::exact_function<detail::real_smoothstep>{}(detail::converted(low), detail::converted(high),
                                                           detail::converted(x));
}
template <class Z, class X, class Y>
  requires(detail::WithElements<X, Y, Z> && !detail::has_elements<X> && !detail::has_elements<Y>)
LANEFOLD_ALWAYS_INLINE auto smoothstep(const X& low, const Y& high, const Z& x) {
  return detail::exact_function<detail::real_smoothstep>{}(low, high, x);
}

LANEFOLD_END_NAMESPACE
