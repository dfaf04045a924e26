// SPDX-License-Identifier: Apache-2.0
/// One work-item's value for all work-items of a group. [sycl.4.17.3]
#pragma once

#include <lanefold/group_algorithms/detail/lane_values.hpp>
#include <lanefold/group_algorithms/detail/uniform_check.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The value of the work-item at position `from` in the linear order of the group, which is in it.
template <class G, class T>
LANEFOLD_ALWAYS_INLINE auto broadcast_from(const G& g, const T& x, std::size_t from) {
  using E = group_element_t<G, T>;
  using lanes = typename G::lanes;
  using access = group_access<G>;
  check_converged(g);
  if constexpr (in_parts<G>) {
    return shuffle_lanes<G>(x, [&](const auto& v) LANEFOLD_INLINE_LAMBDA { return access::broadcast(g, v, from); });
  } else if constexpr (has_lanes_v<G>) {
    const auto v = lane_value<lanes>(x);
    if constexpr (!can_meet<G>) {
      return E(lane_at(v, from));
    } else {
      if (alone(g)) {
        return E(lane_at(v, from));
      }
      const auto here = meeting_point<G>::template arrive<G, E, struct broadcast_key>(g);
      const std::size_t lane = from - access::first_item(g); // wraps around where it is an earlier unit's
      if (lane < active_count(*access::context(g))) {
        *here.template data<E>() = lane_at(v, lane);
      }
      here.wait();
      return E(*here.template data<E>());
    }
  } else {
    const auto here = meeting_point<G>::template arrive<G, E, struct broadcast_key>(g);
    if (from == here.position()) {
      new (here.template data<E>()) E(x);
    }
    here.wait();
    return E(*here.template data<E>());
  }
}

/// Does the same where the values may lie in private memory. Errors: errc::invalid for a position that is not in the
/// group.
template <class G, class T>
LANEFOLD_ALWAYS_INLINE auto broadcast_of(const G& g, const T& x, std::size_t from) {
  const std::size_t size = [&]() LANEFOLD_INLINE_LAMBDA -> std::size_t {
    if constexpr (ValuesOf<T, G>) {
      values_in_memory<G, T>::check(g, "group_broadcast");
      return x.size();
    } else if constexpr (in_parts<G>) {
      return group_access<G>::positions(g);
    } else {
      return g.get_local_linear_range();
    }
  }();
  if (from >= size) [[unlikely]] {
    throw_no_such_work_item("group_broadcast", from, size);
  }
  if constexpr (ValuesOf<T, G>) {
    return x.begin()[from];
  } else {
    check_uniform(g, "group_broadcast", "id", from);
    return broadcast_from(g, x, from);
  }
}

} // namespace detail

/// The value of `x` of the work-item with local linear id 0. Uniform; varying for parts of a sub-group of lanes. `x` is
/// uniform or varying (or a mask), of any trivially copyable type, or private memory as for `reduce_over_group`.
/// To be called by all work-items of the group, in converged code (errc::kernel otherwise).
/// Cost: one barrier; none in a group of one sub-group and for sub-groups of lanes.
// [sycl.4.17.3]
template <Group G, class T>
LANEFOLD_ALWAYS_INLINE auto group_broadcast(const G& g, const T& x) {
  if constexpr (detail::ValuesOf<T, G>) {
    return detail::broadcast_of(g, x, 0);
  } else {
    return detail::broadcast_from(g, x, 0);
  }
}

/// The value of `x` of the work-item whose local linear id is `local_linear_id`, which all work-items give alike.
/// Errors: errc::invalid for an id that is not in the group.
// [sycl.4.17.3]
template <Group G, class T>
LANEFOLD_ALWAYS_INLINE auto group_broadcast(const G& g, const T& x, typename G::linear_id_type local_linear_id) {
  return detail::broadcast_of(g, x, local_linear_id);
}

/// The value of `x` of the work-item whose local id is `local_id`, which all work-items give alike.
/// Errors: errc::invalid for an id that is not in the group.
// [sycl.4.17.3]
template <Group G, class T>
LANEFOLD_ALWAYS_INLINE auto group_broadcast(const G& g, const T& x, typename G::id_type local_id) {
  if constexpr (G::dimensions == 1) {
    return detail::broadcast_of(g, x, local_id[0]);
  } else {
    const auto extents = g.get_local_range();
    std::size_t linear = 0;
    for (int d = 0; d < G::dimensions; ++d) {
      if (local_id[d] >= extents[d]) [[unlikely]] {
        detail::throw_no_such_work_item("group_broadcast", local_id[d], extents[d]);
      }
      linear = linear * extents[d] + local_id[d];
    }
    return detail::broadcast_of(g, x, linear);
  }
}

LANEFOLD_END_NAMESPACE
