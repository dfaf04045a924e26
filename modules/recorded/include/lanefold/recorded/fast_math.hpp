// SPDX-License-Identifier: Apache-2.0
/// Functions of recorded values that may be less exact: OpenCL C's native_ and half_ ones. See
/// memory/math_functions.hpp. [sycl.4.17.5]
#pragma once

#include <lanefold/memory/math_functions.hpp>
#include <lanefold/recorded/math.hpp>

#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

// native_sin of float; other types have no faster functions.
#define LANEFOLD_RECORDED_FAST_1(prefix, space, name)                                                                  \
  template <detail::RecordedOperand X>                                                                                 \
  auto name(const X& x) {                                                                                              \
    using T = detail::recorded_common_real_t<X>;                                                                       \
    return detail::recorded_call<T, T>(std::is_same_v<T, float> ? #prefix "_" #name : #name, x);                       \
  }                                                                                                                    \
  LANEFOLD_DETAIL_RECORDED_OF_VECS_IN(space, name)
#define LANEFOLD_RECORDED_FAST_FUNCTIONS(prefix, space)                                                                \
  LANEFOLD_RECORDED_FAST_1(prefix, space, cos)                                                                         \
  LANEFOLD_RECORDED_FAST_1(prefix, space, exp)                                                                         \
  LANEFOLD_RECORDED_FAST_1(prefix, space, exp10)                                                                       \
  LANEFOLD_RECORDED_FAST_1(prefix, space, exp2)                                                                        \
  LANEFOLD_RECORDED_FAST_1(prefix, space, log)                                                                         \
  LANEFOLD_RECORDED_FAST_1(prefix, space, log10)                                                                       \
  LANEFOLD_RECORDED_FAST_1(prefix, space, log2)                                                                        \
  LANEFOLD_RECORDED_FAST_1(prefix, space, rsqrt)                                                                       \
  LANEFOLD_RECORDED_FAST_1(prefix, space, sin)                                                                         \
  LANEFOLD_RECORDED_FAST_1(prefix, space, sqrt)                                                                        \
  LANEFOLD_RECORDED_FAST_1(prefix, space, tan)                                                                         \
  template <detail::RecordedOperand X>                                                                                 \
  auto recip(const X& x) {                                                                                             \
    using T = detail::recorded_common_real_t<X>;                                                                       \
    if constexpr (std::is_same_v<T, float>) {                                                                          \
      return detail::recorded_call<T, T>(#prefix "_recip", x);                                                         \
    } else {                                                                                                           \
      return T(1) / lanefold::convert<T>(x);                                                                           \
    }                                                                                                                  \
  }                                                                                                                    \
  LANEFOLD_DETAIL_RECORDED_OF_VECS_IN(space, recip)                                                                    \
  template <class X, class Y>                                                                                          \
    requires detail::RecordedOperands<X, Y>                                                                            \
  auto divide(const X& x, const Y& y) {                                                                                \
    using T = detail::recorded_common_real_t<X, Y>;                                                                    \
    if constexpr (std::is_same_v<T, float>) {                                                                          \
      return detail::recorded_call<T, T>(#prefix "_divide", x, y);                                                     \
    } else {                                                                                                           \
      return detail::recorded_operand_as<T>(x, y) / detail::recorded_operand_as<T>(y, x);                              \
    }                                                                                                                  \
  }                                                                                                                    \
  LANEFOLD_DETAIL_RECORDED_OF_VECS_IN(space, divide)                                                                   \
  template <class X, class Y>                                                                                          \
    requires detail::RecordedOperands<X, Y>                                                                            \
  auto powr(const X& x, const Y& y) {                                                                                  \
    using T = detail::recorded_common_real_t<X, Y>;                                                                    \
    return detail::recorded_call<T, T>(std::is_same_v<T, float> ? #prefix "_powr" : "powr", x, y);                     \
  }                                                                                                                    \
  LANEFOLD_DETAIL_RECORDED_OF_VECS_IN(space, powr)

namespace native {
LANEFOLD_RECORDED_FAST_FUNCTIONS(native, native)
} // namespace native
namespace half_precision {
LANEFOLD_RECORDED_FAST_FUNCTIONS(half, half_precision)
} // namespace half_precision
#undef LANEFOLD_RECORDED_FAST_FUNCTIONS
#undef LANEFOLD_RECORDED_FAST_1

LANEFOLD_END_NAMESPACE
