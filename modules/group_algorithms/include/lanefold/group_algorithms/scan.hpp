// SPDX-License-Identifier: Apache-2.0
/// Prefixes over the values of the work-items of a group. [sycl.4.17.4.6]
#pragma once

#include <lanefold/group_algorithms/algorithm.hpp>
#include <lanefold/group_algorithms/detail/joint_range.hpp>
#include <lanefold/group_algorithms/detail/lane_values.hpp>
#include <lanefold/group_algorithms/detail/part_values.hpp>
#include <lanefold/group_algorithms/detail/serial_reduce.hpp>
#include <lanefold/group_algorithms/detail/uniform_check.hpp>
#include <lanefold/group_algorithms/joint_scan.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// These say where a scan begins.
template <class T>
struct with_init {
  T value;
};
struct without_init {};

/// The lane of the last work-item of a unit.
template <class Lanes, class V>
LANEFOLD_ALWAYS_INLINE typename V::value_type last_work_item(const lane_context<Lanes>& context, const V& v) {
  return lane_at(v, active_count(context) - 1);
}

/// The scan of one unit that begins with `carry`, and the carry for the next unit.
template <bool Exclusive, class Lanes, class V, class Op>
LANEFOLD_ALWAYS_INLINE V scan_unit(const lane_context<Lanes>& context, const V& v, typename V::value_type& carry,
                                   const Op& op) {
  using T = typename V::value_type;
  if constexpr (Exclusive) {
    const V result = exclusive_scan(v, op, carry);
    carry = static_cast<T>(op(last_work_item(context, result), last_work_item(context, v)));
    return result;
  } else {
    const V result = combined_from_left(op, carry, inclusive_scan(v, op));
    carry = last_work_item(context, result);
    return result;
  }
}
/// The first one, of an inclusive scan without init.
template <class Lanes, class V, class Op>
LANEFOLD_ALWAYS_INLINE V scan_first_unit(const lane_context<Lanes>& context, const V& v, typename V::value_type& carry,
                                         const Op& op) {
  const V result = inclusive_scan(v, op);
  carry = last_work_item(context, result);
  return result;
}

template <bool Exclusive, class G, class V, class Op, class Init>
LANEFOLD_ALWAYS_INLINE V scan_lanes(const G& g, const V& v, const Op& op, const Init& init) {
  using T = typename V::value_type;
  constexpr bool has_init = !std::is_same_v<Init, without_init>;
  const auto& context = *group_access<G>::context(g);
  const auto first = [&](T& carry) LANEFOLD_INLINE_LAMBDA {
    if constexpr (has_init) {
      carry = init.value;
      return scan_unit<Exclusive>(context, v, carry, op);
    } else {
      return scan_first_unit(context, v, carry, op);
    }
  };
  T carry;
  if constexpr (!can_meet<G>) {
    return first(carry);
  } else {
    if (alone(g)) {
      return first(carry);
    }
    const auto here = meeting_point<G>::template arrive<G, T, Op, std::bool_constant<Exclusive>, struct scan_key>(g);
    T* const total = here.template data<T>();
    const V result = [&]() LANEFOLD_INLINE_LAMBDA {
      if (here.first()) {
        const V scanned = first(carry);
        *total = carry;
        return scanned;
      }
      carry = *total;
      const V scanned = scan_unit<Exclusive>(context, v, carry, op);
      *total = carry;
      return scanned;
    }();
    here.wait();
    return result;
  }
}

/// The lanes of one unit in memory, scanned one after the other from `carry` on; the carry for the next unit.
template <bool Exclusive, class T, class Op>
T scan_in_order(T* lanes, std::size_t count, const T& carry, const Op& op) {
  const T last = lanes[count - 1];
  scan_serial<Exclusive>(lanes, lanes, count, carry, op);
  return Exclusive ? static_cast<T>(op(lanes[count - 1], last)) : lanes[count - 1];
}
/// Does the same as `scan_in_order` where nothing is before the first lane.
template <class T, class Op>
T scan_in_order_from_first(T* lanes, std::size_t count, const Op& op) {
  scan_serial<false>(lanes + 1, lanes + 1, count - 1, lanes[0], op);
  return lanes[count - 1];
}

/// The units of lanes in the order of their lanes.
template <bool Exclusive, class G, class V, class Op, class Init>
V scan_lanes_serially(const G& g, const V& v, const Op& op, const Init& init) {
  using T = typename V::value_type;
  const std::size_t count = active_count(*group_access<G>::context(g));
  alignas(64) T lanes[V::size()];
  v.store(lanes);
  const auto first = [&]() -> T {
    if constexpr (std::is_same_v<Init, without_init>) {
      return scan_in_order_from_first(lanes, count, op);
    } else {
      return scan_in_order<Exclusive>(lanes, count, init.value, op);
    }
  };
  if constexpr (can_meet<G>) {
    const auto here = meeting_point<G>::template arrive<G, T, Op, std::bool_constant<Exclusive>, struct serial_key>(g);
    T* const total = here.template data<T>();
    *total = here.first() ? first() : scan_in_order<Exclusive>(lanes, count, *total, op);
    here.wait();
  } else {
    first();
  }
  return V::load(lanes);
}

template <bool Exclusive, class G, class T, class Op, class Init>
T scan_work_items(const G& g, const T& x, const Op& op, const Init& init) {
  const auto here = meeting_point<G>::template arrive<G, T, Op, std::bool_constant<Exclusive>, struct scan_key>(g);
  T* const total = here.template data<T>();
  const T before = [&] {
    if (!here.first()) {
      return *total;
    }
    if constexpr (std::is_same_v<Init, without_init>) {
      return x;
    } else {
      return init.value;
    }
  }();
  const bool starts = std::is_same_v<Init, without_init> && here.first();
  const T after = starts ? x : static_cast<T>(op(before, x));
  new (total) T(after);
  here.wait();
  return Exclusive ? before : after;
}

/// Parts of a sub-group of lanes, in registers if their kind of group can.
template <algorithm A, bool Exclusive, class G, class V, class Op, class Init>
LANEFOLD_ALWAYS_INLINE V scan_parts(const G& g, const V& v, const Op& op, const Init& init) {
  using T = typename V::value_type;
  using access = group_access<G>;
  constexpr bool has_init = !std::is_same_v<Init, without_init>;
  constexpr bool in_order = A == algorithm::serial || A == algorithm::serial_heap;
  if constexpr (in_order || !access::template in_registers<Op, T>) {
    const auto scan = [&](T* values, std::size_t n) {
      if constexpr (has_init) {
        scan_serial<Exclusive>(values, values, n, init.value, op);
      } else {
        scan_serial<false>(values + 1, values + 1, n - 1, values[0], op);
      }
    };
    return parts_in_memory(g, v, scan);
  } else if constexpr (Exclusive) {
    return access::exclusive_scan(g, v, op, init.value);
  } else if constexpr (has_init) {
    return combined_from_left(op, init.value, access::inclusive_scan(g, v, op));
  } else {
    return access::inclusive_scan(g, v, op);
  }
}

template <algorithm A, bool Exclusive, class G, class T, class Op, class Init>
LANEFOLD_ALWAYS_INLINE auto scan_group(const G& g, const T& x, const Op& op, const Init& init) {
  using E = group_element_t<G, T>;
  check_converged(g);
  if constexpr (has_lanes_v<G>) {
    const auto v = lane_value<typename G::lanes>(x);
    if constexpr (in_parts<G>) {
      return scan_parts<A, Exclusive>(g, v, op, init);
    } else if constexpr (A == algorithm::serial || A == algorithm::serial_heap) {
      return scan_lanes_serially<Exclusive>(g, v, op, init);
    } else {
      return scan_lanes<Exclusive>(g, v, op, init);
    }
  } else if constexpr (is_automatic(A)) {
    return scan_work_items<Exclusive>(g, static_cast<E>(x), op, init);
  } else {
    struct key;
    return through_memory<A, key>(g, static_cast<E>(x), true, [&](E* values, std::size_t n) {
      if constexpr (std::is_same_v<Init, without_init>) {
        scan_serial<false>(values + 1, values + 1, n - 1, values[0], op);
      } else {
        scan_range<A, Exclusive>(values, values, n, init.value, op);
      }
    });
  }
}

} // namespace detail

/// Gives each work-item the values of x of the work-items before it, in linear order, combined by `op`, which must be
/// associative; the first one gets `known_identity`. Varying: a varying in lane-generic kernels. The order of the
/// operands is kept for every operator. `x`, operators, who must call it and errors as for `reduce_over_group`; private
/// memory is scanned where it lies, and nothing is returned.
/// Cost: one barrier, at which units take over what the units before them came to; none in a group of one sub-group
/// and for sub-groups of lanes, where everything stays in registers.
// [sycl.4.17.4.6]
template <algorithm A = algorithm::automatic, Group G, class T, class BinaryOperation>
LANEFOLD_ALWAYS_INLINE auto exclusive_scan_over_group(const G& g, const T& x, BinaryOperation op) {
  if constexpr (detail::ValuesOf<T, G>) {
    detail::values_in_memory<G, T>::check(g, "exclusive_scan_over_group");
    joint_exclusive_scan<A>(g, x.begin(), x.end(), x.begin(), op);
  } else {
    using E = detail::group_element_t<G, T>;
    static_assert(has_known_identity_v<BinaryOperation, E>,
                  "lanefold: exclusive_scan_over_group without init needs a known_identity of operator and type");
    return detail::scan_group<A, true>(g, x, op, detail::with_init<E>{known_identity_v<BinaryOperation, E>});
  }
}
/// Does the same beginning with `init` (uniform), which the first work-item gets; its type is that of the result.
template <algorithm A = algorithm::automatic, Group G, class V, class T, class BinaryOperation>
LANEFOLD_ALWAYS_INLINE auto exclusive_scan_over_group(const G& g, const V& x, T init, BinaryOperation op) {
  if constexpr (detail::ValuesOf<V, G>) {
    detail::values_in_memory<G, V>::check(g, "exclusive_scan_over_group");
    joint_exclusive_scan<A>(g, x.begin(), x.end(), x.begin(), init, op);
  } else {
    detail::check_uniform(g, "exclusive_scan_over_group", "init", init);
    return detail::scan_group<A, true>(g, detail::converted<T, G>(x), op, detail::with_init<T>{init});
  }
}

/// Gives each work-item its value of x and those of the work-items before it combined. Otherwise as
/// `exclusive_scan_over_group`, for operators with and without identity.
// [sycl.4.17.4.6]
template <algorithm A = algorithm::automatic, Group G, class T, class BinaryOperation>
LANEFOLD_ALWAYS_INLINE auto inclusive_scan_over_group(const G& g, const T& x, BinaryOperation op) {
  if constexpr (detail::ValuesOf<T, G>) {
    detail::values_in_memory<G, T>::check(g, "inclusive_scan_over_group");
    joint_inclusive_scan<A>(g, x.begin(), x.end(), x.begin(), op);
  } else {
    return detail::scan_group<A, false>(g, x, op, detail::without_init{});
  }
}
/// Does the same beginning with `init` (uniform), which comes after the operator, as in SYCL.
template <algorithm A = algorithm::automatic, Group G, class V, class BinaryOperation, class T>
LANEFOLD_ALWAYS_INLINE auto inclusive_scan_over_group(const G& g, const V& x, BinaryOperation op, T init) {
  if constexpr (detail::ValuesOf<V, G>) {
    detail::values_in_memory<G, V>::check(g, "inclusive_scan_over_group");
    joint_inclusive_scan<A>(g, x.begin(), x.end(), x.begin(), op, init);
  } else {
    detail::check_uniform(g, "inclusive_scan_over_group", "init", init);
    return detail::scan_group<A, false>(g, detail::converted<T, G>(x), op, detail::with_init<T>{init});
  }
}

LANEFOLD_END_NAMESPACE
