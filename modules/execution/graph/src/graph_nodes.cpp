// SPDX-License-Identifier: Apache-2.0
#include "graph_nodes.hpp"

#include "command.hpp"
#include "graph_drawing.hpp"
#include "subgraph.hpp"

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/buffer_state.hpp>
#include <lanefold/execution/dynamic_parameter.hpp>

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

using ext::oneapi::experimental::node_type;
namespace graph_property = ext::oneapi::experimental::property;

namespace {

[[noreturn]] void refuse_graph(const std::string& why) { throw exception(make_error_code(errc::invalid), why); }

/// Returns whether a node that requires `later` must come after one that requires `earlier`, of the same buffer.
bool are_ordered(const buffer_requirement& earlier, const buffer_requirement& later) noexcept {
  return (earlier.kind.writes || later.kind.writes) && earlier.object_begin < later.object_end &&
         later.object_begin < earlier.object_end;
}

/// Returns whether nodes that would have to come after `earlier` come after `later` anyway.
bool replaces(const buffer_requirement& later, const buffer_requirement& earlier) noexcept {
  return later.kind.writes && later.object_begin <= earlier.object_begin && earlier.object_end <= later.object_end;
}

/// Returns false for nodes that stay as they were when they were added: graphs, allocations.
bool can_change(const node_command& of) noexcept { return !of.graph() && !of.source().is_of_memory(); }

std::size_t next_id() noexcept {
  static std::atomic<std::size_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

} // namespace

graph_nodes::graph_nodes(const queue& like, const property_list& properties)
    : m_settings(as_node(like.settings())), m_context(like.get_context()), m_device(like.get_device()),
      m_checks_cycles(!properties.has_property<graph_property::graph::no_cycle_check>()), m_id(next_id()) {
  if (properties.has_property<graph_property::graph::enable_native_recording>()) {
    throw exception(make_error_code(errc::feature_not_supported),
                    "command_graph: no backend of this library records by itself; leave out enable_native_recording");
  }
}

// ---- nodes

graph_nodes& graph_nodes::of(const ext::oneapi::experimental::command_graph<graph_state::modifiable>& handle) {
  return *handle.m_nodes;
}

/// Under m_guard: takes what the handler was told. From here on its dynamic parameters know the command; where they
/// have changed since the kernel was launched, it is launched again. Errors: those of node_command; errc::invalid for a
/// dynamic parameter of another graph.
std::shared_ptr<node_command> graph_nodes::take(handler& h) {
  auto command = std::make_shared<node_command>(std::move(h));
  for (const captured_parameter& p : command->source().parameters) {
    p.value->add(*this, command);
  }
  if (command->source().is_outdated()) {
    command->set(command->make_again());
  }
  return command;
}

std::shared_ptr<node_command> graph_nodes::make_command(handler& h) {
  const std::lock_guard lock(m_guard);
  return take(h);
}

ext::oneapi::experimental::node_type graph_nodes::type_of(const graph_node& of) const {
  const std::lock_guard lock(m_guard);
  return of.command->type();
}

std::vector<buffer_requirement> graph_nodes::uses_of(const node_command& of) const {
  const std::lock_guard lock(m_guard);
  return of.uses();
}

graph_nodes::node graph_nodes::add(handler& h, const property_list& properties) {
  const std::lock_guard lock(m_guard);
  refuse_while_recording();
  const std::shared_ptr<node_command> command = take(h);
  return handle(insert(command, command->uses(), numbers_of(command->take_dependencies(), properties)));
}

graph_nodes::node graph_nodes::add(const std::shared_ptr<node_command>& command,
                                   const std::vector<buffer_requirement>& uses, const std::vector<event>& after,
                                   const property_list& properties) {
  const std::lock_guard lock(m_guard);
  refuse_while_recording();
  return handle(insert(command, uses, numbers_of(after, properties)));
}

/// Under m_guard.
void graph_nodes::refuse_while_recording() const {
  if (is_recording()) {
    refuse_graph("command_graph: a queue records to this graph; nodes and edges are those of what is submitted to it, "
                 "until end_recording");
  }
}

/// Under m_guard; changes nothing if it throws errc::invalid.
graph_node& graph_nodes::insert(std::shared_ptr<node_command> command, const std::vector<buffer_requirement>& uses,
                                const std::vector<std::uint32_t>& after) {
  if (m_nodes.size() >= std::numeric_limits<std::uint32_t>::max() / 2) {
    refuse_graph("command_graph: too many nodes");
  }
  if (command->graph() && has_order(*command->graph(), m_order)) {
    refuse_graph("command_graph: a graph cannot be a node of the graph that it was made of");
  }
  note_memory(command->source());
  graph_node& added = m_nodes.emplace_back();
  added.home = weak_from_this();
  added.number = static_cast<std::uint32_t>(m_nodes.size() - 1);
  added.command = std::move(command);
  for (const std::uint32_t before : after) {
    add_edge(before, added.number);
  }
  add_edges_of_buffers(added.number, uses);
  add_edges_of_subgraph(added);
  return added;
}

/// Under m_guard: of nodes that are graphs with launches in common, one runs at a time.
void graph_nodes::add_edges_of_subgraph(const graph_node& added) {
  if (!added.command->graph()) {
    return;
  }
  for (const graph_node& earlier : m_nodes) {
    if (earlier.number != added.number && earlier.command->graph() &&
        shares_launches(*earlier.command->graph(), *added.command->graph())) {
      add_edge(earlier.number, added.number);
    }
  }
}

void graph_nodes::add_edges_of_buffers(std::uint32_t added, const std::vector<buffer_requirement>& uses) {
  for (const buffer_requirement& r : uses) {
    std::vector<use>& earlier = m_uses[r.buffer.get()];
    for (const use& u : earlier) {
      if (u.by != added && are_ordered(u.how, r)) {
        add_edge(u.by, added);
      }
    }
    std::erase_if(earlier, [&](const use& u) { return u.by != added && replaces(r, u.how); });
    earlier.push_back({added, r});
  }
}

/// Under m_guard.
void graph_nodes::add_edge(std::uint32_t from, std::uint32_t to) {
  std::vector<std::uint32_t>& before = m_nodes[to].before;
  if (std::find(before.begin(), before.end(), from) == before.end()) {
    before.push_back(from);
    m_nodes[from].after.push_back(to);
  }
}

void graph_nodes::set_command(std::uint32_t number, const std::shared_ptr<node_command>& command) {
  const std::lock_guard lock(m_guard);
  m_nodes[number].command = command;
}

void graph_nodes::make_again(const dynamic_value& changing, const std::function<void()>& exchange) {
  const std::lock_guard lock(m_guard);
  const std::vector<std::shared_ptr<node_command>> commands = changing.commands();
  exchange();
  std::vector<node_command::made> all;
  try {
    for (const std::shared_ptr<node_command>& command : commands) {
      all.push_back(command->make_again());
    }
  } catch (...) {
    exchange();
    throw;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    commands[i]->set(std::move(all[i]));
  }
}

void graph_nodes::make_over(const graph_node& n, const index_space& space) {
  const std::lock_guard lock(m_guard);
  n.command->set(n.command->make_over(space));
}

std::uint32_t graph_nodes::number_of(const std::shared_ptr<graph_node>& n) const {
  if (!n || n->home.lock().get() != this) {
    refuse_graph("command_graph: the node belongs to another graph, or to one that is gone");
  }
  return n->number;
}

std::vector<std::uint32_t> graph_nodes::numbers_of(const std::vector<event>& events) const {
  std::vector<std::uint32_t> found;
  for (const event& e : events) {
    if (!e.has_command()) {
      continue; // complete, whenever the graph runs
    }
    const command_ptr before = e.command();
    if (!before || !before->is_recorded()) {
      refuse_graph(
          "command_graph: a node cannot depend on a command that is no node: let the run of the graph depend on it");
    }
    found.push_back(number_of(before->node()));
  }
  return found;
}

/// Under m_guard.
std::vector<std::uint32_t> graph_nodes::numbers_of(const std::vector<event>& after,
                                                   const property_list& properties) const {
  std::vector<std::uint32_t> found = numbers_of(after);
  if (properties.has_property<graph_property::node::depends_on>()) {
    const auto named = properties.get_property<graph_property::node::depends_on>();
    for (const node& n : named.get_dependencies()) {
      found.push_back(number_of(n.m_state.share()));
    }
  }
  if (properties.has_property<graph_property::node::depends_on_all_leaves>()) {
    for (const graph_node& n : m_nodes) {
      if (n.after.empty()) {
        found.push_back(n.number);
      }
    }
  }
  return found;
}

// ---- edges

void graph_nodes::make_edge(const graph_node& from, const graph_node& to) {
  if (from.home.lock().get() != this || to.home.lock().get() != this) {
    refuse_graph("make_edge: a node belongs to another graph");
  }
  const std::lock_guard lock(m_guard);
  refuse_while_recording();
  if (from.number == to.number) {
    refuse_graph("make_edge: a node cannot come after itself");
  }
  if (m_checks_cycles && leads_to(to.number, from.number)) {
    refuse_graph("make_edge: node " + std::to_string(from.number) + " comes after node " + std::to_string(to.number) +
                 " already: the edge would make a cycle");
  }
  add_edge(from.number, to.number);
}

void graph_nodes::connect(std::uint32_t from, std::uint32_t to) {
  const std::lock_guard lock(m_guard);
  add_edge(from, to);
}

/// Under m_guard.
bool graph_nodes::leads_to(std::uint32_t from, std::uint32_t to) const {
  std::vector<bool> seen(m_nodes.size());
  std::vector<std::uint32_t> open{from};
  while (!open.empty()) {
    const std::uint32_t n = open.back();
    open.pop_back();
    if (n == to) {
      return true;
    }
    for (const std::uint32_t next : m_nodes[n].after) {
      if (!seen[next]) {
        seen[next] = true;
        open.push_back(next);
      }
    }
  }
  return false;
}

graph_nodes::node graph_nodes::handle(const graph_node& n) const {
  return node(std::shared_ptr<graph_node>(std::const_pointer_cast<graph_nodes>(shared_from_this()),
                                          const_cast<graph_node*>(&n)));
}

std::vector<graph_nodes::node> graph_nodes::nodes(bool only_roots) const {
  const std::lock_guard lock(m_guard);
  std::vector<node> found;
  for (const graph_node& n : m_nodes) {
    if (!only_roots || n.before.empty()) {
      found.push_back(handle(n));
    }
  }
  return found;
}

std::vector<graph_nodes::node> graph_nodes::neighbours(const graph_node& of, bool after) const {
  const std::lock_guard lock(m_guard);
  std::vector<node> found;
  for (const std::uint32_t n : after ? of.after : of.before) {
    found.push_back(handle(m_nodes[n]));
  }
  return found;
}

bool graph_nodes::is_empty() const {
  const std::lock_guard lock(m_guard);
  return m_nodes.empty();
}

std::string graph_nodes::drawing(bool verbose) const {
  const std::lock_guard lock(m_guard);
  return drawing_of(m_nodes, verbose);
}

// ---- what runs

std::shared_ptr<executable_graph> graph_nodes::finalize() {
  const std::lock_guard lock(m_guard);
  for (const graph_node& n : m_nodes) {
    for (const buffer_requirement& r : n.command->uses()) {
      if (r.buffer->is_closed()) {
        throw exception(make_error_code(errc::accessor),
                        "finalize: a buffer was destroyed that node " + std::to_string(n.number) + " uses");
      }
    }
  }
  return finalized(m_nodes, m_settings, m_order, m_memory);
}

void graph_nodes::refuse_change(const graph_node& of) {
  if (!can_change(*of.command)) {
    refuse_graph("update: node " + std::to_string(of.number) +
                 (of.command->graph() ? " is a graph, which stays as it was when it was added"
                                      : " allocates or frees memory, which stays as it is"));
  }
}

executable_graph::change graph_nodes::change_for(const graph_node& changed) const {
  if (changed.home.lock().get() != this) {
    refuse_graph("update: the node belongs to another graph");
  }
  const std::lock_guard lock(m_guard);
  refuse_change(changed);
  return {changed.number, changed.command->work(), changed.command->uses()};
}

std::vector<executable_graph::change> graph_nodes::changes_for(const graph_nodes& to,
                                                               const executable_graph& of) const {
  std::vector<executable_graph::change> all;
  const auto collect = [&] {
    if (m_nodes.size() != to.m_nodes.size()) {
      refuse_graph("update: the graph has " + std::to_string(m_nodes.size()) + " nodes, the one to be updated " +
                   std::to_string(to.m_nodes.size()));
    }
    if (m_nodes.size() != of.nodes() || edges_of(to.m_nodes) != of.edges()) {
      refuse_graph("update: nodes or edges were added after finalize");
    }
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
      const node_command& command = *m_nodes[i].command;
      if (this == &to && !can_change(command)) {
        continue;
      }
      refuse_change(m_nodes[i]);
      if (command.type() != to.m_nodes[i].command->type() || m_nodes[i].before != to.m_nodes[i].before) {
        refuse_graph("update: node " + std::to_string(i) +
                     " is of another type, or comes after others, than in the graph to "
                     "be updated");
      }
      all.push_back({i, command.work(), command.uses()});
    }
  };
  if (this == &to) {
    const std::lock_guard lock(m_guard);
    collect();
  } else {
    const std::scoped_lock lock(m_guard, to.m_guard);
    collect();
  }
  return all;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
