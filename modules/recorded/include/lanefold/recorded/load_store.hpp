// SPDX-License-Identifier: Apache-2.0
/// Several elements for each work-item of a group of a recorded kernel. See group_algorithms/load_store.hpp.
#pragma once

#include <lanefold/group_algorithms/load_store.hpp>
#include <lanefold/recorded/joint_algorithms.hpp>

#include <array>
#include <cstddef>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The index of element j of k of each work-item, where the group's elements begin at `first`.
template <data_placement Placement, class G, class First>
auto recorded_own_index(const G& g, const First& first, std::size_t j, std::size_t k) {
  recorder& r = g.its_recorder();
  const auto item = recorded_as<std::size_t>(r, g.get_local_linear_id());
  const auto size = recorded_as<std::size_t>(r, g.get_local_linear_range());
  return dealt_index<Placement>(item, size, j, k) + first;
}

/// An element as a value, which does not change when the element does.
template <class P, class I>
auto value_behind(const P& p, const I& i) {
  using T = pointed_t<P>;
  return recorded_value<T>(element_behind(p, i));
}

template <data_placement Placement, class G, class P, class First, std::size_t... J>
auto load_recorded(const G& g, const P& p, const First& first, std::index_sequence<J...>) {
  constexpr std::size_t k = sizeof...(J);
  return std::array<recorded_value<pointed_t<P>>, k>{value_behind(p, recorded_own_index<Placement>(g, first, J, k))...};
}

template <data_placement Placement, class G, class V, std::size_t K, class P, class First>
void store_recorded(const G& g, const std::array<V, K>& values, const P& p, const First& first) {
  for (std::size_t j = 0; j < K; ++j) {
    element_behind(p, recorded_own_index<Placement>(g, first, j, K)) = values[j];
  }
}

} // namespace detail

// `p` is a pointer, or an address that work-items compute; `first` is plain or recorded.

template <std::size_t K, data_placement Placement = data_placement::blocked, detail::RecordedGroup G, class T,
          class First = std::size_t>
auto group_load(const G& g, const T* p, const First& first = 0) {
  return detail::load_recorded<Placement>(g, p, first, std::make_index_sequence<K>{});
}
template <std::size_t K, data_placement Placement = data_placement::blocked, detail::RecordedGroup G, class T,
          class First = std::size_t>
auto group_load(const G& g, const recorded_address<T>& p, const First& first = 0) {
  return detail::load_recorded<Placement>(g, p, first, std::make_index_sequence<K>{});
}

template <data_placement Placement = data_placement::blocked, detail::RecordedGroup G, class V, std::size_t K, class T,
          class First = std::size_t>
void group_store(const G& g, const std::array<V, K>& values, T* p, const First& first = 0) {
  detail::store_recorded<Placement>(g, values, p, first);
}
template <data_placement Placement = data_placement::blocked, detail::RecordedGroup G, class V, std::size_t K, class T,
          class First = std::size_t>
void group_store(const G& g, const std::array<V, K>& values, const recorded_address<T>& p, const First& first = 0) {
  detail::store_recorded<Placement>(g, values, p, first);
}

/// Does the same for private memory of a scoped group.
template <data_placement Placement = data_placement::blocked, detail::RecordedScopedGroup G, class T,
          detail::ValuesOf<G> Memory>
void group_load(const G& g, const T* p, Memory& values) {
  values.own() = detail::load_recorded<Placement>(detail::converged_group(g, "group_load"), p, 0,
                                                  std::make_index_sequence<1>{})[0];
}
template <data_placement Placement = data_placement::blocked, detail::RecordedScopedGroup G, detail::ValuesOf<G> Memory,
          class T>
void group_store(const G& g, const Memory& values, T* p) {
  using V = typename Memory::value_type;
  const auto whole = detail::converged_group(g, "group_store");
  const bool could_store = g.record().allow_stores(true);
  detail::store_recorded<Placement>(whole, std::array<recorded_value<V>, 1>{recorded_value<V>(values.own())}, p, 0);
  g.record().allow_stores(could_store);
}

LANEFOLD_END_NAMESPACE
