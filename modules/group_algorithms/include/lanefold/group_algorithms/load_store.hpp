// SPDX-License-Identifier: Apache-2.0
/// Several elements for each work-item of a group, moved together. Named after
/// sycl_ext_oneapi_group_load_store.
#pragma once

#include <lanefold/group_algorithms/detail/lane_values.hpp>
#include <lanefold/simd/reference.hpp>

#include <array>
#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE

/// Says how elements are dealt out to the n work-items of a group, k for each.
enum class data_placement {
  blocked, ///< work-item i has elements i k, i k + 1, …
  striped  ///< work-item i has elements i, i + n, i + 2 n, …: neighbours access neighbours
};

namespace detail {

/// The index of element j of the calling work-items: a lane index in lane-generic kernels.
template <data_placement Placement, class G>
LANEFOLD_ALWAYS_INLINE auto dealt_index(const G& g, std::size_t j, std::size_t k) {
  const auto item = g.get_local_linear_id();
  if constexpr (Placement == data_placement::blocked) {
    return item * k + j;
  } else {
    return item + j * g.get_local_linear_range();
  }
}

template <data_placement Placement, class G, class T, std::size_t... J>
LANEFOLD_ALWAYS_INLINE auto load_dealt(const G& g, const T* p, std::index_sequence<J...>) {
  constexpr std::size_t k = sizeof...(J);
  if constexpr (has_lanes_v<G>) {
    using V = varying_of<T, typename G::lanes>;
    return std::array<V, k>{V(element(p, dealt_index<Placement>(g, J, k)))...};
  } else {
    return std::array<T, k>{p[dealt_index<Placement>(g, J, k)]...};
  }
}

} // namespace detail

/// K elements for each work-item of the group from `p` on (uniform), as std::array: of varyings in lane-generic
/// kernels. To be called by all work-items of the group. No barrier. Cost: striped, K contiguous accesses; blocked, K
/// strided ones.
template <std::size_t K, data_placement Placement = data_placement::blocked, Group G, class T>
LANEFOLD_ALWAYS_INLINE auto group_load(const G& g, const T* p) {
  detail::check_converged(g);
  return detail::load_dealt<Placement>(g, p, std::make_index_sequence<K>{});
}

/// Stores what `group_load` loads.
template <data_placement Placement = data_placement::blocked, Group G, class V, std::size_t K, class T>
LANEFOLD_ALWAYS_INLINE void group_store(const G& g, const std::array<V, K>& values, T* p) {
  detail::check_converged(g);
  for (std::size_t j = 0; j < K; ++j) {
    const auto i = detail::dealt_index<Placement>(g, j, K);
    if constexpr (detail::has_lanes_v<G>) {
      detail::element(p, i) = detail::varying_of<T, typename G::lanes>(values[j]);
    } else {
      p[i] = values[j];
    }
  }
}

LANEFOLD_END_NAMESPACE
