// SPDX-License-Identifier: Apache-2.0
/// Elementary functions on varyings and plain values alike. Not part of the umbrella header, for its compile time:
/// include it where you need it.
///
/// They take what the functions of arithmetic.hpp take and are called as freely: any mix of varyings and plain values,
/// integers as double. Of plain values, and of varyings whose registers are plain values (N * sizeof(T) below 16, long
/// double, isa::generic), they are those of <cmath>, or within 4 ulp where a compiler takes them for several at once
/// (isa/number_functions.hpp). Of other varyings they are within the error named in units of the last place (ulp),
/// measured against long double; where nothing is named they are those of <cmath> lane by lane.
/// Special values give what <cmath> says. errno and the floating-point exceptions mean nothing afterwards.
// [sycl.4.17.5]
#pragma once

#include <lanefold/simd/arithmetic.hpp>
#include <lanefold/simd/detail/math_functions.hpp>

LANEFOLD_BEGIN_NAMESPACE

#define LANEFOLD_DETAIL_FUNCTION_1(name)                                                                               \
  template <class X>                                                                                                   \
    requires detail::Numbers<X>                                                                                        \
  LANEFOLD_ALWAYS_INLINE auto name(X x) {                                                                              \
    return detail::apply_function<detail::common_real_t<X>, detail::register_##name>(x);                               \
  }                                                                                                                    \
  template <detail::WithLanes X>                                                                                       \
  LANEFOLD_ALWAYS_INLINE auto name(const X& x) {                                                                       \
    return detail::apply_function<detail::common_real_t<X>, detail::register_##name>(x);                               \
  }
#define LANEFOLD_DETAIL_FUNCTION_2(name)                                                                               \
  template <class X, class Y>                                                                                          \
    requires detail::Numbers<X, Y>                                                                                     \
  LANEFOLD_ALWAYS_INLINE auto name(X x, Y y) {                                                                         \
    return detail::apply_function<detail::common_real_t<X, Y>, detail::register_##name>(x, y);                         \
  }                                                                                                                    \
  template <class X, class Y>                                                                                          \
    requires detail::WithLanes<X, Y>                                                                                   \
  LANEFOLD_ALWAYS_INLINE auto name(const X& x, const Y& y) {                                                           \
    return detail::apply_function<detail::common_real_t<X, Y>, detail::register_##name>(x, y);                         \
  }

LANEFOLD_DETAIL_FUNCTION_1(exp)   ///< e^x; 3 ulp
LANEFOLD_DETAIL_FUNCTION_1(exp2)  ///< 2^x; 2 ulp
LANEFOLD_DETAIL_FUNCTION_1(exp10) ///< 10^x; 2 ulp
LANEFOLD_DETAIL_FUNCTION_1(expm1) ///< e^x - 1; 3 ulp
LANEFOLD_DETAIL_FUNCTION_1(log)   ///< to base e; 1 ulp, of doubles 2
LANEFOLD_DETAIL_FUNCTION_1(log2)  ///< to base 2; 2 ulp
LANEFOLD_DETAIL_FUNCTION_1(log10) ///< to base 10; 2.5 ulp
LANEFOLD_DETAIL_FUNCTION_1(log1p) ///< log(1 + x); 2 ulp
LANEFOLD_DETAIL_FUNCTION_2(pow)   ///< x^y; 1.1 ulp

LANEFOLD_DETAIL_FUNCTION_1(sin)   ///< 2.5 ulp
LANEFOLD_DETAIL_FUNCTION_1(cos)   ///< 2.5 ulp
LANEFOLD_DETAIL_FUNCTION_1(tan)   ///< 3.5 ulp
LANEFOLD_DETAIL_FUNCTION_1(asin)  ///< 2.5 ulp
LANEFOLD_DETAIL_FUNCTION_1(acos)  ///< 2.5 ulp
LANEFOLD_DETAIL_FUNCTION_1(atan)  ///< 2.5 ulp
LANEFOLD_DETAIL_FUNCTION_2(atan2) ///< the angle of the point (y, x), in this order; 3 ulp

LANEFOLD_DETAIL_FUNCTION_1(sinh)  ///< 3 ulp
LANEFOLD_DETAIL_FUNCTION_1(cosh)  ///< 3 ulp
LANEFOLD_DETAIL_FUNCTION_1(tanh)  ///< 2.5 ulp
LANEFOLD_DETAIL_FUNCTION_1(asinh) ///< 4 ulp
LANEFOLD_DETAIL_FUNCTION_1(acosh) ///< 2.5 ulp
LANEFOLD_DETAIL_FUNCTION_1(atanh) ///< 2 ulp

LANEFOLD_DETAIL_FUNCTION_1(cbrt)  ///< the cube root; 1 ulp
LANEFOLD_DETAIL_FUNCTION_2(hypot) ///< sqrt(x^2 + y^2) without overflow; 2.5 ulp
LANEFOLD_DETAIL_FUNCTION_2(fmod)  ///< the remainder of x / y with the sign of x, exact
LANEFOLD_DETAIL_FUNCTION_1(erf)   ///< 3 ulp
LANEFOLD_DETAIL_FUNCTION_1(erfc)  ///< 6 ulp
LANEFOLD_DETAIL_FUNCTION_1(tgamma)
LANEFOLD_DETAIL_FUNCTION_1(lgamma) ///< log |gamma(x)|

#undef LANEFOLD_DETAIL_FUNCTION_1
#undef LANEFOLD_DETAIL_FUNCTION_2

/// Holds what `sincos` returns: `auto [s, c] = lf::sincos(x);`
template <class V>
struct sine_and_cosine {
  V sin;
  V cos;
};

/// Sine and cosine of the same x.
template <detail::Operand X>
LANEFOLD_ALWAYS_INLINE auto sincos(const X& x) {
  using V = detail::with_lanes_t<detail::common_real_t<X>, X>;
  return sine_and_cosine<V>{lanefold::sin(x), lanefold::cos(x)};
}

LANEFOLD_END_NAMESPACE
