// SPDX-License-Identifier: Apache-2.0
/// Forward declarations of what the graph has and kernels mention, and the other way round.
#pragma once

#include <lanefold/execution/access.hpp>

#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

class handler;

template <class T>
class buffer_allocator;
template <class T, int D = 1, class Allocator = buffer_allocator<std::remove_const_t<T>>>
class buffer;

template <class T, int D = 1, access_mode Mode = std::is_const_v<T> ? access_mode::read : access_mode::read_write,
          target Target = target::device, access::placeholder Placeholder = access::placeholder::false_t>
class accessor;
template <class T, int D = 1, access_mode Mode = std::is_const_v<T> ? access_mode::read : access_mode::read_write>
class host_accessor;

// <lanefold/memory/device_global.hpp> defines these.
namespace ext::oneapi::experimental {
template <class T, class Properties>
class device_global;
} // namespace ext::oneapi::experimental
namespace detail {
template <class T, class P>
std::byte* memory_of(const ext::oneapi::experimental::device_global<T, P>& x) noexcept;
} // namespace detail

LANEFOLD_END_NAMESPACE
