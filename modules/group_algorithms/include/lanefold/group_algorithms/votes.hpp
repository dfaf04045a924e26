// SPDX-License-Identifier: Apache-2.0
/// Tests whether a condition holds for any, all or none of the work-items of a group. [sycl.4.17.4.3]
#pragma once

#include <lanefold/group_algorithms/detail/lane_values.hpp>
#include <lanefold/group_algorithms/joint_votes.hpp>

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
LANEFOLD_ALWAYS_INLINE auto vote_of_parts(const G& g, const Condition& condition) {
  const auto m = lane_value<typename G::lanes>(condition);
  static_assert(is_mask_v<decltype(m)>, "lanefold: a vote needs a condition: a mask or a bool");
  if constexpr (What == vote::any) {
    return group_access<G>::any(g, m);
  } else {
    return !group_access<G>::any(g, !m);
  }
}

template <vote What, class G, class Condition>
LANEFOLD_ALWAYS_INLINE bool vote_of_units(const G& g, const Condition& condition) {
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

template <vote What, class G, class Condition>
LANEFOLD_ALWAYS_INLINE auto vote_of_group(const G& g, const Condition& condition) {
  check_converged(g);
  if constexpr (in_parts<G>) {
    return vote_of_parts<What>(g, condition);
  } else {
    return vote_of_units<What>(g, condition);
  }
}

} // namespace detail

/// Returns whether `condition` (a bool, or a mask in lane-generic kernels) holds for any work-item of the group.
/// Uniform: a bool; a mask for parts of a sub-group of lanes. To be called by all work-items of the group, in converged
/// code (errc::kernel otherwise).
/// Cost: one barrier; none in a group of one sub-group and for sub-groups of lanes.
// [sycl.4.17.4.3]
template <Group G, class Condition>
LANEFOLD_ALWAYS_INLINE auto any_of_group(const G& g, const Condition& condition) {
  return detail::vote_of_group<detail::vote::any>(g, condition);
}
/// Returns whether `predicate(x)` holds for any work-item; the predicate gets a varying in lane-generic kernels. `x`
/// may also be private memory of a scoped or hierarchical group, see `reduce_over_group`.
template <Group G, class T, class Predicate>
LANEFOLD_ALWAYS_INLINE auto any_of_group(const G& g, const T& x, Predicate predicate) {
  if constexpr (detail::ValuesOf<T, G>) {
    detail::values_in_memory<G, T>::check(g, "any_of_group");
    return joint_any_of(g, x.begin(), x.end(), predicate);
  } else {
    return any_of_group(g, predicate(x));
  }
}

/// Returns whether `condition` holds for all work-items of the group. Otherwise as `any_of_group`.
// [sycl.4.17.4.3]
template <Group G, class Condition>
LANEFOLD_ALWAYS_INLINE auto all_of_group(const G& g, const Condition& condition) {
  return detail::vote_of_group<detail::vote::all>(g, condition);
}
template <Group G, class T, class Predicate>
LANEFOLD_ALWAYS_INLINE auto all_of_group(const G& g, const T& x, Predicate predicate) {
  if constexpr (detail::ValuesOf<T, G>) {
    detail::values_in_memory<G, T>::check(g, "all_of_group");
    return joint_all_of(g, x.begin(), x.end(), predicate);
  } else {
    return all_of_group(g, predicate(x));
  }
}

/// Returns whether `condition` holds for no work-item of the group. Otherwise as `any_of_group`.
// [sycl.4.17.4.3]
template <Group G, class Condition>
LANEFOLD_ALWAYS_INLINE auto none_of_group(const G& g, const Condition& condition) {
  return !any_of_group(g, condition);
}
template <Group G, class T, class Predicate>
LANEFOLD_ALWAYS_INLINE auto none_of_group(const G& g, const T& x, Predicate predicate) {
  if constexpr (detail::ValuesOf<T, G>) {
    detail::values_in_memory<G, T>::check(g, "none_of_group");
    return joint_none_of(g, x.begin(), x.end(), predicate);
  } else {
    return none_of_group(g, predicate(x));
  }
}

LANEFOLD_END_NAMESPACE
