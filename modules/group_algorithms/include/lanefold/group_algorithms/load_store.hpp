// SPDX-License-Identifier: Apache-2.0
/// Several elements for each work-item of a group, moved together. Named after
/// sycl_ext_oneapi_group_load_store.
#pragma once

#include <lanefold/group_algorithms/group_traits.hpp>
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

/// Returns where element j of k of the work-items at `item` of a group of `size` is, from the group's first one on.
template <data_placement Placement, class Item, class Size>
LANEFOLD_ALWAYS_INLINE auto dealt_index(const Item& item, const Size& size, std::size_t j, std::size_t k) {
  if constexpr (Placement == data_placement::blocked) {
    return item * k + j;
  } else {
    return item + j * size;
  }
}

/// The index of element j of the calling work-items, where the group's elements begin at `first`: a lane index or a
/// varying in lane-generic kernels.
template <data_placement Placement, class G, class First>
LANEFOLD_ALWAYS_INLINE auto own_index(const G& g, const First& first, std::size_t j, std::size_t k) {
  using traits = group_traits<G>;
  if constexpr (is_varying_v<decltype(traits::position(g))>) {
    return dealt_index<Placement>(converted<std::size_t, G>(traits::position(g)),
                                  converted<std::size_t, G>(traits::size(g)), j, k) +
           converted<std::size_t, G>(first);
  } else {
    return dealt_index<Placement>(traits::position(g), std::size_t{traits::size(g)}, j, k) +
           static_cast<std::size_t>(first);
  }
}

template <data_placement Placement, class G, class T, class First, std::size_t... J>
LANEFOLD_ALWAYS_INLINE auto load_dealt(const G& g, const T* p, const First& first, std::index_sequence<J...>) {
  constexpr std::size_t k = sizeof...(J);
  if constexpr (has_lanes_v<G>) {
    using V = varying_of<T, typename G::lanes>;
    return std::array<V, k>{V(element(p, own_index<Placement>(g, first, J, k)))...};
  } else {
    return std::array<T, k>{p[own_index<Placement>(g, first, J, k)]...};
  }
}

/// The elements of one work-item in private memory: a value, or an array of them.
template <class T>
struct elements_of_item {
  static constexpr std::size_t count = 1;
  static T& at(T& item, std::size_t) { return item; }
};
template <class T, std::size_t K>
struct elements_of_item<std::array<T, K>> {
  static constexpr std::size_t count = K;
  static T& at(std::array<T, K>& item, std::size_t j) { return item[j]; }
};

/// Calls `f(element of a work-item, its index)` for all elements of private memory.
template <data_placement Placement, class Memory, class F>
LANEFOLD_ALWAYS_INLINE void for_dealt(const Memory& values, F f) {
  using elements = elements_of_item<typename Memory::value_type>;
  const std::size_t size = values.size();
  for (std::size_t item = 0; item < size; ++item) {
    for (std::size_t j = 0; j < elements::count; ++j) {
      f(elements::at(values.begin()[item], j), dealt_index<Placement>(item, size, j, elements::count));
    }
  }
}

} // namespace detail

/// K elements for each work-item of the group from p[first] on, as std::array: of varyings in lane-generic kernels.
/// `p` and `first` are uniform; of parts of a sub-group of lanes `p` is one pointer for all, and `first` may be
/// varying, the same for the work-items of a part. To be called by all work-items of the group; of a scoped group, in
/// the code of items that run together. No barrier. Cost: striped, K contiguous accesses; blocked, K strided ones;
/// parts of a sub-group gather.
template <std::size_t K, data_placement Placement = data_placement::blocked, Group G, class T,
          class First = std::size_t>
LANEFOLD_ALWAYS_INLINE auto group_load(const G& g, const T* p, const First& first = 0) {
  detail::check_converged(g);
  return detail::load_dealt<Placement>(g, p, first, std::make_index_sequence<K>{});
}

/// Stores what `group_load` loads.
template <data_placement Placement = data_placement::blocked, Group G, class V, std::size_t K, class T,
          class First = std::size_t>
LANEFOLD_ALWAYS_INLINE void group_store(const G& g, const std::array<V, K>& values, T* p, const First& first = 0) {
  detail::check_converged(g);
  for (std::size_t j = 0; j < K; ++j) {
    const auto i = detail::own_index<Placement>(g, first, j, K);
    if constexpr (detail::has_lanes_v<G>) {
      detail::element(p, i) = detail::varying_of<T, typename G::lanes>(values[j]);
    } else {
      p[i] = values[j];
    }
  }
}

/// Does the same for private memory of a scoped or hierarchical group: it gets one element for each work-item from `p`
/// on, or K where it holds a std::array of K. To be called once for the group, outside of the code of items
/// (errc::kernel otherwise).
template <data_placement Placement = data_placement::blocked, Group G, class T, detail::ValuesOf<G> Memory>
LANEFOLD_ALWAYS_INLINE void group_load(const G& g, const T* p, const Memory& values) {
  detail::values_in_memory<G, Memory>::check(g, "group_load");
  detail::for_dealt<Placement>(values, [&](auto& own, std::size_t i) LANEFOLD_INLINE_LAMBDA { own = p[i]; });
}
/// Stores what private memory holds.
template <data_placement Placement = data_placement::blocked, Group G, detail::ValuesOf<G> Memory, class T>
LANEFOLD_ALWAYS_INLINE void group_store(const G& g, const Memory& values, T* p) {
  detail::values_in_memory<G, Memory>::check(g, "group_store");
  detail::for_dealt<Placement>(values, [&](const auto& own, std::size_t i) LANEFOLD_INLINE_LAMBDA { p[i] = own; });
}

LANEFOLD_END_NAMESPACE
