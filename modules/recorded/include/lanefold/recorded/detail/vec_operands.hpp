// SPDX-License-Identifier: Apache-2.0
/// Applies what recorded numbers can do to the elements of recorded vectors.
#pragma once

#include <lanefold/recorded/composite.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

template <class V>
struct element_of_vec;
template <class T, int M>
struct element_of_vec<vec<T, M>> {
  using type = T;
  static constexpr int size = M;
};
template <class V>
using element_of_vec_t = typename element_of_vec<V>::type;

/// The plain type of the first operand that is a recorded vec.
template <class... X>
struct vec_of_operands {
  using type = void;
};
template <class X, class... Rest>
struct vec_of_operands<X, Rest...> : vec_of_operands<Rest...> {};
template <RecordedVec X, class... Rest>
struct vec_of_operands<X, Rest...> {
  using type = composite_of<X>;
};
template <class... X>
using vec_of_operands_t = typename vec_of_operands<X...>::type;

/// Are operands of which at least one is a recorded vec; the others are vecs of its type, or numbers for all elements.
template <class... X>
concept RecordedVecOperands =
    (RecordedVec<X> || ...) &&
    ((std::is_same_v<composite_of<X>, vec_of_operands_t<X...>> || RecordableOperand<X>) && ...);

template <class X, class... Rest>
recorder& recorder_of_vecs(const X& x, const Rest&... rest) {
  if constexpr (RecordedVec<X>) {
    return x.its_recorder();
  } else {
    return detail::recorder_of_vecs(rest...);
  }
}

/// Element k of an operand, as a value of the vec's element type.
template <class V, class X>
recorded_value<element_of_vec_t<V>> vec_operand(recorder& r, const X& x, std::size_t k) {
  if constexpr (RecordableOperand<X>) {
    return {r, node_as<element_of_vec_t<V>>(r, x)};
  } else {
    return {r, parts_of<V>(r, x)[k]};
  }
}

/// f of the elements, in a vec of To.
template <class To, class F, class... X>
auto recorded_by_element_as(F f, const X&... x) {
  using V = vec_of_operands_t<X...>;
  using R = vec<To, element_of_vec<V>::size>;
  recorder& r = detail::recorder_of_vecs(x...);
  return recorded_value<R>(
      r, make_parts<R>([&](std::size_t k) { return node_as<To>(r, f(detail::vec_operand<V>(r, x, k)...)); }));
}
template <class T, class>
using always = T;
/// f of the elements; of conditions -1 where they hold, else 0, as in every vec.
template <class F, class... X>
auto recorded_by_element(F f, const X&... x) {
  using T = element_of_vec_t<vec_of_operands_t<X...>>;
  using Result = recorded_element_t<decltype(f(std::declval<always<recorded_value<T>, X>>()...))>;
  if constexpr (std::is_same_v<Result, bool>) {
    using Flag = vec_flag_t<T>;
    return detail::recorded_by_element_as<Flag>(
        [&](const auto&... each) { return lanefold::select(f(each...), Flag(-1), Flag(0)); }, x...);
  } else {
    return detail::recorded_by_element_as<Result>(f, x...);
  }
}

/// The number of elements of an operand, 0 of a number.
template <class X>
constexpr int size_of_operand() {
  if constexpr (is_plain_vec<composite_of<X>>) {
    return element_of_vec<composite_of<X>>::size;
  } else {
    return 0;
  }
}
/// Are operands of which at least one is a recorded vec; the others are vecs of as many elements, of any type, or
/// numbers for all elements.
template <class... X>
concept RecordedVecsOfOneSize =
    (RecordedVec<X> || ...) &&
    ((size_of_operand<X>() == size_of_operand<vec_of_operands_t<X...>>() || RecordableOperand<X>) && ...);

/// Element k of a vec, a number as it is.
template <class X>
decltype(auto) element_as_given(recorder& r, const X& x, std::size_t k) {
  if constexpr (RecordableOperand<X>) {
    return (x);
  } else {
    return recorded_value<element_of_vec_t<composite_of<X>>>(r, parts_of<composite_of<X>>(r, x)[k]);
  }
}
/// f of the elements as they are, each of its own type.
template <class F, class... X>
auto recorded_by_element_as_given(F f, const X&... x) {
  using V = vec_of_operands_t<X...>;
  recorder& r = detail::recorder_of_vecs(x...);
  const auto at = [&](std::size_t k) { return f(element_as_given(r, x, k)...); };
  using Result = recorded_element_t<decltype(at(0))>;
  using R = vec<Result, element_of_vec<V>::size>;
  return recorded_value<R>(r, make_parts<R>([&](std::size_t k) { return node_as<Result>(r, at(k)); }));
}

} // namespace detail
LANEFOLD_END_NAMESPACE

/// The function of vectors, element by element; numbers beside them count for all elements, as of their type.
#define LANEFOLD_DETAIL_RECORDED_OF_VECS_IN(space, name)                                                               \
  template <class... X>                                                                                                \
    requires detail::RecordedVecOperands<X...>                                                                         \
  auto name(const X&... x) {                                                                                           \
    return detail::recorded_by_element([](const auto&... each) { return space::name(each...); }, x...);                \
  }
#define LANEFOLD_DETAIL_RECORDED_OF_VECS(name) LANEFOLD_DETAIL_RECORDED_OF_VECS_IN(lanefold, name)
/// The function of vectors whose elements have different types, and of numbers beside them.
#define LANEFOLD_DETAIL_RECORDED_OF_VECS_AS_GIVEN(name)                                                                \
  template <class... X>                                                                                                \
    requires detail::RecordedVecsOfOneSize<X...>                                                                       \
  auto name(const X&... x) {                                                                                           \
    return detail::recorded_by_element_as_given([](const auto&... each) { return lanefold::name(each...); }, x...);    \
  }
