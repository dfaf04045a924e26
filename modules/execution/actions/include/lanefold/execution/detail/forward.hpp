// SPDX-License-Identifier: Apache-2.0
/// Forward declarations of what the graph has and kernels mention, and the other way round, and of what queues and
/// handlers mention of command graphs.
#pragma once

#include <lanefold/execution/access.hpp>

#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

class handler;
template <int D>
class nd_range;

template <class T>
class buffer_allocator;
template <class T, int D = 1, class Allocator = buffer_allocator<std::remove_const_t<T>>>
class buffer;

template <class T, int D = 1, access_mode Mode = std::is_const_v<T> ? access_mode::read : access_mode::read_write,
          target Target = target::device, access::placeholder Placeholder = access::placeholder::false_t>
class accessor;
template <class T, int D = 1, access_mode Mode = std::is_const_v<T> ? access_mode::read : access_mode::read_write>
class host_accessor;
namespace detail {
template <class T, int D, access_mode Mode>
class older_host_accessor;
} // namespace detail

namespace ext::oneapi::experimental {

enum class graph_state { modifiable, executable };
/// A graph of commands, see command_graph.hpp.
template <graph_state State = graph_state::modifiable>
class command_graph;
class dynamic_command_group;
template <class T>
class dynamic_parameter;

/// Says what the command of a node does.
enum class node_type {
  empty,
  subgraph,
  kernel,
  memcpy,
  memset,
  memfill,
  prefetch,
  memadvise,
  ext_oneapi_barrier,
  host_task,
  async_malloc,
  async_free
};

/// Says what a queue does with commands: it runs them, or they become nodes of a graph.
enum class queue_state { executing, recording };

// <lanefold/memory/device_global.hpp> defines this, and memory_of.
template <class T, class Properties>
class device_global;
} // namespace ext::oneapi::experimental
namespace detail {
template <class T, class P>
std::byte* memory_of(const ext::oneapi::experimental::device_global<T, P>& x) noexcept;

template <class A>
inline constexpr bool is_accessor = false;
template <class T, int D, access_mode Mode, target Target, access::placeholder P>
inline constexpr bool is_accessor<accessor<T, D, Mode, Target, P>> = true;

/// Requires what is an accessor.
template <class Handler, class A>
void require_accessor(Handler& command, const A& argument) {
  if constexpr (is_accessor<A>) {
    command.require(argument);
  }
}

/// Says where a local accessor lies in the local memory of a group.
struct local_allocation {
  std::size_t offset;
  std::size_t bytes;
};

/// The names of commands of no kernel, in messages.
struct host_task;
struct memory_copy;
struct memory_fill;
struct memory_hint;

} // namespace detail

LANEFOLD_END_NAMESPACE
