// SPDX-License-Identifier: Apache-2.0
/// The nodes and edges of a graph that grows.
#pragma once

#include "executable_graph.hpp"
#include "graph_memory.hpp"
#include "graph_node.hpp"
#include "graph_recording.hpp"

#include <lanefold/execution/command_graph.hpp>
#include <lanefold/execution/detail/buffer_requirement.hpp>
#include <lanefold/execution/launch.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Holds what the handles of a graph share. Thread-safe.
class graph_nodes final : public command_recorder, public std::enable_shared_from_this<graph_nodes> {
  using node = ext::oneapi::experimental::node;
  using graph_state = ext::oneapi::experimental::graph_state;

public:
  graph_nodes(const queue& like, const property_list& properties);
  ~graph_nodes();

  [[nodiscard]] const launch_settings& settings() const noexcept { return m_settings; }

  /// The nodes that a handle stands for.
  [[nodiscard]] static graph_nodes& of(const ext::oneapi::experimental::command_graph<graph_state::modifiable>& handle);

  /// A command of a handler that is not part of a recording.
  node add(handler& h, const property_list& properties);
  /// Does the same with one of several commands; `uses` lists what all of them use.
  node add(const std::shared_ptr<node_command>& command, const std::vector<buffer_requirement>& uses,
           const std::vector<event>& after, const property_list& properties);
  std::optional<event> record(handler& h, const graph_recording& from,
                              const std::shared_ptr<queue_state>& queue) override;
  void make_edge(const graph_node& from, const graph_node& to);
  /// The node `to` comes after `from`; nothing comes after it yet.
  void connect(std::uint32_t from, std::uint32_t to);
  void set_command(std::uint32_t number, const std::shared_ptr<node_command>& command);
  /// A command of a handler that is no node yet. Errors: those of take.
  [[nodiscard]] std::shared_ptr<node_command> make_command(handler& h);
  /// Calls `exchange`, which changes the value, and launches the commands again that have captured it. If that throws,
  /// calls `exchange` once more, and nothing has changed.
  void make_again(const dynamic_value& changing, const std::function<void()>& exchange);
  void make_over(const graph_node& n, const index_space& space);

  void begin_recording(queue& q);
  /// Begins with a command that depends on a node, if a queue records to this graph; else its nodes are there, their
  /// events are of no use any more, and the handler is left as it was. If it throws, the queue does not record.
  std::optional<event> join_recording(queue& q, handler& h, const std::shared_ptr<queue_state>& state);
  void end_recording(queue& q);
  void end_recording();

  // Memory of nodes: the handler has no other action. They return false if it is not one of a node.
  static bool allocate(handler& node, std::shared_ptr<graph_block> block);
  static bool free(handler& node, void* memory);
  /// The handler becomes no node from here on.
  static void keep_out(handler& h) noexcept;
  /// The graph to which the queue records; null: none.
  [[nodiscard]] static std::shared_ptr<graph_nodes> recorded_by(const queue& q);
  /// Memory that was freed by a node before all that the queue records from here on; null where none fits.
  [[nodiscard]] std::shared_ptr<graph_block> take_freed(const queue& recording, std::size_t bytes, usm::alloc kind);

  [[nodiscard]] std::shared_ptr<executable_graph> finalize();
  /// Changes of an executable graph of this one, for the nodes as they are now.
  [[nodiscard]] executable_graph::change change_for(const graph_node& changed) const;
  /// Changes for `of`, which has been finalized from `to`: all three must have the same nodes and edges.
  [[nodiscard]] std::vector<executable_graph::change> changes_for(const graph_nodes& to,
                                                                  const executable_graph& of) const;
  [[nodiscard]] const std::shared_ptr<run_order>& order() const noexcept { return m_order; }

  [[nodiscard]] std::vector<node> nodes(bool only_roots) const;
  [[nodiscard]] ext::oneapi::experimental::node_type type_of(const graph_node& of) const;
  [[nodiscard]] std::vector<buffer_requirement> uses_of(const node_command& of) const;
  [[nodiscard]] std::vector<node> neighbours(const graph_node& of, bool after) const;
  [[nodiscard]] std::string drawing(bool verbose) const;
  [[nodiscard]] bool is_empty() const;
  [[nodiscard]] std::size_t id() const noexcept { return m_id; }

private:
  /// Says how a node uses a buffer.
  struct use {
    std::uint32_t by;
    buffer_requirement how;
  };
  /// Holds what a graph knows of a queue that records to it, or has recorded: the queue goes on behind its last node
  /// when it records again.
  struct recorded_queue {
    std::shared_ptr<graph_recording> state;
    bool is_recording = false;
    std::vector<std::uint32_t> nodes;
    bool has_barrier = false;
    std::uint32_t barrier = 0;
    std::vector<std::shared_ptr<graph_block>> freed; // by its nodes, if they are in order
  };

  [[nodiscard]] std::shared_ptr<node_command> take(handler& h);
  [[nodiscard]] bool is_recording() const noexcept;
  void refuse_while_recording() const;
  void begin(queue& q);
  bool end(graph_recording& of);
  std::optional<event> record_command(handler& h, const graph_recording& from,
                                      const std::shared_ptr<queue_state>& queue);
  graph_node& insert(std::shared_ptr<node_command> command, const std::vector<buffer_requirement>& uses,
                     const std::vector<std::uint32_t>& after);
  void add_edge(std::uint32_t from, std::uint32_t to);
  [[nodiscard]] std::shared_ptr<graph_block> allocated_at(const void* memory) const;
  void note_memory(const node_source& of);
  void add_edges_of_subgraph(const graph_node& added);
  static void refuse_change(const graph_node& of);
  void add_edges_of_buffers(std::uint32_t added, const std::vector<buffer_requirement>& uses);
  [[nodiscard]] std::vector<std::uint32_t> numbers_of(const std::vector<event>& events) const;
  [[nodiscard]] std::vector<std::uint32_t> numbers_of(const std::vector<event>& after,
                                                      const property_list& properties) const;
  [[nodiscard]] std::uint32_t number_of(const std::shared_ptr<graph_node>& n) const;
  [[nodiscard]] bool leads_to(std::uint32_t from, std::uint32_t to) const;
  [[nodiscard]] node handle(const graph_node& n) const;

  const launch_settings m_settings;
  const context m_context;
  const device m_device;
  const bool m_checks_cycles;
  const std::size_t m_id;
  const std::shared_ptr<run_order> m_order = std::make_shared<run_order>();
  mutable std::mutex m_guard; // of what follows
  std::deque<graph_node> m_nodes;
  std::unordered_map<const buffer_state*, std::vector<use>> m_uses;
  std::set<std::shared_ptr<graph_block>> m_memory;       // of all nodes
  std::vector<std::shared_ptr<graph_block>> m_allocated; // by a node, and freed by none
  std::unordered_map<const graph_recording*, recorded_queue> m_queues;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
