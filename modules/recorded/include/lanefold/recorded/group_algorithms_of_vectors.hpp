// SPDX-License-Identifier: Apache-2.0
/// Group algorithms of recorded kernels on vectors, element by element, and on structs, which are moved in words.
#pragma once

#include <lanefold/recorded/composite.hpp>
#include <lanefold/recorded/group_algorithms.hpp>

#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Is a vec, plain or recorded.
template <class X>
concept GroupVec = is_plain_vec<composite_of<X>>;
/// Is a vec or a struct, plain or recorded, that work-items exchange.
template <class X>
concept GroupComposite = RecordedComposite<X> || RecordableComposite<X>;

/// Goes element by element, as the same operator does on vec.
template <class Op>
constexpr bool is_operator_of_elements() {
  constexpr const char* name = recorded_operator_name<Op>;
  if constexpr (name == nullptr) {
    return false;
  } else {
    return std::string_view(name).substr(0, 8) != "logical_";
  }
}

/// f of each part of the operands, which are composites of one type.
template <class G, class F, class X, class... Rest>
auto recorded_by_part(const G& g, F f, const X& x, const Rest&... rest) {
  using C = composite_of<X>;
  static_assert((std::is_same_v<composite_of<Rest>, C> && ...),
                "lanefold: the vectors of a group algorithm are of one type");
  using P = recorded_part_t<C>;
  recorder& r = g.its_recorder();
  const std::tuple parts(parts_of<C>(r, x), parts_of<C>(r, rest)...);
  return recorded_value<C>(
      r, make_parts<C>([&](std::size_t k) {
        return std::apply([&](const auto&... each) { return f(recorded_value<P>(r, each[k])...).node(); }, parts);
      }));
}

} // namespace detail

#define LANEFOLD_RECORDED_ELEMENTS(Op)                                                                                 \
  static_assert(detail::is_operator_of_elements<Op>(),                                                                 \
                "lanefold: on vectors, group algorithms of recorded kernels take plus, multiplies, minimum, maximum, " \
                "bit_and, bit_or and bit_xor; with other operators call them for each element, x[0], x[1]")

template <algorithm A = algorithm::automatic, detail::RecordedGroup G, detail::GroupVec T, class BinaryOperation>
auto reduce_over_group(const G& g, const T& x, BinaryOperation op) {
  LANEFOLD_RECORDED_ELEMENTS(BinaryOperation);
  return detail::recorded_by_part(g, [&](const auto& e) { return lanefold::reduce_over_group<A>(g, e, op); }, x);
}
template <algorithm A = algorithm::automatic, detail::RecordedGroup G, detail::GroupVec V, class T,
          class BinaryOperation>
auto reduce_over_group(const G& g, const V& x, T init, BinaryOperation op) {
  LANEFOLD_RECORDED_ELEMENTS(BinaryOperation);
  return detail::recorded_by_part(
      g, [&](const auto& e, const auto& first) { return lanefold::reduce_over_group<A>(g, e, first, op); }, x, init);
}
template <algorithm A = algorithm::automatic, detail::RecordedGroup G, detail::GroupVec T, class BinaryOperation>
auto inclusive_scan_over_group(const G& g, const T& x, BinaryOperation op) {
  LANEFOLD_RECORDED_ELEMENTS(BinaryOperation);
  return detail::recorded_by_part(
      g, [&](const auto& e) { return lanefold::inclusive_scan_over_group<A>(g, e, op); }, x);
}
template <algorithm A = algorithm::automatic, detail::RecordedGroup G, detail::GroupVec T, class BinaryOperation>
auto exclusive_scan_over_group(const G& g, const T& x, BinaryOperation op) {
  LANEFOLD_RECORDED_ELEMENTS(BinaryOperation);
  return detail::recorded_by_part(
      g, [&](const auto& e) { return lanefold::exclusive_scan_over_group<A>(g, e, op); }, x);
}
template <algorithm A = algorithm::automatic, detail::RecordedGroup G, detail::GroupVec V, class BinaryOperation,
          class T>
auto inclusive_scan_over_group(const G& g, const V& x, BinaryOperation op, T init) {
  LANEFOLD_RECORDED_ELEMENTS(BinaryOperation);
  return detail::recorded_by_part(
      g, [&](const auto& e, const auto& first) { return lanefold::inclusive_scan_over_group<A>(g, e, op, first); }, x,
      init);
}
template <algorithm A = algorithm::automatic, detail::RecordedGroup G, detail::GroupVec V, class T,
          class BinaryOperation>
auto exclusive_scan_over_group(const G& g, const V& x, T init, BinaryOperation op) {
  LANEFOLD_RECORDED_ELEMENTS(BinaryOperation);
  return detail::recorded_by_part(
      g, [&](const auto& e, const auto& first) { return lanefold::exclusive_scan_over_group<A>(g, e, first, op); }, x,
      init);
}
#undef LANEFOLD_RECORDED_ELEMENTS

template <detail::RecordedGroup G, detail::GroupComposite T>
auto group_broadcast(const G& g, const T& x) {
  return detail::recorded_by_part(g, [&](const auto& part) { return lanefold::group_broadcast(g, part); }, x);
}
#define LANEFOLD_RECORDED_EXCHANGE(name, Kind, ...)                                                                    \
  template <detail::Kind G, detail::GroupComposite T>                                                                  \
  auto name(const G& g, const T& x, typename G::linear_id_type position __VA_ARGS__) {                                 \
    return detail::recorded_by_part(g, [&](const auto& part) { return lanefold::name(g, part, position); }, x);        \
  }                                                                                                                    \
  template <detail::Kind G, detail::GroupComposite T, detail::RecordedOperand Position>                                \
  auto name(const G& g, const T& x, const Position& position) {                                                        \
    return detail::recorded_by_part(g, [&](const auto& part) { return lanefold::name(g, part, position); }, x);        \
  }
LANEFOLD_RECORDED_EXCHANGE(group_broadcast, RecordedGroup)
LANEFOLD_RECORDED_EXCHANGE(shift_group_left, RecordedSubGroup, = 1)
LANEFOLD_RECORDED_EXCHANGE(shift_group_right, RecordedSubGroup, = 1)
LANEFOLD_RECORDED_EXCHANGE(permute_group_by_xor, RecordedSubGroup)
#undef LANEFOLD_RECORDED_EXCHANGE

template <detail::RecordedSubGroup G, detail::GroupComposite T, class Position>
auto select_from_group(const G& g, const T& x, const Position& remote_local_id) {
  return detail::recorded_by_part(
      g, [&](const auto& part) { return lanefold::select_from_group(g, part, remote_local_id); }, x);
}

LANEFOLD_END_NAMESPACE
