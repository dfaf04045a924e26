// SPDX-License-Identifier: Apache-2.0
/// Says what counts as a group.
#pragma once

#include <lanefold/execution/group.hpp>
#include <lanefold/execution/sub_group.hpp>

#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

/// Is true if T is a work-group or a sub-group. [sycl.4.17.1]
template <class T>
struct is_group : std::false_type {};
template <int D, class Lanes>
struct is_group<group<D, Lanes>> : std::true_type {};
template <class Lanes>
struct is_group<sub_group_of<Lanes>> : std::true_type {};
template <class T>
inline constexpr bool is_group_v = is_group<std::remove_cvref_t<T>>::value;

namespace detail {

/// Is true if T is (part of) a sub-group, whose work-items can shuffle.
template <class T>
struct is_sub_group : std::false_type {};
template <class Lanes>
struct is_sub_group<sub_group_of<Lanes>> : std::true_type {};

template <class T>
inline constexpr bool has_lanes_v = !std::is_same_v<typename T::lanes, scalar>;

} // namespace detail

/// A group of work-items that can call the algorithms.
template <class T>
concept Group = is_group_v<T>;
template <class T>
concept SubGroup = Group<T> && detail::is_sub_group<std::remove_cvref_t<T>>::value;
/// Is a group whose work-items run here; others are recorded for a device.
template <class T>
concept HostGroup = Group<T> && !requires { typename T::lanes::is_recorded; };

LANEFOLD_END_NAMESPACE
