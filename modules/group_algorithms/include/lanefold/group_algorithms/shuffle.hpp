// SPDX-License-Identifier: Apache-2.0
/// Values moved between the work-items of a sub-group. [sycl.4.17.4.4]
#pragma once

#include <lanefold/group_algorithms/detail/lane_values.hpp>
#include <lanefold/group_algorithms/detail/uniform_check.hpp>

#include <cstdint>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Each work-item of a sub-group stores its value and gets that of `from(position)`, or its own where there is none.
template <class Key, class G, class T, class From>
LANEFOLD_ALWAYS_INLINE T shuffle_work_items(const G& g, const T& x, From from) {
  const auto here = meeting_point<G>::template arrive<Key, T, G>(g);
  T* const values = here.template data<T>(here.units());
  new (values + here.position()) T(x);
  here.wait();
  const std::size_t source = from(here.position());
  return values[source < here.units() ? source : here.position()];
}

/// Is true if the work-items of a G are neighbours in its registers; those of a part of a `binary_partition` are not.
template <class G>
inline constexpr bool has_neighbours = !in_parts<G> || requires { group_access<G>::neighbours; };

/// The values of x of the lanes at `from`, which are positions in the parts of the calling unit.
template <class G, class T, class Positions>
LANEFOLD_ALWAYS_INLINE auto select_in_parts(const G& g, const T& x, const Positions& from) {
  using V = varying_of<std::uint32_t, typename G::lanes>;
  const V lanes = group_access<G>::lanes_at(g, V(converted<std::uint32_t, G>(from)));
  return shuffle_lanes<G>(x, [&](const auto& v) LANEFOLD_INLINE_LAMBDA { return permute(v, lanes); });
}

} // namespace detail

/// Gives each work-item the value of x of the work-item `delta` positions after it; unspecified where there is none.
/// `x` is uniform, varying or a mask, of any trivially copyable type; `delta` is uniform.
/// To be called by all work-items of the sub-group, in converged code (errc::kernel otherwise).
/// Cost: nothing but a few moves in registers for lanes (parts of a `binary_partition` look lanes up); one barrier of
/// the sub-group in work-item kernels.
// [sycl.4.17.4.4]
template <SubGroup G, class T>
LANEFOLD_ALWAYS_INLINE auto shift_group_left(const G& g, const T& x, typename G::linear_id_type delta = 1) {
  detail::check_converged(g);
  detail::check_uniform(g, "shift_group_left", "delta", delta);
  if constexpr (!detail::has_neighbours<G>) {
    return detail::select_in_parts(g, x, detail::group_access<G>::item_position(g) + delta);
  } else if constexpr (detail::has_lanes_v<G>) {
    return detail::shuffle_lanes<G>(x, [=](const auto& v) LANEFOLD_INLINE_LAMBDA { return shift_left(v, delta); });
  } else {
    return detail::shuffle_work_items<struct shift_left_key>(g, detail::group_element_t<G, T>(x),
                                                             [=](std::size_t i) { return i + delta; });
  }
}

/// Gives each work-item the value of x of the work-item `delta` positions before it. Otherwise as `shift_group_left`.
// [sycl.4.17.4.4]
template <SubGroup G, class T>
LANEFOLD_ALWAYS_INLINE auto shift_group_right(const G& g, const T& x, typename G::linear_id_type delta = 1) {
  detail::check_converged(g);
  detail::check_uniform(g, "shift_group_right", "delta", delta);
  if constexpr (!detail::has_neighbours<G>) {
    return detail::select_in_parts(g, x, detail::group_access<G>::item_position(g) - delta);
  } else if constexpr (detail::has_lanes_v<G>) {
    return detail::shuffle_lanes<G>(x, [=](const auto& v) LANEFOLD_INLINE_LAMBDA { return shift_right(v, delta); });
  } else {
    return detail::shuffle_work_items<struct shift_right_key>(g, detail::group_element_t<G, T>(x),
                                                              [=](std::size_t i) { return i - delta; });
  }
}

/// Gives each work-item the value of x of the work-item whose position is its own ^ `mask`, which is uniform;
/// unspecified where there is none. Otherwise as `shift_group_left`.
// [sycl.4.17.4.4]
template <SubGroup G, class T>
LANEFOLD_ALWAYS_INLINE auto permute_group_by_xor(const G& g, const T& x, typename G::linear_id_type mask) {
  detail::check_converged(g);
  detail::check_uniform(g, "permute_group_by_xor", "mask", mask);
  if constexpr (!detail::has_neighbours<G>) {
    return detail::select_in_parts(g, x, detail::group_access<G>::item_position(g) ^ mask);
  } else if constexpr (detail::in_parts<G>) {
    const auto within = mask % static_cast<std::uint32_t>(G::chunk_size);
    return detail::shuffle_lanes<G>(x, [=](const auto& v) LANEFOLD_INLINE_LAMBDA { return xor_exchange(v, within); });
  } else if constexpr (detail::has_lanes_v<G>) {
    return detail::shuffle_lanes<G>(x, [=](const auto& v) LANEFOLD_INLINE_LAMBDA { return xor_exchange(v, mask); });
  } else {
    return detail::shuffle_work_items<struct permute_key>(g, detail::group_element_t<G, T>(x),
                                                          [=](std::size_t i) { return i ^ mask; });
  }
}

/// Gives each work-item the value of x of the work-item at position `remote_local_id` of the sub-group, which each
/// chooses for itself; unspecified where there is none. Otherwise as `shift_group_left`; for lanes the cost is that of
/// a lookup in the registers of x.
// [sycl.4.17.4.4]
template <SubGroup G, class T, class Position>
LANEFOLD_ALWAYS_INLINE auto select_from_group(const G& g, const T& x, const Position& remote_local_id) {
  detail::check_converged(g);
  if constexpr (detail::in_parts<G>) {
    return detail::select_in_parts(g, x, remote_local_id);
  } else if constexpr (detail::has_lanes_v<G>) {
    const auto from = detail::lane_value<typename G::lanes>(remote_local_id);
    return detail::shuffle_lanes<G>(x, [&](const auto& v) LANEFOLD_INLINE_LAMBDA { return permute(v, from); });
  } else {
    const std::size_t from = id<1>(remote_local_id)[0];
    return detail::shuffle_work_items<struct select_key>(g, detail::group_element_t<G, T>(x),
                                                         [=](std::size_t) { return from; });
  }
}

LANEFOLD_END_NAMESPACE
