// SPDX-License-Identifier: Apache-2.0
/// Operators of recorded vectors: element by element, as those of vec.
#pragma once

#include <lanefold/memory/make_vec.hpp>
#include <lanefold/recorded/math.hpp>

LANEFOLD_BEGIN_NAMESPACE

#define LANEFOLD_RECORDED_OPERATOR(op)                                                                                 \
  template <class A, class B>                                                                                          \
    requires detail::RecordedVecOperands<A, B>                                                                         \
  auto operator op(const A& a, const B& b) {                                                                           \
    using T = detail::element_of_vec_t<detail::vec_of_operands_t<A, B>>;                                               \
    return detail::recorded_by_element_as<T>([](const auto& x, const auto& y) { return x op y; }, a, b);               \
  }
LANEFOLD_RECORDED_OPERATOR(+)
LANEFOLD_RECORDED_OPERATOR(-)
LANEFOLD_RECORDED_OPERATOR(*)
LANEFOLD_RECORDED_OPERATOR(/)
LANEFOLD_RECORDED_OPERATOR(%)
LANEFOLD_RECORDED_OPERATOR(&)
LANEFOLD_RECORDED_OPERATOR(|)
LANEFOLD_RECORDED_OPERATOR(^)
LANEFOLD_RECORDED_OPERATOR(<<)
LANEFOLD_RECORDED_OPERATOR(>>)
#undef LANEFOLD_RECORDED_OPERATOR

// Comparisons give -1 where they hold, else 0.
#define LANEFOLD_RECORDED_OPERATOR(op)                                                                                 \
  template <class A, class B>                                                                                          \
    requires detail::RecordedVecOperands<A, B>                                                                         \
  auto operator op(const A& a, const B& b) {                                                                           \
    return detail::recorded_by_element([](const auto& x, const auto& y) { return x op y; }, a, b);                     \
  }
LANEFOLD_RECORDED_OPERATOR(==)
LANEFOLD_RECORDED_OPERATOR(!=)
LANEFOLD_RECORDED_OPERATOR(<)
LANEFOLD_RECORDED_OPERATOR(<=)
LANEFOLD_RECORDED_OPERATOR(>)
LANEFOLD_RECORDED_OPERATOR(>=)
#undef LANEFOLD_RECORDED_OPERATOR

#define LANEFOLD_RECORDED_OPERATOR(op)                                                                                 \
  template <detail::RecordedVec A>                                                                                     \
  auto operator op(const A& a) {                                                                                       \
    using T = detail::element_of_vec_t<detail::composite_of<A>>;                                                       \
    return detail::recorded_by_element_as<T>([](const auto& x) { return op x; }, a);                                   \
  }
LANEFOLD_RECORDED_OPERATOR(-)
LANEFOLD_RECORDED_OPERATOR(+)
LANEFOLD_RECORDED_OPERATOR(~)
#undef LANEFOLD_RECORDED_OPERATOR

/// The vec of elements of which at least one is recorded.
template <class... X>
  requires detail::RecordedOperands<X...>
auto make_vec(const X&... x) {
  using T = detail::recorded_common_t<X...>;
  using V = vec<T, static_cast<int>(sizeof...(X))>;
  detail::recorder& r = detail::recorder_of(x...);
  return recorded_value<V>(r, detail::part_nodes<V>{detail::node_as<T>(r, x)...});
}

LANEFOLD_END_NAMESPACE
