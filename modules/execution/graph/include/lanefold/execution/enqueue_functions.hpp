// SPDX-License-Identifier: Apache-2.0
/// Commands as free functions, as sycl_ext_oneapi_enqueue_functions spells them: each takes a queue, to which it is
/// submitted, or a handler, whose command it becomes, and returns nothing.
#pragma once

#include <lanefold/execution/command_graph.hpp>
#include <lanefold/execution/free_function_commands.hpp>
#include <lanefold/execution/kernel_properties.hpp>

#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace ext::oneapi::experimental {

// These are the functions of SYCL_KHR_FREE_FUNCTION_COMMANDS.
using khr::copy;
using khr::fill;
using khr::mem_advise;
using khr::memcpy;
using khr::memset;
using khr::prefetch;

/// A range, or an nd_range, with launch properties.
template <class Range, class Properties = empty_properties_t>
class launch_config {
public:
  launch_config(Range range, Properties properties = {}) : m_range(range), m_properties(std::move(properties)) {}

  const Range& get_range() const noexcept { return m_range; }
  const Properties& get_properties() const noexcept { return m_properties; }

private:
  Range m_range;
  Properties m_properties;
};

/// See queue::submit.
template <class Group>
void submit(const queue& q, Group&& group) {
  queue(q).submit(std::forward<Group>(group));
}
template <class Group>
[[nodiscard]] event submit_with_event(const queue& q, Group&& group) {
  return queue(q).submit(std::forward<Group>(group));
}
/// No property of a submission is known.
template <class Group>
void submit(const queue& q, empty_properties_t, Group&& group) {
  experimental::submit(q, std::forward<Group>(group));
}
template <class Group>
[[nodiscard]] event submit_with_event(const queue& q, empty_properties_t, Group&& group) {
  return experimental::submit_with_event(q, std::forward<Group>(group));
}

template <class Name = lanefold::detail::unnamed, khr::detail::takes_commands Where, class Kernel,
          bool Records = lanefold::detail::records_kernels<Kernel>,
          unsigned PlainSize = lanefold::detail::plain_sub_group_size>
void single_task(Where&& where, const Kernel& kernel) {
  khr::detail::command(where, [&](handler& h) { h.template single_task<Name>(kernel); });
}

// A kernel over a range (parallel_for) or an nd_range (nd_launch), which may be in a launch_config; reductions stand
// behind it. See handler::parallel_for.
#define LANEFOLD_DETAIL_LAUNCH(function, Range, D)                                                                     \
  template <class Name = lanefold::detail::unnamed, khr::detail::takes_commands Where, class Kernel,                   \
            class... Reductions, bool Records = lanefold::detail::records_kernels<Kernel>,                             \
            unsigned PlainSize = lanefold::detail::plain_sub_group_size>                                               \
  void function(Where&& where, Range<D> items, const Kernel& kernel, Reductions&&... reductions) {                     \
    khr::detail::command(where, [&](handler& h) { h.template parallel_for<Name>(items, reductions..., kernel); });     \
  }                                                                                                                    \
  template <class Name = lanefold::detail::unnamed, khr::detail::takes_commands Where, class Properties, class Kernel, \
            class... Reductions, bool Records = lanefold::detail::records_kernels<Kernel>,                             \
            unsigned PlainSize = lanefold::detail::plain_sub_group_size>                                               \
  void function(Where&& where, const launch_config<Range<D>, Properties>& config, const Kernel& kernel,                \
                Reductions&&... reductions) {                                                                          \
    khr::detail::command(where, [&](handler& h) {                                                                      \
      h.template parallel_for<Name>(config.get_range(), config.get_properties(), reductions..., kernel);               \
    });                                                                                                                \
  }
LANEFOLD_DETAIL_LAUNCH(parallel_for, range, 1)
LANEFOLD_DETAIL_LAUNCH(parallel_for, range, 2)
LANEFOLD_DETAIL_LAUNCH(parallel_for, range, 3)
LANEFOLD_DETAIL_LAUNCH(nd_launch, nd_range, 1)
LANEFOLD_DETAIL_LAUNCH(nd_launch, nd_range, 2)
LANEFOLD_DETAIL_LAUNCH(nd_launch, nd_range, 3)
#undef LANEFOLD_DETAIL_LAUNCH

/// Commands that the queue gets later wait for all that it got before.
template <khr::detail::takes_commands Where>
void barrier(Where&& where) {
  khr::command_barrier(std::forward<Where>(where));
}
/// Commands that the queue gets later wait for these events.
template <khr::detail::takes_commands Where>
void partial_barrier(Where&& where, const std::vector<event>& events) {
  khr::event_barrier(std::forward<Where>(where), events);
}

/// Runs the graph.
template <khr::detail::takes_commands Where>
void execute_graph(Where&& where, const command_graph<graph_state::executable>& graph) {
  khr::detail::command(where, [&](handler& h) { h.ext_oneapi_graph(graph); });
}

} // namespace ext::oneapi::experimental
LANEFOLD_END_NAMESPACE
