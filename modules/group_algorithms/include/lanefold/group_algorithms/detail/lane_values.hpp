// SPDX-License-Identifier: Apache-2.0
/// Values of the work-items of one unit, and what is done with them in registers.
#pragma once

#include <lanefold/execution/known_identity.hpp>
#include <lanefold/group_algorithms/detail/composite_lanes.hpp>
#include <lanefold/group_algorithms/detail/joint_loops.hpp>
#include <lanefold/group_algorithms/detail/meeting_point.hpp>
#include <lanefold/simd/horizontal.hpp>
#include <lanefold/simd/lane_index.hpp>
#include <lanefold/simd/select.hpp>

#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

template <class T, class Lanes>
using varying_of = varying<T, Lanes::size, typename Lanes::isa>;
template <class Lanes>
using mask_of = mask<Lanes::size, typename Lanes::isa>;

template <class T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE const varying<T, N, Isa>& plain_varying(const varying<T, N, Isa>& v) {
  return v;
}
template <std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE const mask<N, Isa>& plain_mask(const mask<N, Isa>& m) {
  return m;
}

/// The type of a plain value: that of the vec which a swizzle stands for.
template <class T>
struct plain_value {
  using type = T;
};
template <class Source, class Result, int... I>
struct plain_value<swizzled_vec<Source, Result, I...>> {
  using type = Result;
};
template <class T>
using plain_value_t = typename plain_value<T>::type;

/// Returns what a kernel gave, as varying or mask of its lanes: a uniform value is the same in each, a lane index its
/// value, a variable or `x[i]` the varying that it holds, a swizzle the vec that it stands for.
template <class Lanes, class T>
LANEFOLD_ALWAYS_INLINE auto lane_value(const T& x) {
  if constexpr (std::is_same_v<T, bool>) {
    return mask_of<Lanes>(x);
  } else if constexpr (std::is_arithmetic_v<T>) {
    return varying_of<T, Lanes>(x);
  } else if constexpr (is_lane_index_v<T>) {
    return x.value();
  } else if constexpr (is_mask_v<T>) {
    return plain_mask(x);
  } else if constexpr (is_varying_v<T>) {
    return plain_varying(x);
  } else {
    using value = plain_value_t<T>;
    static_assert(CompositeElement<value>, "lanefold: a value of a group algorithm in a lane-generic kernel is a "
                                           "varying, a mask, an arithmetic type or a trivially copyable class");
    return varying_of<value, Lanes>(x);
  }
}

/// The element type of a value that a kernel gave to a group with Lanes.
template <class Lanes, class T>
struct element_of_value {
  using type = typename decltype(lane_value<Lanes>(std::declval<const T&>()))::value_type;
};
template <class T>
struct element_of_value<scalar, T> {
  using type = plain_value_t<T>;
};
template <class G, class T>
using group_element_t = typename element_of_value<typename G::lanes, std::remove_cvref_t<T>>::type;

/// The lanes that are work-items: the first `active_count`.
template <class Lanes>
LANEFOLD_ALWAYS_INLINE std::size_t active_count(const lane_context<Lanes>& context) {
  return context.all ? Lanes::size : context.active.count();
}

/// `v` where lanes are work-items, `otherwise` elsewhere.
template <class Lanes, class V>
LANEFOLD_ALWAYS_INLINE V active_or(const lane_context<Lanes>& context, const V& v,
                                   const typename V::value_type& otherwise) {
  return context.all ? v : V(select(context.active, v, otherwise));
}

/// The first `count` lanes combined one after the other.
template <class V, class Op>
LANEFOLD_COLD typename V::value_type reduce_first_lanes(V v, std::size_t count, const Op& op) {
  using T = typename V::value_type;
  alignas(64) T lanes[V::size()];
  v.store(lanes);
  T total = lanes[0];
  for (std::size_t i = 1; i < count; ++i) {
    total = static_cast<T>(op(total, lanes[i]));
  }
  return total;
}

/// The work-items of one unit combined in their order.
template <class Lanes, class V, class Op>
LANEFOLD_ALWAYS_INLINE typename V::value_type reduce_unit(const lane_context<Lanes>& context, const V& v,
                                                          const Op& op) {
  using T = typename V::value_type;
  if constexpr (has_known_identity_v<Op, T>) {
    return reduce(active_or(context, v, known_identity_v<Op, T>), op);
  } else {
    return context.all ? reduce(v, op) : reduce_first_lanes(v, active_count(context), op);
  }
}

/// Returns whether units can fold their values lane by lane: any pairing of operands will do, and inactive lanes can be
/// filled.
template <class V, class Op>
constexpr bool folds_by_lanes() {
  using T = typename V::value_type;
  if constexpr (CompositeElement<T>) {
    return false;
  } else {
    using typed = std::remove_cvref_t<decltype(typed_operator<T>(std::declval<const Op&>()))>;
    return takes_varyings<typed, V> && is_commutative_v<Op> && has_known_identity_v<Op, T> && V::register_lanes > 1;
  }
}

/// op(a, lane) for each lane.
template <class V, class Op>
LANEFOLD_ALWAYS_INLINE V combined_from_left(const Op& op, const typename V::value_type& a, const V& v) {
  return combined_lanes(op, V(a), v);
}

/// The first lane, or the one at `lane`, of what a kernel gave: uniform.
template <class T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE T lane_at(const varying<T, N, Isa>& v, std::size_t lane) {
  if constexpr (CompositeElement<T>) {
    return v.lane(lane);
  } else {
    return __builtin_constant_p(lane) ? v[lane] : broadcast(v, lane);
  }
}
template <std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE bool lane_at(const mask<N, Isa>& m, std::size_t lane) {
  return m[lane];
}

/// The value that a kernel gave, converted to T.
template <class T, class G, class V>
LANEFOLD_ALWAYS_INLINE auto converted(const V& x) {
  if constexpr (has_lanes_v<G>) {
    return convert<T>(lane_value<typename G::lanes>(x));
  } else {
    return static_cast<T>(x);
  }
}

/// Returns what a lane-generic kernel gave, moved by `move`; masks are moved as bytes.
template <class G, class T, class Move>
LANEFOLD_ALWAYS_INLINE auto shuffle_lanes(const T& x, Move move) {
  const auto v = lane_value<typename G::lanes>(x);
  if constexpr (is_mask_v<decltype(v)>) {
    return move(varying_of<std::uint8_t, typename G::lanes>(v)) != std::uint8_t(0);
  } else {
    return move(v);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
