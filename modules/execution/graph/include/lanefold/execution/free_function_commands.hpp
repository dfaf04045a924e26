// SPDX-License-Identifier: Apache-2.0
/// Commands as free functions, as the extension SYCL_KHR_FREE_FUNCTION_COMMANDS spells them: each takes a handler,
/// whose command it becomes, or a queue, to which it is submitted. They return nothing; submit_tracked returns an
/// event.
#pragma once

#include <lanefold/execution/nd_range.hpp>
#include <lanefold/execution/queue.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace khr {
namespace detail {

/// Is a handler, or a queue, which may be a temporary one.
template <class Where>
concept takes_commands = std::same_as<Where, handler&> || std::same_as<std::remove_cvref_t<Where>, queue>;

/// Calls `action(handler&)`.
template <class Action>
void command(handler& h, const Action& action) {
  action(h);
}
template <class Action>
void command(const queue& q, const Action& action) {
  queue(q).submit(action);
}

} // namespace detail

/// See queue::submit.
template <class Group>
void submit(const queue& q, Group&& group) {
  queue(q).submit(std::forward<Group>(group));
}
template <class Group>
[[nodiscard]] event submit_tracked(const queue& q, Group&& group) {
  return queue(q).submit(std::forward<Group>(group));
}

// Kernels over a range, over an ND-range of `items` in groups of `size`, and single tasks; see handler::parallel_for.
// Reductions stand behind the kernel.

#define LANEFOLD_DETAIL_LAUNCHES(D)                                                                                    \
  template <class Name = lanefold::detail::unnamed, detail::takes_commands Where, class Kernel,                        \
            bool Records = lanefold::detail::records_kernels<Kernel>,                                                  \
            unsigned PlainSize = lanefold::detail::plain_sub_group_size>                                               \
  void launch(Where&& where, range<D> items, const Kernel& kernel) {                                                   \
    detail::command(where, [&](handler& h) { h.template parallel_for<Name>(items, kernel); });                         \
  }                                                                                                                    \
  template <class Name = lanefold::detail::unnamed, detail::takes_commands Where, class Kernel, class... Reductions,   \
            bool Records = lanefold::detail::records_kernels<Kernel>,                                                  \
            unsigned PlainSize = lanefold::detail::plain_sub_group_size>                                               \
    requires(sizeof...(Reductions) > 0)                                                                                \
  void launch_reduce(Where&& where, range<D> items, const Kernel& kernel, Reductions&&... reductions) {                \
    detail::command(where, [&](handler& h) { h.template parallel_for<Name>(items, reductions..., kernel); });          \
  }                                                                                                                    \
  template <class Name = lanefold::detail::unnamed, detail::takes_commands Where, class Kernel,                        \
            bool Records = lanefold::detail::records_kernels<Kernel>,                                                  \
            unsigned PlainSize = lanefold::detail::plain_sub_group_size>                                               \
  void launch_grouped(Where&& where, range<D> items, range<D> size, const Kernel& kernel) {                            \
    detail::command(where, [&](handler& h) { h.template parallel_for<Name>(nd_range<D>(items, size), kernel); });      \
  }                                                                                                                    \
  template <class Name = lanefold::detail::unnamed, detail::takes_commands Where, class Kernel, class... Reductions,   \
            bool Records = lanefold::detail::records_kernels<Kernel>,                                                  \
            unsigned PlainSize = lanefold::detail::plain_sub_group_size>                                               \
    requires(sizeof...(Reductions) > 0)                                                                                \
  void launch_grouped_reduce(Where&& where, range<D> items, range<D> size, const Kernel& kernel,                       \
                             Reductions&&... reductions) {                                                             \
    detail::command(                                                                                                   \
        where, [&](handler& h) { h.template parallel_for<Name>(nd_range<D>(items, size), reductions..., kernel); });   \
  }
LANEFOLD_DETAIL_LAUNCHES(1)
LANEFOLD_DETAIL_LAUNCHES(2)
LANEFOLD_DETAIL_LAUNCHES(3)
#undef LANEFOLD_DETAIL_LAUNCHES

template <class Name = lanefold::detail::unnamed, detail::takes_commands Where, class Kernel,
          bool Records = lanefold::detail::records_kernels<Kernel>,
          unsigned PlainSize = lanefold::detail::plain_sub_group_size>
void launch_task(Where&& where, const Kernel& kernel) {
  detail::command(where, [&](handler& h) { h.template single_task<Name>(kernel); });
}

// Operations on memory, see handler. Placeholder accessors need no require() where they are given to a queue.

template <detail::takes_commands Where>
void memcpy(Where&& where, void* to, const void* from, std::size_t bytes) {
  detail::command(where, [&](handler& h) { h.memcpy(to, from, bytes); });
}
template <detail::takes_commands Where, class T>
void copy(Where&& where, const T* from, T* to, std::size_t count) {
  detail::command(where, [&](handler& h) { h.copy(from, to, count); });
}
/// One of the two is an accessor, the other one, too, or a pointer.
template <detail::takes_commands Where, class From, class To>
  requires(lanefold::detail::is_accessor<From> || lanefold::detail::is_accessor<To>)
void copy(Where&& where, const From& from, const To& to) {
  if constexpr (std::same_as<Where, handler&>) {
    where.copy(from, to);
  } else {
    queue(where).copy(from, to);
  }
}
template <detail::takes_commands Where>
void memset(Where&& where, void* to, int value, std::size_t bytes) {
  detail::command(where, [&](handler& h) { h.memset(to, value, bytes); });
}
template <detail::takes_commands Where, class T>
void fill(Where&& where, T* to, const std::type_identity_t<T>& pattern, std::size_t count) {
  detail::command(where, [&](handler& h) { h.fill(to, pattern, count); });
}
template <detail::takes_commands Where, class T, int D, access_mode Mode, target Target, access::placeholder P>
void fill(Where&& where, const accessor<T, D, Mode, Target, P>& to, const std::type_identity_t<T>& value) {
  if constexpr (std::same_as<Where, handler&>) {
    where.fill(to, value);
  } else {
    queue(where).fill(to, value);
  }
}
template <detail::takes_commands Where, class T, int D, access_mode Mode, target Target, access::placeholder P>
void update_host(Where&& where, const accessor<T, D, Mode, Target, P>& what) {
  if constexpr (std::same_as<Where, handler&>) {
    where.update_host(what);
  } else {
    queue(where).update_host(what);
  }
}
template <detail::takes_commands Where>
void prefetch(Where&& where, const void* memory, std::size_t bytes) {
  detail::command(where, [&](handler& h) { h.prefetch(memory, bytes); });
}
template <detail::takes_commands Where>
void mem_advise(Where&& where, const void* memory, std::size_t bytes, int advice) {
  detail::command(where, [&](handler& h) { h.mem_advise(memory, bytes, advice); });
}

/// Commands that the queue gets later wait for all that it got before.
template <detail::takes_commands Where>
void command_barrier(Where&& where) {
  detail::command(where, [&](handler& h) { h.ext_oneapi_barrier(); });
}
/// Commands that the queue gets later wait for these events.
template <detail::takes_commands Where>
void event_barrier(Where&& where, const std::vector<event>& events) {
  detail::command(where, [&](handler& h) { h.ext_oneapi_barrier(events); });
}

} // namespace khr
LANEFOLD_END_NAMESPACE
