// SPDX-License-Identifier: Apache-2.0
/// Arithmetic on varyings and plain values alike: what takes one or a few instructions. The rest is in math.hpp.
///
/// Every function takes any mix of varyings (variables, references and lane indices too) and plain values, and is
/// called by whoever has them: no other lane or work-item takes part. With one operand that varies the result varies,
/// lane by lane; of plain values it is a plain value, so that a kernel can be written once for every strategy. Operands
/// of different type are first converted as C++ converts them; functions of real numbers take integers as double.
// [sycl.4.17.5] [sycl.4.17.6] [sycl.4.17.7] [sycl.4.17.9]
#pragma once

#include <limits>

#include <lanefold/simd/detail/math_operand.hpp>
#include <lanefold/simd/detail/math_register.hpp>

LANEFOLD_BEGIN_NAMESPACE

/// a * b + c, rounded once. Without FMA instructions (SSE2) a call for each lane: see `mad`.
template <detail::Operand A, detail::Operand B, detail::Operand C>
LANEFOLD_ALWAYS_INLINE auto fma(const A& a, const B& b, const C& c) {
  return detail::apply<detail::common_real_t<A, B, C>>(detail::register_fma{}, a, b, c);
}

/// a * b + c the fast way: `fma` where the instruction set has it, a product and a sum elsewhere.
template <detail::Operand A, detail::Operand B, detail::Operand C>
LANEFOLD_ALWAYS_INLINE auto mad(const A& a, const B& b, const C& c) {
  return detail::apply<detail::common_real_t<A, B, C>>(detail::register_mad{}, a, b, c);
}

/// The square root, correctly rounded.
template <detail::WithLanes X>
LANEFOLD_ALWAYS_INLINE auto sqrt(const X& x) {
  return detail::apply<detail::common_real_t<X>>(detail::register_sqrt{}, x);
}
template <class X>
  requires detail::Numbers<X>
LANEFOLD_ALWAYS_INLINE auto sqrt(X x) {
  return detail::apply<detail::common_real_t<X>>(detail::register_sqrt{}, x);
}

/// 1 / sqrt(x) within 2 ulp. Infinite for 0, with its sign; 0 for infinity; NaN below 0.
/// Varyings of float, with AVX-512 of double too, refine the estimate of the instruction set: about twice as fast as a
/// square root and a division.
template <detail::Operand X>
LANEFOLD_ALWAYS_INLINE auto rsqrt(const X& x) {
  return detail::apply<detail::common_real_t<X>>(detail::register_rsqrt{}, x);
}

/// b < a ? b : a, as std::min: `a` if one is NaN.
template <detail::Operand A, detail::Operand B>
LANEFOLD_ALWAYS_INLINE auto min(const A& a, const B& b) {
  return detail::apply<detail::common_element_t<A, B>>(detail::register_min{}, a, b);
}

/// a < b ? b : a, as std::max: `a` if one is NaN.
template <detail::Operand A, detail::Operand B>
LANEFOLD_ALWAYS_INLINE auto max(const A& a, const B& b) {
  return detail::apply<detail::common_element_t<A, B>>(detail::register_max{}, a, b);
}

/// The smaller one; if one is NaN the other.
template <class A, class B>
  requires detail::WithLanes<A, B>
LANEFOLD_ALWAYS_INLINE auto fmin(const A& a, const B& b) {
  return detail::apply<detail::common_real_t<A, B>>(detail::register_extreme_number<detail::register_min>{}, a, b);
}
template <class A, class B>
  requires detail::Numbers<A, B>
LANEFOLD_ALWAYS_INLINE auto fmin(A a, B b) {
  return detail::apply<detail::common_real_t<A, B>>(detail::register_extreme_number<detail::register_min>{}, a, b);
}

/// The greater one; if one is NaN the other.
template <class A, class B>
  requires detail::WithLanes<A, B>
LANEFOLD_ALWAYS_INLINE auto fmax(const A& a, const B& b) {
  return detail::apply<detail::common_real_t<A, B>>(detail::register_extreme_number<detail::register_max>{}, a, b);
}
template <class A, class B>
  requires detail::Numbers<A, B>
LANEFOLD_ALWAYS_INLINE auto fmax(A a, B b) {
  return detail::apply<detail::common_real_t<A, B>>(detail::register_extreme_number<detail::register_max>{}, a, b);
}

/// min(max(x, low), high): x moved into [low, high]. Undefined for low > high.
template <detail::Operand X, detail::Operand L, detail::Operand H>
LANEFOLD_ALWAYS_INLINE auto clamp(const X& x, const L& low, const H& high) {
  return min(max(x, low), high);
}

/// The magnitude, in the type of x: of the least integer that integer itself.
template <detail::Operand X>
LANEFOLD_ALWAYS_INLINE auto abs(const X& x) {
  return detail::apply<detail::common_element_t<X>>(detail::register_abs{}, x);
}
template <detail::WithLanes X>
LANEFOLD_ALWAYS_INLINE auto fabs(const X& x) {
  return detail::apply<detail::common_real_t<X>>(detail::register_abs{}, x);
}
template <class X>
  requires detail::Numbers<X>
LANEFOLD_ALWAYS_INLINE auto fabs(X x) {
  return detail::apply<detail::common_real_t<X>>(detail::register_abs{}, x);
}

/// The magnitude of x with the sign of y.
template <detail::Operand X, detail::Operand Y>
LANEFOLD_ALWAYS_INLINE auto copysign(const X& x, const Y& y) {
  return detail::apply<detail::common_real_t<X, Y>>(detail::register_copysign{}, x, y);
}

/// The greatest whole number not above x.
template <detail::WithLanes X>
LANEFOLD_ALWAYS_INLINE auto floor(const X& x) {
  return detail::apply<detail::common_real_t<X>>(detail::register_floor{}, x);
}
template <class X>
  requires detail::Numbers<X>
LANEFOLD_ALWAYS_INLINE auto floor(X x) {
  return detail::apply<detail::common_real_t<X>>(detail::register_floor{}, x);
}

/// The least whole number not below x.
template <detail::WithLanes X>
LANEFOLD_ALWAYS_INLINE auto ceil(const X& x) {
  return detail::apply<detail::common_real_t<X>>(detail::register_ceil{}, x);
}
template <class X>
  requires detail::Numbers<X>
LANEFOLD_ALWAYS_INLINE auto ceil(X x) {
  return detail::apply<detail::common_real_t<X>>(detail::register_ceil{}, x);
}

/// The next whole number towards zero.
template <detail::Operand X>
LANEFOLD_ALWAYS_INLINE auto trunc(const X& x) {
  return detail::apply<detail::common_real_t<X>>(detail::register_trunc{}, x);
}

/// The nearest whole number, halves away from zero.
template <detail::Operand X>
LANEFOLD_ALWAYS_INLINE auto round(const X& x) {
  return detail::apply<detail::common_real_t<X>>(detail::register_round{}, x);
}

/// The nearest whole number, halves to the even one (in the default rounding mode).
template <detail::Operand X>
LANEFOLD_ALWAYS_INLINE auto rint(const X& x) {
  return detail::apply<detail::common_real_t<X>>(detail::register_rint{}, x);
}

/// x * 2^n for integers n, rounded once.
template <detail::Operand X, detail::Operand N>
  requires std::is_integral_v<detail::element_of<N>>
LANEFOLD_ALWAYS_INLINE auto ldexp(const X& x, const N& n) {
  return detail::apply<detail::common_real_t<X>>(detail::register_ldexp{}, x, n);
}

/// Returns whether x is NaN, infinite, neither of them, neither of them nor denormal nor 0: a mask, or a bool for a
/// plain value.
template <detail::Operand X>
LANEFOLD_ALWAYS_INLINE auto isnan(const X& x) {
  return detail::operand(x) != detail::operand(x);
}
template <detail::Operand X>
LANEFOLD_ALWAYS_INLINE auto isinf(const X& x) {
  return fabs(x) == std::numeric_limits<detail::common_real_t<X>>::infinity();
}
template <detail::Operand X>
LANEFOLD_ALWAYS_INLINE auto isfinite(const X& x) {
  return fabs(x) <= std::numeric_limits<detail::common_real_t<X>>::max();
}
template <detail::Operand X>
LANEFOLD_ALWAYS_INLINE auto isnormal(const X& x) {
  return isfinite(x) && fabs(x) >= std::numeric_limits<detail::common_real_t<X>>::min();
}

/// Returns whether the sign of x is set, also of -0 and NaN: a mask, or a bool for a plain value.
template <detail::Operand X>
LANEFOLD_ALWAYS_INLINE auto signbit(const X& x) {
  using T = detail::common_real_t<X>;
  return copysign(T(1), x) < T(0);
}

/// Counts the bits of x that are set, in the type of x.
template <detail::Operand X>
  requires std::is_integral_v<detail::element_of<X>>
LANEFOLD_ALWAYS_INLINE auto popcount(const X& x) {
  return detail::apply<detail::element_of<X>>(detail::register_popcount{}, x);
}

/// Counts the bits above the highest that is set, in the type of x; for 0 it returns the number of bits of the type.
template <detail::Operand X>
  requires std::is_integral_v<detail::element_of<X>>
LANEFOLD_ALWAYS_INLINE auto clz(const X& x) {
  return detail::apply<detail::element_of<X>>(detail::register_clz{}, x);
}

/// Counts the bits below the lowest that is set, in the type of x; for 0 it returns the number of bits of the type.
template <detail::Operand X>
  requires std::is_integral_v<detail::element_of<X>>
LANEFOLD_ALWAYS_INLINE auto ctz(const X& x) {
  return detail::apply<detail::element_of<X>>(detail::register_ctz{}, x);
}

/// The bits of x moved up by n places, those that leave at the top coming in at the bottom. n counts modulo the number
/// of bits; a negative n moves down. The result has the type of x.
template <detail::Operand X, detail::Operand N>
  requires std::is_integral_v<detail::element_of<X>> && std::is_integral_v<detail::element_of<N>>
LANEFOLD_ALWAYS_INLINE auto rotate(const X& x, const N& n) {
  return detail::apply<detail::element_of<X>>(detail::register_rotate{}, x, n);
}

LANEFOLD_END_NAMESPACE
