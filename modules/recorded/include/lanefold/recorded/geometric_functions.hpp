// SPDX-License-Identifier: Apache-2.0
/// Geometric functions of recorded vectors, by their elements. See memory/geometric_functions.hpp. [sycl.4.17.8]
#pragma once

#include <lanefold/memory/geometric_functions.hpp>
#include <lanefold/recorded/vec.hpp>

#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Are vectors and numbers, of which one is recorded: a number is a vector of one element.
template <class... X>
concept RecordedCoordinates = RecordedVecOperands<X...> || RecordedOperands<X...>;

} // namespace detail

template <class X, class Y>
  requires detail::RecordedOperands<X, Y>
auto dot(const X& x, const Y& y) {
  using T = detail::recorded_common_real_t<X, Y>;
  return detail::recorded_operand_as<T>(x, y) * detail::recorded_operand_as<T>(y, x);
}
template <class X, class Y>
  requires detail::RecordedVecOperands<X, Y>
auto dot(const X& x, const Y& y) {
  using V = detail::vec_of_operands_t<X, Y>;
  detail::recorder& r = detail::recorder_of_vecs(x, y);
  const auto products = x * y;
  detail::node_number sum = products.parts()[0];
  for (std::size_t k = 1; k < detail::recorded_parts<V>::count; ++k) {
    using T = detail::element_of_vec_t<V>;
    sum = (recorded_value<T>(r, sum) + recorded_value<T>(r, products.parts()[k])).node();
  }
  return recorded_value<detail::element_of_vec_t<V>>(r, sum);
}
template <detail::RecordedOperand X>
auto length(const X& x) {
  return lanefold::fabs(x);
}
/// The square root of dot(x, x), as of varyings without care for the range of the type.
template <detail::RecordedVec X>
auto length(const X& x) {
  return lanefold::sqrt(lanefold::dot(x, x));
}
template <class X, class Y>
  requires detail::RecordedCoordinates<X, Y>
auto distance(const X& x, const Y& y) {
  return lanefold::length(x - y);
}
template <detail::RecordedCoordinates X>
auto normalize(const X& x) {
  const auto size = lanefold::length(x);
  using T = detail::recorded_element_t<decltype(size)>;
  return x / lanefold::select(size == T(0), T(1), size);
}
template <detail::RecordedCoordinates X>
auto fast_length(const X& x) {
  return lanefold::length(x);
}
template <class X, class Y>
  requires detail::RecordedCoordinates<X, Y>
auto fast_distance(const X& x, const Y& y) {
  return lanefold::length(x - y);
}
template <detail::RecordedCoordinates X>
auto fast_normalize(const X& x) {
  const auto square = lanefold::dot(x, x);
  using T = detail::recorded_element_t<decltype(square)>;
  return x * lanefold::rsqrt(lanefold::select(square == T(0), T(1), square));
}

/// Takes vectors of three or four elements; the fourth becomes 0.
template <class X, class Y>
  requires detail::RecordedVecOperands<X, Y>
auto cross(const X& x, const Y& y) {
  using V = detail::vec_of_operands_t<X, Y>;
  using T = detail::element_of_vec_t<V>;
  constexpr int size = detail::element_of_vec<V>::size;
  static_assert(size == 3 || size == 4, "lanefold: cross takes vectors of three or four elements");
  detail::recorder& r = detail::recorder_of_vecs(x, y);
  const auto a = detail::parts_of<V>(r, x), b = detail::parts_of<V>(r, y);
  return recorded_value<V>(r, detail::make_parts<V>([&](std::size_t k) {
                             if (k == 3) {
                               return r.literal(detail::recorded_type_of<T>(), detail::recorder::bits_of(T(0)));
                             }
                             const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
                             const auto value = [&](const auto& parts, std::size_t at) {
                               return recorded_value<T>(r, parts[at]);
                             };
                             return detail::node_as<T>(r, value(a, i) * value(b, j) - value(a, j) * value(b, i));
                           }));
}

LANEFOLD_END_NAMESPACE
