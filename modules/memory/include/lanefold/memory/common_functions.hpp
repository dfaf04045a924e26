// SPDX-License-Identifier: Apache-2.0
/// The common functions of SYCL 2020. [sycl.4.17.7]
///
/// They take numbers, half, vec, swizzles, marray, varyings and varying vectors, element by element; a number beside
/// something with elements counts as each of them.
#pragma once

#include <lanefold/memory/detail/elementwise.hpp>
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

LANEFOLD_DETAIL_ELEMENTWISE_3(elementwise, clamp)
LANEFOLD_DETAIL_ELEMENTWISE_2(elementwise, max)
LANEFOLD_DETAIL_ELEMENTWISE_2(elementwise, min)

LANEFOLD_DETAIL_MATH_1(real, degrees)    ///< radians as degrees
LANEFOLD_DETAIL_MATH_1(real, radians)    ///< degrees as radians
LANEFOLD_DETAIL_MATH_3(real, mix)        ///< x + (y - x) * a
LANEFOLD_DETAIL_MATH_2(real, step)       ///< step(edge, x): 0 below the edge, else 1
LANEFOLD_DETAIL_MATH_3(real, smoothstep) ///< smoothstep(low, high, x): from 0 to 1 along 3t^2 - 2t^3
LANEFOLD_DETAIL_MATH_1(real, sign)       ///< 1, -1, a zero as it is; 0 for NaN

LANEFOLD_END_NAMESPACE
