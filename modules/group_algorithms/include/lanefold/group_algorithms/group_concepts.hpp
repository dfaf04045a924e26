// SPDX-License-Identifier: Apache-2.0
/// Says what counts as a group, and where the values of a group may lie.
#pragma once

#include <lanefold/execution/group.hpp>
#include <lanefold/execution/sub_group.hpp>

#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

/// Is true if T is a group whose work-items can call the algorithms: a work-group, a sub-group, a part of one, a scoped
/// group. [sycl.4.17.1]
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

/// Is true if a Memory holds one value for each work-item of a G, in linear order: private memory of scoped groups. A
/// specialisation has `check(group, function)`, which throws where `function` may not be called.
template <class G, class Memory>
struct values_in_memory : std::false_type {};

/// Memory that holds the values of a G, which an algorithm takes instead of a value of each calling work-item.
template <class Memory, class G>
concept ValuesOf = values_in_memory<G, Memory>::value;

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
