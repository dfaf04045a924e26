// SPDX-License-Identifier: Apache-2.0
/// Loads and stores of a whole group as sycl_ext_oneapi_group_load_store spells them, in work-item kernels.
#pragma once

#include <lanefold/execution/kernel_properties.hpp>
#include <lanefold/group_algorithms/load_store.hpp>
#include <lanefold/memory/vec.hpp>

#include <cstddef>
#include <span>

LANEFOLD_BEGIN_NAMESPACE
namespace ext::oneapi::experimental {

/// Says which elements a work-item gets: neighbours (blocked, the default), or every one that is a group's size behind
/// the one before (striped).
template <lanefold::data_placement>
struct data_placement_property : lanefold::detail::launch_property {};
inline constexpr data_placement_property<lanefold::data_placement::blocked> data_placement_blocked;
inline constexpr data_placement_property<lanefold::data_placement::striped> data_placement_striped;

// Promises of the program, of which nothing follows here.
struct contiguous_memory_property : lanefold::detail::launch_property {};
inline constexpr contiguous_memory_property contiguous_memory;
struct full_group_property : lanefold::detail::launch_property {};
inline constexpr full_group_property full_group;
template <int Bytes>
struct alignment_property : lanefold::detail::launch_property {};
template <int Bytes>
inline constexpr alignment_property<Bytes> alignment;

} // namespace ext::oneapi::experimental

namespace detail {

/// Calls `f(j, index of the element)` for the N elements of the calling work-item.
template <std::size_t N, class Properties, class G, class F>
LANEFOLD_ALWAYS_INLINE void for_own_elements(const G& g, F f) {
  static_assert(!has_lanes_v<G>, "lanefold: group_load of values in references is for work-item kernels");
  static_assert(N != std::dynamic_extent,
                "lanefold: the span of group_load and group_store has a size known at compile time");
  check_converged(g);
  constexpr bool striped =
      Properties::template has<ext::oneapi::experimental::data_placement_property<lanefold::data_placement::striped>>;
  const std::size_t item = g.get_local_linear_id();
  const std::size_t size = g.get_local_linear_range();
  for (std::size_t j = 0; j < N; ++j) {
    f(j, striped ? j * size + item : item * N + j);
  }
}

} // namespace detail

namespace ext::oneapi::experimental {

/// Each work-item gets one element of `from`, that of its place in the group, or N in a span or a vec. `from` is
/// uniform, an iterator or a pointer. To be called by all work-items of the group; no barrier.
template <class G, class From, class T, class Properties = empty_properties_t>
  requires(is_property_list_v<Properties>)
LANEFOLD_ALWAYS_INLINE void group_load(G g, From from, T& value, Properties = {}) {
  lanefold::detail::for_own_elements<1, Properties>(g, [&](std::size_t, std::size_t i) { value = from[i]; });
}
template <class G, class From, class T, std::size_t N, class Properties = empty_properties_t>
  requires(is_property_list_v<Properties>)
LANEFOLD_ALWAYS_INLINE void group_load(G g, From from, std::span<T, N> values, Properties = {}) {
  lanefold::detail::for_own_elements<N, Properties>(g, [&](std::size_t j, std::size_t i) { values[j] = from[i]; });
}
template <class G, class From, class T, int N, class Properties = empty_properties_t>
  requires(is_property_list_v<Properties>)
LANEFOLD_ALWAYS_INLINE void group_load(G g, From from, vec<T, N>& values, Properties = {}) {
  lanefold::detail::for_own_elements<N, Properties>(
      g, [&](std::size_t j, std::size_t i) { values[static_cast<int>(j)] = from[i]; });
}

/// Stores what group_load loads.
template <class G, class T, class To, class Properties = empty_properties_t>
  requires(is_property_list_v<Properties>)
LANEFOLD_ALWAYS_INLINE void group_store(G g, const T& value, To to, Properties = {}) {
  lanefold::detail::for_own_elements<1, Properties>(g, [&](std::size_t, std::size_t i) { to[i] = value; });
}
template <class G, class T, std::size_t N, class To, class Properties = empty_properties_t>
  requires(is_property_list_v<Properties>)
LANEFOLD_ALWAYS_INLINE void group_store(G g, std::span<T, N> values, To to, Properties = {}) {
  lanefold::detail::for_own_elements<N, Properties>(g, [&](std::size_t j, std::size_t i) { to[i] = values[j]; });
}
template <class G, class T, int N, class To, class Properties = empty_properties_t>
  requires(is_property_list_v<Properties>)
LANEFOLD_ALWAYS_INLINE void group_store(G g, const vec<T, N>& values, To to, Properties = {}) {
  lanefold::detail::for_own_elements<N, Properties>(
      g, [&](std::size_t j, std::size_t i) { to[i] = values[static_cast<int>(j)]; });
}

} // namespace ext::oneapi::experimental
LANEFOLD_END_NAMESPACE
