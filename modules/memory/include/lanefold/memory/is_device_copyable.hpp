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

#ifdef LANEFOLD_PLAIN_SYCL
namespace sycl {
/// A template of its own, as programs may specialise it in a `namespace sycl` of theirs: what lanefold's says, or the
/// program.
template <class T>
struct is_device_copyable;
} // namespace sycl
#endif

LANEFOLD_BEGIN_NAMESPACE

/// Is true for types whose objects may be copied byte by byte: the trivially copyable ones, pairs, tuples, arrays and
/// optionals of such, and those for which a program specialises it. Buffers and USM copies take these.
template <class T>
struct is_device_copyable : std::is_trivially_copyable<T> {};

#ifdef LANEFOLD_PLAIN_SYCL
template <class T>
inline constexpr bool is_device_copyable_v = ::sycl::is_device_copyable<T>::value;
#else
template <class T>
inline constexpr bool is_device_copyable_v = is_device_copyable<T>::value;
#endif

template <class T>
  requires(!std::is_trivially_copyable_v<T>)
struct is_device_copyable<const T> : std::bool_constant<is_device_copyable_v<T>> {};
template <class T, std::size_t N>
  requires(!std::is_trivially_copyable_v<std::array<T, N>>)
struct is_device_copyable<std::array<T, N>> : std::bool_constant<is_device_copyable_v<T>> {};
template <class T, std::size_t N>
  requires(!std::is_trivially_copyable_v<T>)
struct is_device_copyable<T[N]> : std::bool_constant<is_device_copyable_v<T>> {};
template <class T>
  requires(!std::is_trivially_copyable_v<std::optional<T>>)
struct is_device_copyable<std::optional<T>> : std::bool_constant<is_device_copyable_v<T>> {};
template <class T, class U>
  requires(!std::is_trivially_copyable_v<std::pair<T, U>>)
struct is_device_copyable<std::pair<T, U>> : std::bool_constant<is_device_copyable_v<T> && is_device_copyable_v<U>> {};
template <class... T>
  requires(!std::is_trivially_copyable_v<std::tuple<T...>>)
struct is_device_copyable<std::tuple<T...>> : std::bool_constant<(is_device_copyable_v<T> && ...)> {};

LANEFOLD_END_NAMESPACE

#ifdef LANEFOLD_PLAIN_SYCL
template <class T>
struct sycl::is_device_copyable : lanefold::is_device_copyable<T> {};
#endif
