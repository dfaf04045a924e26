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

/// The namespace is at global scope, or in an inline one (<CL/sycl.hpp>), as whoever declares it first has it.
#define LANEFOLD_DETAIL_NAMESPACE_SYCL 1
namespace sycl {
/// Says what lanefold's says, unless a program specialises it in a `namespace sycl` of its own: so it is a template of
/// its own, which every source file declares, whether it includes <sycl/sycl.hpp> or not.
template <class T>
struct is_device_copyable;
} // namespace sycl

LANEFOLD_BEGIN_NAMESPACE

/// Is true for types whose objects may be copied byte by byte: the trivially copyable ones, pairs, tuples, arrays and
/// optionals of such, and those for which a program specialises it.
template <class T>
struct is_device_copyable : std::is_trivially_copyable<T> {};

/// Asks the program's specialisations of either template.
template <class T>
inline constexpr bool is_device_copyable_v = ::sycl::is_device_copyable<T>::value;

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

/// Is true for types that is_device_copyable, and for those that have functions of their own for copies, but nothing to
/// do when they end: their bytes are their value. Buffers and copies of memory take these, as other implementations do.
template <class T>
inline constexpr bool copied_by_bytes_v = is_device_copyable_v<T> || std::is_trivially_destructible_v<T>;

LANEFOLD_END_NAMESPACE

template <class T>
struct sycl::is_device_copyable : lanefold::is_device_copyable<T> {};
