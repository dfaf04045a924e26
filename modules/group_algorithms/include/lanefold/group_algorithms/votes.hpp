// SPDX-License-Identifier: Apache-2.0
/// Tests whether a condition holds for any, all or none of the work-items of a group. [sycl.4.17.4.3]
#pragma once

#include <lanefold/group_algorithms/detail/lane_values.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

enum class vote { any, all };

/// Returns whether the condition holds for any or all of the work-items of the calling unit.
template <vote What, class G, class Condition>
LANEFOLD_ALWAYS_INLINE bool vote_of_unit(const G& g, const Condition& condition) {
  if constexpr (has_lanes_v<G>) {
    const auto m = lane_value<typename G::lanes>(condition);
    static_assert(is_mask_v<decltype(m)>, "lanefold: a vote needs a condition: a mask or a bool");
    const auto& context = *group_access<G>::context(g);
    if constexpr (What == vote::any) {
      return context.all ? m.any() : (m & context.active).any();
    } else {
      return context.all ? m.all() : (m | ~context.active).all();
    }
  } else {
    return static_cast<bool>(condition);
  }
}

template <vote What, class G, class Condition>
LANEFOLD_ALWAYS_INLINE bool vote_of_group(const G& g, const Condition& condition) {
  check_converged(g);
  const bool own = vote_of_unit<What>(g, condition);
  if constexpr (!can_meet<G>) {
    return own;
  } else {
    if (alone(g)) {
      return own;
    }
    const auto here = meeting_point<G>::template arrive<G, std::integral_constant<vote, What>>(g);
    bool& result = *here.template data<bool>();
    if (here.first()) {
      result = own;
    } else if (What == vote::any ? own : !own) {
      result = own;
    }
    here.wait();
    return result;
  }
}

} // namespace detail

/// Returns whether `condition` (a bool, or a mask in lane-generic kernels) holds for any work-item of the group.
/// Uniform. To be called by all work-items of the group, in converged code (errc::kernel otherwise).
/// Cost: one barrier; none in a group of one sub-group and for sub-groups of lanes.
// [sycl.4.17.4.3]
template <Group G, class Condition>
LANEFOLD_ALWAYS_INLINE bool any_of_group(const G& g, const Condition& condition) {
  return detail::vote_of_group<detail::vote::any>(g, condition);
}
/// Returns whether `predicate(x)` holds for any work-item; the predicate gets a varying in lane-generic kernels.
template <Group G, class T, class Predicate>
LANEFOLD_ALWAYS_INLINE bool any_of_group(const G& g, const T& x, Predicate predicate) {
  return any_of_group(g, predicate(x));
}

/// Returns whether `condition` holds for all work-items of the group. Otherwise as `any_of_group`.
// [sycl.4.17.4.3]
template <Group G, class Condition>
LANEFOLD_ALWAYS_INLINE bool all_of_group(const G& g, const Condition& condition) {
  return detail::vote_of_group<detail::vote::all>(g, condition);
}
template <Group G, class T, class Predicate>
LANEFOLD_ALWAYS_INLINE bool all_of_group(const G& g, const T& x, Predicate predicate) {
  return all_of_group(g, predicate(x));
}

/// Returns whether `condition` holds for no work-item of the group. Otherwise as `any_of_group`.
// [sycl.4.17.4.3]
template <Group G, class Condition>
LANEFOLD_ALWAYS_INLINE bool none_of_group(const G& g, const Condition& condition) {
  return !any_of_group(g, condition);
}
template <Group G, class T, class Predicate>
LANEFOLD_ALWAYS_INLINE bool none_of_group(const G& g, const T& x, Predicate predicate) {
  return none_of_group(g, predicate(x));
}

LANEFOLD_END_NAMESPACE
