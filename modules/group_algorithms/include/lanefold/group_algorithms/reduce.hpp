// SPDX-License-Identifier: Apache-2.0
/// The values of all work-items of a group combined to one. [sycl.4.17.4.5]
#pragma once

#include <lanefold/group_algorithms/algorithm.hpp>
#include <lanefold/group_algorithms/detail/joint_range.hpp>
#include <lanefold/group_algorithms/detail/lane_values.hpp>
#include <lanefold/group_algorithms/detail/part_values.hpp>
#include <lanefold/group_algorithms/detail/serial_reduce.hpp>
#include <lanefold/group_algorithms/detail/uniform_check.hpp>
#include <lanefold/group_algorithms/joint_reduce.hpp>
#include <lanefold/group_algorithms/votes.hpp>

#include <algorithm>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Units fold lane by lane what their registers come to, the last one combines the lanes.
template <class G, class V, class Op>
LANEFOLD_ALWAYS_INLINE typename V::value_type reduce_folding_lanes(const G& g, const V& v, const Op& given) {
  using T = typename V::value_type;
  decltype(auto) op = typed_operator<T>(given);
  const auto own = folded_to_register(active_or(*group_access<G>::context(g), v, known_identity_v<Op, T>), op);
  using R = std::remove_const_t<decltype(own)>;
  const auto here = meeting_point<G>::template arrive<G, T, Op, struct reduce_key>(g);
  T* const lanes = here.template data<T>(R::size() + 1);
  if (here.first()) {
    own.store(lanes);
  } else {
    const R all = combined<R>(op, R::load(lanes), own);
    if (here.last()) {
      lanes[R::size()] = reduce(all, op);
    } else {
      all.store(lanes);
    }
  }
  here.wait();
  return lanes[R::size()];
}

/// Units fold their values into one as they arrive.
template <class G, class T, class Op>
LANEFOLD_ALWAYS_INLINE T reduce_folding(const G& g, const T& own, const Op& op) {
  const auto here = meeting_point<G>::template arrive<G, T, Op, struct reduce_key>(g);
  T* const total = here.template data<T>();
  if (here.first()) {
    new (total) T(own);
  } else {
    *total = static_cast<T>(op(*total, own));
  }
  here.wait();
  return *total;
}

/// The units of lanes in the order of their lanes.
template <class G, class V, class Op>
typename V::value_type reduce_lanes_serially(const G& g, const V& v, const Op& op) {
  using T = typename V::value_type;
  const std::size_t count = active_count(*group_access<G>::context(g));
  alignas(64) T lanes[V::size()];
  v.store(lanes);
  if constexpr (can_meet<G>) {
    const auto here = meeting_point<G>::template arrive<G, T, Op, struct serial_reduce_key>(g);
    T* const total = here.template data<T>();
    *total = here.first() ? reduce_serial(lanes + 1, count - 1, lanes[0], op) : reduce_serial(lanes, count, *total, op);
    here.wait();
    return *total;
  } else {
    return reduce_serial(lanes + 1, count - 1, lanes[0], op);
  }
}

/// Parts of a sub-group of lanes: each lane gets what the values of its part come to.
template <algorithm A, class G, class V, class Op>
LANEFOLD_ALWAYS_INLINE V reduce_parts(const G& g, const V& v, const Op& op) {
  using T = typename V::value_type;
  constexpr bool in_order = A == algorithm::serial || A == algorithm::serial_heap;
  if constexpr (!in_order && group_access<G>::template in_registers<Op, T>) {
    return group_access<G>::reduce(g, v, op);
  } else {
    const auto combine = [&](T* values, std::size_t n) {
      const T total = reduce_serial(values + 1, n - 1, values[0], op);
      std::fill(values, values + n, total);
    };
    return parts_in_memory(g, v, combine);
  }
}

template <algorithm A, class G, class T, class Op>
LANEFOLD_ALWAYS_INLINE auto reduce_group(const G& g, const T& x, const Op& op) {
  using E = group_element_t<G, T>;
  check_converged(g);
  if constexpr (has_lanes_v<G>) {
    const auto v = lane_value<typename G::lanes>(x);
    using V = std::remove_const_t<decltype(v)>;
    if constexpr (is_mask_v<V>) {
      // Conditions: the logical operators are votes.
      constexpr bool is_and = std::is_invocable_r_v<bool, Op, bool, bool> && !Op{}(true, false) && Op{}(true, true);
      static_assert(is_and || Op{}(true, false), "lanefold: conditions reduce by and or or");
      if constexpr (is_and) {
        return vote_of_group<vote::all>(g, v);
      } else {
        return vote_of_group<vote::any>(g, v);
      }
    } else if constexpr (in_parts<G>) {
      return reduce_parts<A>(g, v, op);
    } else if constexpr (A == algorithm::serial || A == algorithm::serial_heap) {
      return reduce_lanes_serially(g, v, op);
    } else if constexpr (!can_meet<G>) {
      return reduce_unit(*group_access<G>::context(g), v, op);
    } else {
      if (alone(g)) {
        return reduce_unit(*group_access<G>::context(g), v, op);
      }
      if constexpr (folds_by_lanes<V, Op>()) {
        return reduce_folding_lanes(g, v, op);
      } else {
        return reduce_folding(g, reduce_unit(*group_access<G>::context(g), v, op), op);
      }
    }
  } else if constexpr (is_automatic(A)) {
    return reduce_folding(g, static_cast<E>(x), op);
  } else {
    struct key;
    return through_memory<A, key>(g, static_cast<E>(x), false,
                                  [&](E* values, std::size_t n) { values[0] = reduce_range<A>(values, n, op); });
  }
}

/// init op the values of the group.
template <algorithm A, class G, class V, class T, class Op>
LANEFOLD_ALWAYS_INLINE auto reduce_group_from(const G& g, const V& x, const T& init, const Op& op) {
  if constexpr (in_parts<G>) {
    return combined_from_left(op, init, reduce_group<A>(g, converted<T, G>(x), op));
  } else if constexpr (std::is_same_v<group_element_t<G, V>, T>) {
    return static_cast<T>(op(init, reduce_group<A>(g, x, op)));
  } else {
    return static_cast<T>(op(init, reduce_group<A>(g, converted<T, G>(x), op)));
  }
}

} // namespace detail

/// x of all work-items of the group, in their linear order combined by `op`, which must be associative. Uniform: a
/// plain value also where `x` is a varying; for parts of a sub-group of lanes, which lie side by side, a varying. `x`
/// may be uniform or varying (a mask with `logical_and`, `logical_or`), of any trivially copyable type: a number, a
/// vec, a struct (default-constructible in lane-generic kernels, where a varying of structs is combined lane by lane).
/// It may also be private memory that holds the values of all items of a scoped or hierarchical group: then the
/// function is called once for the group, outside of the code of items (errc::kernel otherwise), and costs what
/// `joint_reduce` does. Operators that are known to commute (`is_commutative_v`) may see the operands in another order.
/// In lane-generic kernels an operator may take two varyings, or two plain values and is then called lane by lane. To
/// be called by all work-items of the group, in converged code (errc::kernel otherwise, also if others call something
/// else). Cost: one barrier, at which units fold what they have as they arrive; none in a group of one sub-group and
/// for sub-groups of lanes, where everything stays in registers.
// [sycl.4.17.4.5]
template <algorithm A = algorithm::automatic, Group G, class T, class BinaryOperation>
LANEFOLD_ALWAYS_INLINE auto reduce_over_group(const G& g, const T& x, BinaryOperation op) {
  if constexpr (detail::ValuesOf<T, G>) {
    detail::values_in_memory<G, T>::check(g, "reduce_over_group");
    return joint_reduce<A>(g, x.begin(), x.end(), op);
  } else {
    return detail::outcome_of<BinaryOperation>(detail::reduce_group<A>(g, x, op));
  }
}

/// init op the values of x; the type is that of `init`, which is uniform.
// [sycl.4.17.4.5]
template <algorithm A = algorithm::automatic, Group G, class V, class T, class BinaryOperation>
LANEFOLD_ALWAYS_INLINE auto reduce_over_group(const G& g, const V& x, T init, BinaryOperation op) {
  if constexpr (detail::ValuesOf<V, G>) {
    detail::values_in_memory<G, V>::check(g, "reduce_over_group");
    return joint_reduce<A>(g, x.begin(), x.end(), init, op);
  } else {
    detail::check_uniform(g, "reduce_over_group", "init", init);
    return detail::reduce_group_from<A>(g, x, init, op);
  }
}

LANEFOLD_END_NAMESPACE
