// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/command_graph.hpp>

#include "command.hpp"
#include "executable_graph.hpp"
#include "graph_nodes.hpp"
#include "whole_handler.hpp"

#include <lanefold/exception.hpp>

#include <fstream>
#include <mutex>

LANEFOLD_BEGIN_NAMESPACE
namespace ext::oneapi::experimental {

using lanefold::detail::graph_nodes;

namespace {

[[noreturn]] void refuse(const std::string& why) { throw exception(make_error_code(errc::invalid), why); }

} // namespace

// ---- node

node::node(lanefold::detail::shared_part<lanefold::detail::graph_node> state) noexcept : m_state(std::move(state)) {}

property::node::depends_on::depends_on(std::vector<experimental::node> nodes)
    : m_nodes(std::make_shared<const std::vector<experimental::node>>(std::move(nodes))) {}
const std::vector<experimental::node>& property::node::depends_on::get_dependencies() const noexcept {
  return *m_nodes;
}

node_type node::get_type() const noexcept { return m_state->home.lock()->type_of(*m_state); }

std::vector<node> node::get_predecessors() const {
  const std::shared_ptr<graph_nodes> home = m_state->home.lock();
  return home->neighbours(*m_state, false);
}

std::vector<node> node::get_successors() const {
  const std::shared_ptr<graph_nodes> home = m_state->home.lock();
  return home->neighbours(*m_state, true);
}

node node::get_node_from_event(const event& recorded) {
  const lanefold::detail::command_ptr command = recorded.command();
  std::shared_ptr<lanefold::detail::graph_node> found = command ? command->node() : nullptr;
  if (!found) {
    refuse("get_node_from_event: the event's command is no node of a graph, or its graph is gone");
  }
  return node(std::move(found));
}

void node::update_over(const lanefold::detail::index_space& space) { m_state->home.lock()->make_over(*m_state, space); }

// ---- dynamic_command_group

struct dynamic_command_group::alternatives {
  std::mutex guard; // of active and nodes
  std::weak_ptr<graph_nodes> home;
  std::vector<std::shared_ptr<lanefold::detail::node_command>> commands;
  std::vector<lanefold::detail::buffer_requirement> uses; // of all, with the values that they had at first
  std::vector<event> after;
  std::size_t active = 0;
  std::vector<std::uint32_t> nodes;
};

dynamic_command_group::dynamic_command_group(command_graph<graph_state::modifiable>& home,
                                             const std::vector<std::function<void(handler&)>>& commands)
    : m_all(std::make_shared<alternatives>()) {
  if (commands.empty()) {
    refuse("dynamic_command_group: there must be a command");
  }
  m_all->home = home.m_nodes.share();
  for (const std::function<void(handler&)>& command : commands) {
    lanefold::detail::whole_handler h(home.settings());
    command(h);
    m_all->commands.push_back(home.m_nodes->make_command(h));
    lanefold::detail::node_command& made = *m_all->commands.back();
    if (made.graph() || made.source().is_of_memory()) {
      refuse("dynamic_command_group: one of several commands cannot be a graph, nor allocate or free memory");
    }
    const std::vector<event> before = made.take_dependencies();
    const std::vector<lanefold::detail::buffer_requirement> uses = home.m_nodes->uses_of(made);
    m_all->uses.insert(m_all->uses.end(), uses.begin(), uses.end());
    m_all->after.insert(m_all->after.end(), before.begin(), before.end());
  }
}

std::size_t dynamic_command_group::get_active_index() const noexcept {
  const std::lock_guard lock(m_all->guard);
  return m_all->active;
}

void dynamic_command_group::set_active_index(std::size_t index) {
  if (index >= m_all->commands.size()) {
    refuse("set_active_index: " + std::to_string(index) + " of " + std::to_string(m_all->commands.size()) +
           " commands");
  }
  const std::lock_guard lock(m_all->guard);
  m_all->active = index;
  if (const std::shared_ptr<graph_nodes> home = m_all->home.lock()) {
    for (const std::uint32_t number : m_all->nodes) {
      home->set_command(number, m_all->commands[index]);
    }
  }
}

// ---- command_graph<modifiable>

using modifiable = command_graph<graph_state::modifiable>;
using executable = command_graph<graph_state::executable>;

modifiable::command_graph(lanefold::detail::shared_part<graph_nodes> nodes) noexcept : m_nodes(std::move(nodes)) {}

modifiable::command_graph(const context& where, const device& runs_on, const property_list& properties)
    : command_graph(queue(where, runs_on), properties) {}

modifiable::command_graph(const device& runs_on, const property_list& properties)
    : command_graph(queue(runs_on), properties) {}

modifiable::command_graph(const queue& like, const property_list& properties)
    : m_nodes(std::make_shared<graph_nodes>(like, properties)) {}

const lanefold::detail::launch_settings& modifiable::settings() const noexcept { return m_nodes->settings(); }

node modifiable::add(const property_list& properties) {
  lanefold::detail::whole_handler h(settings());
  return m_nodes->add(h, properties);
}

node modifiable::add_command(void (*group)(void*, handler&), void* argument, const property_list& properties) {
  lanefold::detail::whole_handler h(settings());
  group(argument, h);
  return m_nodes->add(h, properties);
}

node modifiable::add(dynamic_command_group& group, const property_list& properties) {
  dynamic_command_group::alternatives& all = *group.m_all;
  if (all.home.lock().get() != m_nodes.get()) {
    refuse("command_graph::add: the dynamic_command_group was made for another graph");
  }
  const std::lock_guard lock(all.guard);
  const node added = m_nodes->add(all.commands[all.active], all.uses, all.after, properties);
  if (!all.nodes.empty()) { // they run the same launches, which run one at a time
    m_nodes->connect(all.nodes.back(), added.m_state->number);
  }
  all.nodes.push_back(added.m_state->number);
  return added;
}

void modifiable::make_edge(node& from, node& to) { m_nodes->make_edge(*from.m_state, *to.m_state); }

void modifiable::begin_recording(queue& recording, const property_list&) { m_nodes->begin_recording(recording); }

void modifiable::begin_recording(const std::vector<queue>& recording, const property_list&) {
  std::vector<queue> begun;
  begun.reserve(recording.size());
  try {
    for (queue q : recording) {
      m_nodes->begin_recording(q);
      begun.push_back(q);
    }
  } catch (...) {
    end_recording(begun);
    throw;
  }
}

void modifiable::end_recording() { m_nodes->end_recording(); }

void modifiable::end_recording(queue& recording) { m_nodes->end_recording(recording); }

void modifiable::end_recording(const std::vector<queue>& recording) {
  for (queue q : recording) {
    m_nodes->end_recording(q);
  }
}

executable modifiable::finalize(const property_list& properties) const {
  return executable(m_nodes->finalize(),
                    properties.has_property<property::graph::updatable>() ? m_nodes.share() : nullptr);
}

std::vector<node> modifiable::get_nodes() const { return m_nodes->nodes(false); }

bool modifiable::empty() const { return m_nodes->is_empty(); }

std::size_t modifiable::get_id() const noexcept { return m_nodes->id(); }

std::vector<node> modifiable::get_root_nodes() const { return m_nodes->nodes(true); }

void modifiable::print_graph(const std::string& path, bool verbose) const {
  if (!path.ends_with(".dot")) {
    refuse("print_graph: '" + path + "' does not end in .dot, and no other format is known");
  }
  std::ofstream file(path);
  file << m_nodes->drawing(verbose) << std::flush;
  if (!file) {
    refuse("print_graph: cannot write '" + path + "'");
  }
}

// ---- command_graph<executable>

graph_nodes& executable::origin() const {
  if (!m_origin) {
    refuse("update: the graph was finalized without property::graph::updatable");
  }
  return *m_origin;
}

std::size_t executable::get_required_mem_size() const noexcept { return m_state->memory(); }

void executable::update(node& changed) { update(std::vector{changed}); }

void executable::update(const std::vector<node>& changed) {
  const graph_nodes& home = origin();
  std::vector<lanefold::detail::executable_graph::change> changes;
  for (const node& n : changed) {
    changes.push_back(home.change_for(*n.m_state));
    if (changes.back().node >= m_state->nodes()) {
      refuse("update: node " + std::to_string(changes.back().node) + " was added after finalize");
    }
  }
  m_state->update(std::move(changes), home.order());
}

executable::command_graph(lanefold::detail::shared_part<lanefold::detail::executable_graph> state,
                          lanefold::detail::shared_part<graph_nodes> origin) noexcept
    : m_state(std::move(state)), m_origin(std::move(origin)) {}

void executable::update(const command_graph<graph_state::modifiable>& from) {
  const graph_nodes& home = origin();
  m_state->update(from.m_nodes->changes_for(home, *m_state), from.m_nodes->order());
}

} // namespace ext::oneapi::experimental

void handler::ext_oneapi_graph(
    const ext::oneapi::experimental::command_graph<ext::oneapi::experimental::graph_state::executable>& graph) {
  refuse_second_action();
  if (m_contents.source) {
    m_contents.source->part = graph.m_state->contents(m_settings);
  }
  m_contents.graph = graph.m_state;
}

event queue::ext_oneapi_graph(
    const ext::oneapi::experimental::command_graph<ext::oneapi::experimental::graph_state::executable>& graph,
    const std::vector<event>& dependencies) {
  return submit([&](handler& h) {
    h.depends_on(dependencies);
    h.ext_oneapi_graph(graph);
  });
}

event queue::ext_oneapi_graph(
    const ext::oneapi::experimental::command_graph<ext::oneapi::experimental::graph_state::executable>& graph,
    const event& dependency) {
  return ext_oneapi_graph(graph, std::vector{dependency});
}

LANEFOLD_END_NAMESPACE
