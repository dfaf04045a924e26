// SPDX-License-Identifier: Apache-2.0
/// Forward declarations of what the graph has and kernels mention.
#pragma once

#include <lanefold/execution/access.hpp>

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

LANEFOLD_END_NAMESPACE
