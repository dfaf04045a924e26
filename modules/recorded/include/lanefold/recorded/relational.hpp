// SPDX-License-Identifier: Apache-2.0
/// Relational functions of recorded values: their answers are conditions.
///
/// Integers count as double, and mixed arguments are converted to the type that they have in common. Of vectors they
/// are vectors of -1, where the relation holds, and 0. [sycl.4.17.9]
#pragma once

#include <lanefold/memory/relational_functions.hpp>
#include <lanefold/recorded/math.hpp>

LANEFOLD_BEGIN_NAMESPACE

#define LANEFOLD_RECORDED_TEST(name)                                                                                   \
  template <detail::RecordedOperand X>                                                                                 \
  recorded_value<bool> name(const X& x) {                                                                              \
    return detail::recorded_call<bool, detail::recorded_common_real_t<X>>(#name, x);                                   \
  }                                                                                                                    \
  LANEFOLD_DETAIL_RECORDED_OF_VECS(name)
LANEFOLD_RECORDED_TEST(isfinite)
LANEFOLD_RECORDED_TEST(isinf)
LANEFOLD_RECORDED_TEST(isnan)
LANEFOLD_RECORDED_TEST(signbit)
#undef LANEFOLD_RECORDED_TEST

/// Is neither zero, denormal, infinite nor NaN.
template <detail::RecordedOperand X>
recorded_value<bool> isnormal(const X& x) {
  using T = detail::recorded_common_real_t<X>;
  if constexpr (std::is_same_v<T, half>) { // as a float every half but zero would be normal
    const auto size = lanefold::fabs(lanefold::convert<float>(x));
    return size >= 0x1p-14F && size <= 65504.F;
  } else {
    return detail::recorded_call<bool, T>("isnormal", x);
  }
}

#define LANEFOLD_RECORDED_RELATION(name)                                                                               \
  template <class X, class Y>                                                                                          \
    requires detail::RecordedOperands<X, Y>                                                                            \
  recorded_value<bool> name(const X& x, const Y& y) {                                                                  \
    return detail::recorded_call<bool, detail::recorded_common_real_t<X, Y>>(#name, x, y);                             \
  }                                                                                                                    \
  LANEFOLD_DETAIL_RECORDED_OF_VECS(name)
LANEFOLD_RECORDED_RELATION(isequal)
LANEFOLD_RECORDED_RELATION(isnotequal)
LANEFOLD_RECORDED_RELATION(isgreater)
LANEFOLD_RECORDED_RELATION(isgreaterequal)
LANEFOLD_RECORDED_RELATION(isless)
LANEFOLD_RECORDED_RELATION(islessequal)
LANEFOLD_RECORDED_RELATION(islessgreater)
LANEFOLD_RECORDED_RELATION(isordered)
LANEFOLD_RECORDED_RELATION(isunordered)
#undef LANEFOLD_RECORDED_RELATION
LANEFOLD_DETAIL_RECORDED_OF_VECS(isnormal)

/// SYCL's order of arguments: c ? b : a. For vectors c is one of integers of the same size, whose highest bits count.
template <class A, class B, class C>
  requires(detail::RecordedOperands<A, B, C> && detail::RecordedBools<C> && !detail::RecordedBools<A>)
auto select(const A& a, const B& b, const C& c) {
  return lanefold::select(c, b, a);
}
template <class A, class B, class C>
  requires(detail::RecordedVecsOfOneSize<A, B, C> && !detail::RecordedBools<A>)
auto select(const A& a, const B& b, const C& c) {
  return detail::recorded_by_element_as_given(
      [](const auto& x, const auto& y, const auto& flag) {
        if constexpr (detail::RecordedBools<decltype(flag)>) {
          return lanefold::select(flag, y, x);
        } else {
          using signed_flag = std::make_signed_t<detail::recorded_element_t<std::remove_cvref_t<decltype(flag)>>>;
          return lanefold::select(lanefold::convert<signed_flag>(flag) < signed_flag(0), y, x);
        }
      },
      a, b, c);
}

LANEFOLD_END_NAMESPACE
