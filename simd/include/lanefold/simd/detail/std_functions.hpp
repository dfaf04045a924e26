// SPDX-License-Identifier: Apache-2.0
/// Says what to write where a kernel calls a function of <cmath> for values of lanes: without these the compiler lists
/// the overloads for numbers. Nothing else comes of them, so that they may stand in namespace std. Internal.
#pragma once

#include <lanefold/simd/detail/forward.hpp>

#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

template <class X>
concept ValuesOfLanes = is_varying_v<X> || is_lane_index_v<X>;

template <class X>
inline constexpr bool is_one_number = !ValuesOfLanes<X>;

} // namespace detail
LANEFOLD_END_NAMESPACE

#define LANEFOLD_DETAIL_STD_MESSAGE(name)                                                                              \
  "lanefold: std::" #name " takes one number, and this is a value for each work-item: write lf::" #name
#define LANEFOLD_DETAIL_STD_FUNCTION_1(name)                                                                           \
  template <lanefold::detail::ValuesOfLanes X>                                                                         \
  X name(const X& x) {                                                                                                 \
    static_assert(lanefold::detail::is_one_number<X>, LANEFOLD_DETAIL_STD_MESSAGE(name));                              \
    return x;                                                                                                          \
  }
#define LANEFOLD_DETAIL_STD_FUNCTION_2(name)                                                                           \
  template <lanefold::detail::ValuesOfLanes X, class Y>                                                                \
  X name(const X& x, const Y&) {                                                                                       \
    static_assert(lanefold::detail::is_one_number<X>, LANEFOLD_DETAIL_STD_MESSAGE(name));                              \
    return x;                                                                                                          \
  }                                                                                                                    \
  template <class X, lanefold::detail::ValuesOfLanes Y>                                                                \
    requires std::is_arithmetic_v<X>                                                                                   \
  Y name(const X&, const Y& y) {                                                                                       \
    static_assert(lanefold::detail::is_one_number<Y>, LANEFOLD_DETAIL_STD_MESSAGE(name));                              \
    return y;                                                                                                          \
  }

// NOLINTBEGIN(cert-dcl58-cpp)
namespace std {
LANEFOLD_DETAIL_STD_FUNCTION_1(abs)
LANEFOLD_DETAIL_STD_FUNCTION_1(fabs)
LANEFOLD_DETAIL_STD_FUNCTION_1(sqrt)
LANEFOLD_DETAIL_STD_FUNCTION_1(cbrt)
LANEFOLD_DETAIL_STD_FUNCTION_1(exp)
LANEFOLD_DETAIL_STD_FUNCTION_1(exp2)
LANEFOLD_DETAIL_STD_FUNCTION_1(expm1)
LANEFOLD_DETAIL_STD_FUNCTION_1(log)
LANEFOLD_DETAIL_STD_FUNCTION_1(log2)
LANEFOLD_DETAIL_STD_FUNCTION_1(log10)
LANEFOLD_DETAIL_STD_FUNCTION_1(log1p)
LANEFOLD_DETAIL_STD_FUNCTION_1(sin)
LANEFOLD_DETAIL_STD_FUNCTION_1(cos)
LANEFOLD_DETAIL_STD_FUNCTION_1(tan)
LANEFOLD_DETAIL_STD_FUNCTION_1(asin)
LANEFOLD_DETAIL_STD_FUNCTION_1(acos)
LANEFOLD_DETAIL_STD_FUNCTION_1(atan)
LANEFOLD_DETAIL_STD_FUNCTION_1(sinh)
LANEFOLD_DETAIL_STD_FUNCTION_1(cosh)
LANEFOLD_DETAIL_STD_FUNCTION_1(tanh)
LANEFOLD_DETAIL_STD_FUNCTION_1(erf)
LANEFOLD_DETAIL_STD_FUNCTION_1(erfc)
LANEFOLD_DETAIL_STD_FUNCTION_1(floor)
LANEFOLD_DETAIL_STD_FUNCTION_1(ceil)
LANEFOLD_DETAIL_STD_FUNCTION_1(trunc)
LANEFOLD_DETAIL_STD_FUNCTION_1(round)
LANEFOLD_DETAIL_STD_FUNCTION_1(rint)
LANEFOLD_DETAIL_STD_FUNCTION_1(isnan)
LANEFOLD_DETAIL_STD_FUNCTION_1(isinf)
LANEFOLD_DETAIL_STD_FUNCTION_1(isfinite)
LANEFOLD_DETAIL_STD_FUNCTION_2(pow)
LANEFOLD_DETAIL_STD_FUNCTION_2(fmod)
LANEFOLD_DETAIL_STD_FUNCTION_2(atan2)
LANEFOLD_DETAIL_STD_FUNCTION_2(hypot)
LANEFOLD_DETAIL_STD_FUNCTION_2(fmin)
LANEFOLD_DETAIL_STD_FUNCTION_2(fmax)
LANEFOLD_DETAIL_STD_FUNCTION_2(copysign)
} // namespace std
// NOLINTEND(cert-dcl58-cpp)

#undef LANEFOLD_DETAIL_STD_FUNCTION_2
#undef LANEFOLD_DETAIL_STD_FUNCTION_1
#undef LANEFOLD_DETAIL_STD_MESSAGE
