// SPDX-License-Identifier: Apache-2.0
/// Functions of recorded values: those of OpenCL C of the same names.
///
/// As for varyings, integers count as double in functions of real numbers, and mixed arguments are converted to the
/// type that they have in common. [sycl.4.17.5]
#pragma once

#include <lanefold/memory/common_functions.hpp>
#include <lanefold/memory/integer_functions.hpp>
#include <lanefold/memory/math_functions.hpp>
#include <lanefold/recorded/detail/vec_operands.hpp>

#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

template <class X>
using recorded_real_t = std::conditional_t<is_real<recorded_element_t<X>>, recorded_element_t<X>, double>;
/// The type in which functions of real numbers compute: half beside float is a float.
template <class X, class... Rest>
struct recorded_common_real {
  template <class T>
  using wide = std::conditional_t<std::is_same_v<T, half>, float, T>;
  using type = std::common_type_t<wide<recorded_real_t<X>>, wide<recorded_real_t<Rest>>...>;
};
template <class X, class... Rest>
  requires(std::is_same_v<recorded_real_t<X>, recorded_real_t<Rest>> && ...)
struct recorded_common_real<X, Rest...> {
  using type = recorded_real_t<X>;
};
template <class... X>
using recorded_common_real_t = typename recorded_common_real<X...>::type;
/// The type that operands have in common: without promotion if they have one.
template <class X, class... Rest>
struct recorded_common {
  using type = decltype((std::declval<recorded_element_t<X>>() + ... + std::declval<recorded_element_t<Rest>>()));
};
template <class X, class... Rest>
  requires(std::is_same_v<recorded_element_t<X>, recorded_element_t<Rest>> && ...)
struct recorded_common<X, Rest...> {
  using type = recorded_element_t<X>;
};
template <class... X>
using recorded_common_t = typename recorded_common<X...>::type;

/// An operand as a value of type T; `other` is one that is recorded, if x is plain.
template <class T, class X, class Y>
recorded_value<T> recorded_operand_as(const X& x, const Y& other) {
  recorder& r = detail::recorder_of(x, other);
  return {r, detail::node_as<T>(r, x)};
}

} // namespace detail

#define LANEFOLD_RECORDED_REAL_1(name)                                                                                 \
  template <detail::RecordedOperand X>                                                                                 \
  auto name(const X& x) {                                                                                              \
    using T = detail::recorded_common_real_t<X>;                                                                       \
    return detail::recorded_call<T, T>(#name, x);                                                                      \
  }                                                                                                                    \
  LANEFOLD_DETAIL_RECORDED_OF_VECS(name)
#define LANEFOLD_RECORDED_REAL_2(name)                                                                                 \
  template <class X, class Y>                                                                                          \
    requires detail::RecordedOperands<X, Y>                                                                            \
  auto name(const X& x, const Y& y) {                                                                                  \
    using T = detail::recorded_common_real_t<X, Y>;                                                                    \
    return detail::recorded_call<T, T>(#name, x, y);                                                                   \
  }                                                                                                                    \
  LANEFOLD_DETAIL_RECORDED_OF_VECS(name)
#define LANEFOLD_RECORDED_REAL_3(name)                                                                                 \
  template <class X, class Y, class Z>                                                                                 \
    requires detail::RecordedOperands<X, Y, Z>                                                                         \
  auto name(const X& x, const Y& y, const Z& z) {                                                                      \
    using T = detail::recorded_common_real_t<X, Y, Z>;                                                                 \
    return detail::recorded_call<T, T>(#name, x, y, z);                                                                \
  }                                                                                                                    \
  LANEFOLD_DETAIL_RECORDED_OF_VECS(name)
LANEFOLD_RECORDED_REAL_1(acos)
LANEFOLD_RECORDED_REAL_1(acosh)
LANEFOLD_RECORDED_REAL_1(acospi)
LANEFOLD_RECORDED_REAL_1(asin)
LANEFOLD_RECORDED_REAL_1(asinh)
LANEFOLD_RECORDED_REAL_1(asinpi)
LANEFOLD_RECORDED_REAL_1(atan)
LANEFOLD_RECORDED_REAL_1(atanh)
LANEFOLD_RECORDED_REAL_1(atanpi)
LANEFOLD_RECORDED_REAL_1(cbrt)
LANEFOLD_RECORDED_REAL_1(ceil)
LANEFOLD_RECORDED_REAL_1(cos)
LANEFOLD_RECORDED_REAL_1(cosh)
LANEFOLD_RECORDED_REAL_1(cospi)
LANEFOLD_RECORDED_REAL_1(degrees)
LANEFOLD_RECORDED_REAL_1(erf)
LANEFOLD_RECORDED_REAL_1(erfc)
LANEFOLD_RECORDED_REAL_1(exp)
LANEFOLD_RECORDED_REAL_1(exp10)
LANEFOLD_RECORDED_REAL_1(exp2)
LANEFOLD_RECORDED_REAL_1(expm1)
LANEFOLD_RECORDED_REAL_1(fabs)
LANEFOLD_RECORDED_REAL_1(floor)
LANEFOLD_RECORDED_REAL_1(lgamma)
LANEFOLD_RECORDED_REAL_1(log)
LANEFOLD_RECORDED_REAL_1(log10)
LANEFOLD_RECORDED_REAL_1(log1p)
LANEFOLD_RECORDED_REAL_1(log2)
LANEFOLD_RECORDED_REAL_1(logb)
LANEFOLD_RECORDED_REAL_1(radians)
LANEFOLD_RECORDED_REAL_1(rint)
LANEFOLD_RECORDED_REAL_1(round)
LANEFOLD_RECORDED_REAL_1(rsqrt)
LANEFOLD_RECORDED_REAL_1(sign)
LANEFOLD_RECORDED_REAL_1(sin)
LANEFOLD_RECORDED_REAL_1(sinh)
LANEFOLD_RECORDED_REAL_1(sinpi)
LANEFOLD_RECORDED_REAL_1(sqrt)
LANEFOLD_RECORDED_REAL_1(tan)
LANEFOLD_RECORDED_REAL_1(tanh)
LANEFOLD_RECORDED_REAL_1(tanpi)
LANEFOLD_RECORDED_REAL_1(tgamma)
LANEFOLD_RECORDED_REAL_1(trunc)
LANEFOLD_RECORDED_REAL_2(atan2)
LANEFOLD_RECORDED_REAL_2(atan2pi)
LANEFOLD_RECORDED_REAL_2(copysign)
LANEFOLD_RECORDED_REAL_2(fdim)
LANEFOLD_RECORDED_REAL_2(fmax)
LANEFOLD_RECORDED_REAL_2(fmin)
LANEFOLD_RECORDED_REAL_2(fmod)
LANEFOLD_RECORDED_REAL_2(hypot)
LANEFOLD_RECORDED_REAL_2(maxmag)
LANEFOLD_RECORDED_REAL_2(minmag)
LANEFOLD_RECORDED_REAL_2(pow)
LANEFOLD_RECORDED_REAL_2(powr)
LANEFOLD_RECORDED_REAL_2(remainder)
LANEFOLD_RECORDED_REAL_2(step)
LANEFOLD_RECORDED_REAL_3(fma)
LANEFOLD_RECORDED_REAL_3(mad)
LANEFOLD_RECORDED_REAL_3(mix)
LANEFOLD_RECORDED_REAL_3(smoothstep)
#undef LANEFOLD_RECORDED_REAL_1
#undef LANEFOLD_RECORDED_REAL_2
#undef LANEFOLD_RECORDED_REAL_3

/// The smaller one: `min(a, b)` is `b < a ? b : a`, also for NaN. `max` is the greater one.
template <class X, class Y>
  requires detail::RecordedOperands<X, Y>
auto min(const X& x, const Y& y) {
  using T = detail::recorded_common_t<X, Y>;
  if constexpr (detail::is_real<T>) {
    const auto a = detail::recorded_operand_as<T>(x, y), b = detail::recorded_operand_as<T>(y, x);
    return lanefold::select(b < a, b, a);
  } else {
    return detail::recorded_call<T, T>("min", x, y);
  }
}
template <class X, class Y>
  requires detail::RecordedOperands<X, Y>
auto max(const X& x, const Y& y) {
  using T = detail::recorded_common_t<X, Y>;
  if constexpr (detail::is_real<T>) {
    const auto a = detail::recorded_operand_as<T>(x, y), b = detail::recorded_operand_as<T>(y, x);
    return lanefold::select(a < b, b, a);
  } else {
    return detail::recorded_call<T, T>("max", x, y);
  }
}
/// x, but not below `least` nor above `most`.
template <class X, class Y, class Z>
  requires detail::RecordedOperands<X, Y, Z>
auto clamp(const X& x, const Y& least, const Z& most) {
  return lanefold::min(lanefold::max(x, least), most);
}
/// The magnitude, in the type of x.
template <detail::RecordedOperand X>
auto abs(const X& x) {
  using T = detail::recorded_element_t<X>;
  if constexpr (detail::is_real<T>) {
    return detail::recorded_call<T, T>("fabs", x);
  } else {
    return lanefold::select(x < T(0), lanefold::convert<T>(-x), lanefold::convert<T>(x));
  }
}

LANEFOLD_DETAIL_RECORDED_OF_VECS(min)
LANEFOLD_DETAIL_RECORDED_OF_VECS(max)
LANEFOLD_DETAIL_RECORDED_OF_VECS(clamp)
LANEFOLD_DETAIL_RECORDED_OF_VECS(abs)

LANEFOLD_END_NAMESPACE
