// SPDX-License-Identifier: Apache-2.0
/// Says which types kernels may share with the host. [sycl.3.13.1]
#pragma once

#include <lanefold/version.hpp>

#include <array>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE

/// Is true for types whose objects may be copied byte by byte: the trivially copyable ones, pairs, tuples, arrays and
/// optionals of such, and those for which a program specialises it. Buffers and USM copies take these.
template <class T>
struct is_device_copyable : std::is_trivially_copyable<T> {};
template <class T>
  requires(!std::is_trivially_copyable_v<T>)
struct is_device_copyable<const T> : is_device_copyable<T> {};
template <class T, std::size_t N>
  requires(!std::is_trivially_copyable_v<std::array<T, N>>)
struct is_device_copyable<std::array<T, N>> : is_device_copyable<T> {};
template <class T, std::size_t N>
  requires(!std::is_trivially_copyable_v<T>)
struct is_device_copyable<T[N]> : is_device_copyable<T> {};
template <class T>
  requires(!std::is_trivially_copyable_v<std::optional<T>>)
struct is_device_copyable<std::optional<T>> : is_device_copyable<T> {};
template <class T, class U>
  requires(!std::is_trivially_copyable_v<std::pair<T, U>>)
struct is_device_copyable<std::pair<T, U>>
    : std::bool_constant<is_device_copyable<T>::value && is_device_copyable<U>::value> {};
template <class... T>
  requires(!std::is_trivially_copyable_v<std::tuple<T...>>)
struct is_device_copyable<std::tuple<T...>> : std::bool_constant<(is_device_copyable<T>::value && ...)> {};

template <class T>
inline constexpr bool is_device_copyable_v = is_device_copyable<T>::value;

LANEFOLD_END_NAMESPACE
