// SPDX-License-Identifier: Apache-2.0
/// A loop shared by the work-items of a group.
#pragma once

#include <lanefold/execution/control_flow.hpp>
#include <lanefold/group_algorithms/detail/lane_values.hpp>

LANEFOLD_BEGIN_NAMESPACE

/// Calls `body(i)` once for each i in [first, last): work-item k of the n in the group gets first + k, first + k + n, …
/// In lane-generic kernels `i` is a lane index, under a mask where fewer elements than lanes are left. `first` and
/// `last` are uniform. To be called by all work-items of the group; no barrier, neither before nor after it.
template <HostGroup G, class Body>
LANEFOLD_ALWAYS_INLINE void joint_for(const G& g, std::size_t first, std::size_t last, Body&& body) {
  detail::check_converged(g);
  const std::size_t step = g.get_local_linear_range();
  if constexpr (detail::has_lanes_v<G>) {
    using access = detail::group_access<G>;
    auto* const context = access::context(g);
    const auto lane = g.get_local_linear_id();
    const std::size_t count = detail::active_count(*context);
    std::size_t round = first;
    for (; round + access::first_item(g) + count <= last; round += step) {
      detail::call_inlined(body, lane + round);
    }
    if (round + access::first_item(g) < last) {
      const control_flow<typename G::lanes> flow(context);
      const auto i = lane + round;
      flow.if_(i < last, [&]() LANEFOLD_INLINE_LAMBDA { body(i); });
    }
  } else {
    for (std::size_t i = first + g.get_local_linear_id(); i < last; i += step) {
      body(i);
    }
  }
}

LANEFOLD_END_NAMESPACE
