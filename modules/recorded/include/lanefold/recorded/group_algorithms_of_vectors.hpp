// SPDX-License-Identifier: Apache-2.0
/// Group algorithms of recorded kernels on vectors and structs: on vectors element by element with the operators of the
/// library, else by exchanges of whole ones, which are moved in words.
#pragma once

#include <lanefold/recorded/composite.hpp>
#include <lanefold/recorded/detail/exchanges.hpp>
#include <lanefold/recorded/group_algorithms.hpp>

#include <string_view>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Goes element by element, as the same operator does on vec.
template <class X, class Op>
constexpr bool goes_by_elements() {
  constexpr const char* name = recorded_operator_name<Op>;
  if constexpr (name == nullptr || !is_plain_vec<composite_of<X>>) {
    return false;
  } else {
    return std::string_view(name).substr(0, 8) != "logical_";
  }
}

} // namespace detail

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

namespace detail {

/// The last work-item's value of an inclusive scan.
template <class G, class T, class Op>
auto reduced_by_exchanges(const G& g, const T& x, Op& op) {
  const exchanged_scan<composite_of<T>, Op> scan(g, "reduce_over_group", x, op);
  return lanefold::group_broadcast(g, scan.inclusive(), g.get_local_linear_range() - 1U);
}

} // namespace detail

template <algorithm A = algorithm::automatic, detail::RecordedGroup G, detail::GroupComposite T, class BinaryOperation>
auto reduce_over_group(const G& g, const T& x, BinaryOperation op) {
  if constexpr (detail::goes_by_elements<T, BinaryOperation>()) {
    return detail::recorded_by_part(g, [&](const auto& e) { return lanefold::reduce_over_group<A>(g, e, op); }, x);
  } else {
    return detail::reduced_by_exchanges(g, x, op);
  }
}
template <algorithm A = algorithm::automatic, detail::RecordedGroup G, detail::GroupComposite V, class T,
          class BinaryOperation>
auto reduce_over_group(const G& g, const V& x, T init, BinaryOperation op) {
  if constexpr (detail::goes_by_elements<V, BinaryOperation>()) {
    return detail::recorded_by_part(
        g, [&](const auto& e, const auto& first) { return lanefold::reduce_over_group<A>(g, e, first, op); }, x, init);
  } else {
    using C = detail::composite_of<V>;
    detail::recorder& r = g.its_recorder();
    const recorded_value<C> first(r, detail::parts_of<C>(r, init));
    return recorded_value<C>(op(first, detail::reduced_by_exchanges(g, x, op)));
  }
}
template <algorithm A = algorithm::automatic, detail::RecordedGroup G, detail::GroupComposite T, class BinaryOperation>
auto inclusive_scan_over_group(const G& g, const T& x, BinaryOperation op) {
  if constexpr (detail::goes_by_elements<T, BinaryOperation>()) {
    return detail::recorded_by_part(
        g, [&](const auto& e) { return lanefold::inclusive_scan_over_group<A>(g, e, op); }, x);
  } else {
    using scan = detail::exchanged_scan<detail::composite_of<T>, BinaryOperation>;
    return scan(g, "inclusive_scan_over_group", x, op).inclusive();
  }
}
template <algorithm A = algorithm::automatic, detail::RecordedGroup G, detail::GroupComposite T, class BinaryOperation>
auto exclusive_scan_over_group(const G& g, const T& x, BinaryOperation op) {
  static_assert(detail::goes_by_elements<T, BinaryOperation>(),
                "lanefold: exclusive_scan_over_group without init needs a known_identity of operator and type");
  return detail::recorded_by_part(
      g, [&](const auto& e) { return lanefold::exclusive_scan_over_group<A>(g, e, op); }, x);
}
template <algorithm A = algorithm::automatic, detail::RecordedGroup G, detail::GroupComposite V, class BinaryOperation,
          class T>
auto inclusive_scan_over_group(const G& g, const V& x, BinaryOperation op, T init) {
  if constexpr (detail::goes_by_elements<V, BinaryOperation>()) {
    return detail::recorded_by_part(
        g, [&](const auto& e, const auto& first) { return lanefold::inclusive_scan_over_group<A>(g, e, op, first); }, x,
        init);
  } else {
    using scan = detail::exchanged_scan<detail::composite_of<V>, BinaryOperation>;
    return scan(g, "inclusive_scan_over_group", x, op).inclusive(init);
  }
}
template <algorithm A = algorithm::automatic, detail::RecordedGroup G, detail::GroupComposite V, class T,
          class BinaryOperation>
auto exclusive_scan_over_group(const G& g, const V& x, T init, BinaryOperation op) {
  if constexpr (detail::goes_by_elements<V, BinaryOperation>()) {
    return detail::recorded_by_part(
        g, [&](const auto& e, const auto& first) { return lanefold::exclusive_scan_over_group<A>(g, e, first, op); }, x,
        init);
  } else {
    using scan = detail::exchanged_scan<detail::composite_of<V>, BinaryOperation>;
    return scan(g, "exclusive_scan_over_group", x, op).exclusive(init);
  }
}

LANEFOLD_END_NAMESPACE
