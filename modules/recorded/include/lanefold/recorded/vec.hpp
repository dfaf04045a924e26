// SPDX-License-Identifier: Apache-2.0
/// Operators of recorded vectors: element by element, as those of vec.
#pragma once

#include <lanefold/memory/make_vec.hpp>
#include <lanefold/recorded/composite.hpp>
#include <lanefold/recorded/math.hpp>

#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

template <class V>
struct element_of_vec;
template <class T, int M>
struct element_of_vec<vec<T, M>> {
  using type = T;
  static constexpr int size = M;
};

/// Is what stands beside a recorded V in an operator: a vec of its type, or a number for all elements.
template <class X, class V>
concept BesideRecordedVec = std::is_same_v<composite_of<X>, V> || RecordableOperand<X>;

/// Element k of an operand, as a value of T.
template <class T, class V, class X>
recorded_value<T> vec_operand(recorder& r, const X& x, std::size_t k) {
  if constexpr (RecordableOperand<X>) {
    return {r, node_as<T>(r, x)};
  } else {
    return {r, parts_of<V>(r, x)[k]};
  }
}

template <class A, class B>
struct vec_of_operands {
  using type = composite_of<B>;
};
template <RecordedVec A, class B>
struct vec_of_operands<A, B> {
  using type = composite_of<A>;
};

/// f of the elements, which gives values of To.
template <class V, class To, class A, class B, class F>
auto recorded_by_element(const A& a, const B& b, F f) {
  using T = typename element_of_vec<V>::type;
  using R = vec<To, element_of_vec<V>::size>;
  recorder* r = nullptr;
  if constexpr (RecordedVec<A>) {
    r = &a.its_recorder();
  } else {
    r = &b.its_recorder();
  }
  return recorded_value<R>(*r, make_parts<R>([&](std::size_t k) {
    return node_as<To>(*r, f(vec_operand<T, V>(*r, a, k), vec_operand<T, V>(*r, b, k)));
  }));
}

/// Are operands of which at least one is a recorded vec, and the other one fits.
template <class A, class B>
concept RecordedVecOperands = (RecordedVec<A> && BesideRecordedVec<B, composite_of<A>>) ||
                              (RecordedVec<B> && BesideRecordedVec<A, composite_of<B>>);

} // namespace detail

#define LANEFOLD_RECORDED_OPERATOR(op)                                                                                 \
  template <class A, class B>                                                                                          \
    requires detail::RecordedVecOperands<A, B>                                                                         \
  auto operator op(const A& a, const B& b) {                                                                           \
    using V = typename detail::vec_of_operands<A, B>::type;                                                            \
    return detail::recorded_by_element<V, typename detail::element_of_vec<V>::type>(                                   \
        a, b, [](const auto& x, const auto& y) { return x op y; });                                                    \
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
    using V = typename detail::vec_of_operands<A, B>::type;                                                            \
    using F = detail::vec_flag_t<typename detail::element_of_vec<V>::type>;                                            \
    return detail::recorded_by_element<V, F>(                                                                          \
        a, b, [](const auto& x, const auto& y) { return lanefold::select(x op y, F(-1), F(0)); });                     \
  }
LANEFOLD_RECORDED_OPERATOR(==)
LANEFOLD_RECORDED_OPERATOR(!=)
LANEFOLD_RECORDED_OPERATOR(<)
LANEFOLD_RECORDED_OPERATOR(<=)
LANEFOLD_RECORDED_OPERATOR(>)
LANEFOLD_RECORDED_OPERATOR(>=)
#undef LANEFOLD_RECORDED_OPERATOR

template <detail::RecordedVec A>
auto operator-(const A& a) {
  using V = detail::composite_of<A>;
  return detail::recorded_by_element<V, typename detail::element_of_vec<V>::type>(
      a, a, [](const auto& x, const auto&) { return -x; });
}

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
