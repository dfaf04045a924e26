// SPDX-License-Identifier: Apache-2.0
// Queues that record their commands to a graph.
#include "command.hpp"
#include "graph_nodes.hpp"
#include "scheduler.hpp"
#include "whole_handler.hpp"

#include <lanefold/exception.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

[[noreturn]] void refuse_recording(const char* why) { throw exception(make_error_code(errc::invalid), why); }

} // namespace

graph_nodes::~graph_nodes() {
  for (auto& [key, q] : m_queues) {
    q.state->end(this);
  }
}

std::optional<event> graph_nodes::record(handler& h, const graph_recording& from,
                                         const std::shared_ptr<queue_state>& queue) {
  const std::lock_guard lock(m_guard);
  return record_command(h, from, queue);
}

/// Under m_guard.
std::optional<event> graph_nodes::record_command(handler& h, const graph_recording& from,
                                                 const std::shared_ptr<queue_state>& queue) {
  const auto found = m_queues.find(&from);
  if (found == m_queues.end() || !found->second.is_recording || !h.m_contents.source) { // no source: it began before
    return std::nullopt;
  }
  recorded_queue& q = found->second;
  const std::shared_ptr<node_command> told = take(h);
  const std::vector<event> after = told->take_dependencies();
  std::vector<std::uint32_t> before = numbers_of(after);
  const bool is_barrier = told->type() == ext::oneapi::experimental::node_type::ext_oneapi_barrier;
  if (is_barrier && after.empty()) {
    before = q.nodes;
  }
  if (q.has_barrier) {
    before.push_back(q.barrier);
  }
  if (queue->is_in_order() && !q.nodes.empty()) {
    before.push_back(q.nodes.back());
  }
  const void* const memory = told->source().freed;
  const std::shared_ptr<graph_block> freed = memory == nullptr ? nullptr : allocated_at(memory);
  graph_node& added = insert(told, told->uses(), before);
  q.nodes.push_back(added.number);
  if (freed && queue->is_in_order()) {
    q.freed.push_back(freed);
  }
  if (is_barrier) {
    q.has_barrier = true;
    q.barrier = added.number;
  }
  command_ptr mark = command_ptr::adopt(new command(scheduler::executor_for(m_settings.threads), queue, nullptr));
  mark->record(std::shared_ptr<graph_node>(shared_from_this(), &added));
  return event(std::move(mark));
}

std::shared_ptr<graph_nodes> graph_nodes::recorded_by(const queue& q) {
  return std::dynamic_pointer_cast<graph_nodes>(q.recording()->recorder());
}

/// Under m_guard.
bool graph_nodes::is_recording() const noexcept {
  return std::any_of(m_queues.begin(), m_queues.end(), [](const auto& entry) { return entry.second.is_recording; });
}

void graph_nodes::begin_recording(queue& q) {
  const std::lock_guard lock(m_guard);
  begin(q);
}

std::optional<event> graph_nodes::join_recording(queue& q, handler& h, const std::shared_ptr<queue_state>& state) {
  const std::lock_guard lock(m_guard);
  if (!is_recording()) {
    return std::nullopt;
  }
  begin(q);
  try {
    return record_command(h, *q.recording(), state);
  } catch (...) {
    end(*q.recording());
    throw;
  }
}

/// Under m_guard.
void graph_nodes::begin(queue& q) {
  if (q.get_context() != m_context || q.get_device() != m_device) {
    refuse_recording("begin_recording: the queue has another device or context than the graph");
  }
  recorded_queue& recorded = m_queues[q.recording().get()];
  recorded.state = q.recording();
  if (q.recording()->recorder() || !q.recording()->begin(shared_from_this())) {
    refuse_recording("begin_recording: the queue records to a graph already");
  }
  recorded.is_recording = true;
}

/// Under m_guard: returns false, and does nothing, if the queue does not record to this graph.
bool graph_nodes::end(graph_recording& of) {
  const auto found = m_queues.find(&of);
  if (found == m_queues.end() || !found->second.is_recording) {
    return false;
  }
  found->second.is_recording = false;
  of.end(this);
  return true;
}

void graph_nodes::end_recording(queue& q) {
  const std::lock_guard lock(m_guard);
  if (!end(*q.recording()) && q.recording()->recorder()) {
    refuse_recording("end_recording: the queue records to another graph");
  }
}

void graph_nodes::end_recording() {
  const std::lock_guard lock(m_guard);
  for (auto& [key, q] : m_queues) {
    q.is_recording = false;
    q.state->end(this);
  }
}

} // namespace detail

/// Where the command depends on a node, it is one of its graph, to which the queue records from here on.
std::optional<event> queue::join_recording(handler& h) {
  for (const event& e : h.m_contents.dependencies) {
    const std::shared_ptr<detail::graph_node> before = e.is_recorded() ? e.command()->node() : nullptr;
    const std::shared_ptr<detail::graph_nodes> home = before ? before->home.lock() : nullptr;
    if (std::optional<event> recorded = home ? home->join_recording(*this, h, commands().lock()) : std::nullopt) {
      return recorded;
    }
  }
  return std::nullopt;
}

ext::oneapi::experimental::command_graph<> queue::ext_oneapi_get_graph() const {
  std::shared_ptr<detail::graph_nodes> to = detail::graph_nodes::recorded_by(*this);
  if (!to) {
    throw exception(make_error_code(errc::invalid),
                    "ext_oneapi_get_graph: the queue does not record; command_graph::begin_recording starts that");
  }
  return ext::oneapi::experimental::command_graph<>(std::move(to));
}

LANEFOLD_END_NAMESPACE
