// SPDX-License-Identifier: Apache-2.0
/// A loop shared by the work-items of a group.
#pragma once

#include <lanefold/execution/control_flow.hpp>
#include <lanefold/group_algorithms/group_traits.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The loop of the unit whose lanes begin at `first_item` of the `step` that share it.
template <class Lanes, class Index, class Body>
LANEFOLD_ALWAYS_INLINE void loop_of_lanes(lane_context<Lanes>* context, const Index& lane, std::size_t first_item,
                                          std::size_t step, std::size_t first, std::size_t last, Body& body) {
  const std::size_t count = active_count(*context);
  std::size_t round = first;
  for (; round + first_item + count <= last; round += step) {
    call_inlined(body, lane + round);
  }
  if (round + first_item < last) {
    const control_flow<Lanes> flow(context);
    const auto i = lane + round;
    flow.if_(i < last, [&]() LANEFOLD_INLINE_LAMBDA { body(i); });
  }
}

/// The loop of a group of which one thread runs all items, outside of their code.
template <class Lanes, class Body>
LANEFOLD_ALWAYS_INLINE void loop_of_thread(std::size_t first, std::size_t last, Body& body) {
  if constexpr (!std::is_same_v<Lanes, scalar>) {
    using index = lane_index<Lanes, Lanes::rows == 1 ? stride::zero : stride::dynamic, stride::one>;
    if constexpr (std::is_invocable_v<Body&, index>) {
      lane_context<Lanes> context{mask_of<Lanes>::all_true(), true, false};
      const index lane(&context, 0, static_cast<std::ptrdiff_t>(Lanes::columns), 1);
      return loop_of_lanes(&context, lane, 0, Lanes::size, first, last, body);
    }
  }
  for (std::size_t i = first; i < last; ++i) {
    body(i);
  }
}

} // namespace detail

/// Calls `body(i)` once for each i in [first, last): work-item k of the n in the group gets first + k, first + k + n, …
/// In lane-generic kernels `i` is a lane index, under a mask where fewer elements than lanes are left. `first` and
/// `last` are uniform; in parts of a sub-group of lanes they may be varying, the same for the work-items of a part, and
/// `i` is a varying. To be called by all work-items of the group; on a scoped group outside of the code of its items
/// (errc::kernel otherwise), where `body` gets an integer if it takes no lane index. No barrier, neither before nor
/// after it.
template <HostGroup G, class First, class Last, class Body>
LANEFOLD_ALWAYS_INLINE void joint_for(const G& g, const First& first, const Last& last, Body&& body) {
  using traits = group_traits<G>;
  using access = detail::group_access<G>;
  if constexpr (requires { access::check_outside_of_items(g, "joint_for"); }) {
    access::check_outside_of_items(g, "joint_for");
    detail::loop_of_thread<typename G::lanes>(static_cast<std::size_t>(first), static_cast<std::size_t>(last), body);
  } else {
    detail::check_converged(g);
    if constexpr (traits::side_by_side) {
      using index = detail::varying_of<std::size_t, typename G::lanes>;
      const control_flow<typename G::lanes> flow(access::context(g));
      flow.for_(
          index(detail::converted<std::size_t, G>(traits::position(g)) + detail::converted<std::size_t, G>(first)),
          index(detail::converted<std::size_t, G>(last)), index(detail::converted<std::size_t, G>(traits::size(g))),
          body);
    } else if constexpr (traits::has_lanes) {
      detail::loop_of_lanes(access::context(g), traits::position(g), access::first_item(g), traits::size(g),
                            static_cast<std::size_t>(first), static_cast<std::size_t>(last), body);
    } else {
      const std::size_t step = traits::size(g);
      for (std::size_t i = static_cast<std::size_t>(first) + traits::position(g); i < static_cast<std::size_t>(last);
           i += step) {
        body(i);
      }
    }
  }
}

LANEFOLD_END_NAMESPACE
