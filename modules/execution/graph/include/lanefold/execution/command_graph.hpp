// SPDX-License-Identifier: Apache-2.0
/// Graphs of commands that are described once and run often: what the extension sycl_ext_oneapi_graph spells.
/// `lanefold::graph` has the same names.
#pragma once

#include <lanefold/execution/context.hpp>
#include <lanefold/execution/detail/forward.hpp>
#include <lanefold/execution/detail/launch_maker.hpp>
#include <lanefold/execution/detail/shared_part.hpp>
#include <lanefold/execution/device.hpp>
#include <lanefold/execution/event.hpp>
#include <lanefold/execution/handler.hpp>
#include <lanefold/execution/property.hpp>
#include <lanefold/execution/queue.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class executable_graph;
class graph_nodes;
struct graph_node;

} // namespace detail

namespace ext::oneapi::experimental {

/// A command of a graph: a cheap handle, copies stand for the same node. Host only.
class node {
public:
  node() = delete;

  [[nodiscard]] node_type get_type() const noexcept;
  /// The nodes that it comes directly after, and those that come directly after it.
  [[nodiscard]] std::vector<node> get_predecessors() const;
  [[nodiscard]] std::vector<node> get_successors() const;
  /// The node that a command became, of which a recording queue returned the event. Errors: errc::invalid if it did not
  /// become one, or if its graph is gone.
  [[nodiscard]] static node get_node_from_event(const event& recorded);

  /// The node's kernel runs over this range, or this nd_range, in executable graphs from their `update` with the node
  /// on. Of a scoped or hierarchical kernel the range are its groups. A node that runs one of several commands has its
  /// active one changed. If it throws, nothing has changed. Errors: errc::invalid if the node runs no kernel, and if
  /// its kernel has another kind of index space or other dimensions; errc::nd_range as for a launch.
  template <int D>
  void update_range(range<D> space) {
    update_over(lanefold::detail::index_space(space));
  }
  template <int D>
  void update_nd_range(nd_range<D> space) {
    update_over(lanefold::detail::index_space(space));
  }

  friend bool operator==(const node&, const node&) noexcept = default;

private:
  friend class lanefold::detail::graph_nodes;
  template <graph_state State>
  friend class command_graph;
  friend class dynamic_command_group;

  explicit node(lanefold::detail::shared_part<lanefold::detail::graph_node> state) noexcept;
  void update_over(const lanefold::detail::index_space& space);

  lanefold::detail::shared_part<lanefold::detail::graph_node> m_state;
};

namespace property {
namespace graph {
/// make_edge does not look for cycles; finalize does in any case.
class no_cycle_check : public lanefold::detail::runtime_property {};
/// Graphs may use buffers without it: what is asked of a program is that they live.
class assume_buffer_outlives_graph : public lanefold::detail::runtime_property {};
/// Says to finalize that the executable graph can be updated.
class updatable : public lanefold::detail::runtime_property {};
/// Says to finalize that events of runs can be asked for times. They can without it, too: a run is one command, and
/// costs no more where the queue has property::queue::enable_profiling.
class enable_profiling : public lanefold::detail::runtime_property {};
/// Asks for recording by a backend, which none here can: errc::feature_not_supported.
class enable_native_recording : public lanefold::detail::runtime_property {};
} // namespace graph

namespace node {
/// Says to add which nodes the new one comes after.
class depends_on : public lanefold::detail::runtime_property {
public:
  template <class... Nodes, class List = std::vector<experimental::node>>
    requires(std::same_as<Nodes, experimental::node> && ...)
  explicit depends_on(Nodes... nodes) : depends_on(List{std::move(nodes)...}) {}
  explicit depends_on(std::vector<experimental::node> nodes);
  [[nodiscard]] const std::vector<experimental::node>& get_dependencies() const noexcept;

private:
  lanefold::detail::shared_part<const std::vector<experimental::node>> m_nodes;
};
/// Says to add that the new node comes after all that have no successor yet.
class depends_on_all_leaves : public lanefold::detail::runtime_property {};
} // namespace node
} // namespace property

/// One of several commands, of which a node runs the active one, at first the one with index 0. What another one needs
/// of a graph (edges by buffers) follows from all of them.
class dynamic_command_group {
public:
  /// Errors: errc::invalid for an empty list.
  dynamic_command_group(command_graph<graph_state::modifiable>& home,
                        const std::vector<std::function<void(handler&)>>& commands);

  [[nodiscard]] std::size_t get_active_index() const noexcept;
  /// Executable graphs learn of it by update. Errors: errc::invalid if there are not so many commands.
  void set_active_index(std::size_t index);

private:
  friend class command_graph<graph_state::modifiable>;
  struct alternatives;

  lanefold::detail::shared_part<alternatives> m_all;
};

/// A graph that grows: by add, whose nodes come after those that property::node::depends_on names, and by queues that
/// record. Nodes that use the same buffers are ordered as their commands would be. A cheap handle; all members may be
/// called from any thread.
///
/// Nodes are kernels of all kinds (reductions included), host tasks, copies, fills, and nodes without a command. Values
/// that a kernel captures are those of the time when it was added; memory is what it is when the graph runs. A command
/// group with handler::ext_oneapi_graph makes another graph a part of this one, as it is at that time; parts that come
/// from one graph run one after the other.
/// Errors: errc::feature_not_supported for commands with streams, and for property::graph::enable_native_recording;
/// errc::invalid for a part that was made of this graph, or is for another device.
template <>
class command_graph<graph_state::modifiable> {
public:
  command_graph(const context& where, const device& runs_on, const property_list& properties = {});
  explicit command_graph(const queue& like, const property_list& properties = {});
  /// Makes a graph in the default context of the device's platform.
  explicit command_graph(const device& runs_on, const property_list& properties = {});

  /// A node without a command.
  node add(const property_list& properties = {});
  /// A node with the command that `group(handler&)` describes. Errors: errc::invalid while a queue records to this
  /// graph, for dependencies that are nodes of another graph, or events of commands that are no nodes of this one.
  template <class Group>
    requires std::invocable<Group&, handler&>
  node add(Group&& group, const property_list& properties = {}) {
    auto command = [&](handler& h) { group(h); };
    return add_command(&lanefold::detail::describe<decltype(command)>, &command, properties);
  }
  /// Nodes of one dynamic_command_group run one after the other, in the order in which they were added.
  node add(dynamic_command_group& group, const property_list& properties = {});

  /// `to` comes after `from`. Errors: errc::invalid if they are one, if one belongs to another graph, if a cycle
  /// arises, while a queue records to this graph.
  void make_edge(node& from, node& to);

  /// Commands submitted to the queue become nodes, which come after those that they depend on, and do not run; their
  /// events can only be depended on by others that are recorded: another queue that gets a command which depends on one
  /// records from there on, too. (It must be told so before it is told the kernel.) In an in-order queue each comes
  /// after the one before. Errors: errc::invalid if a queue records already, or if it has another device or context;
  /// then none of them records that did not before.
  void begin_recording(queue& recording, const property_list& properties = {});
  void begin_recording(const std::vector<queue>& recording, const property_list& properties = {});
  /// Of all queues that record to this graph, or of one. Errors: errc::invalid if the queue records to another one.
  void end_recording();
  void end_recording(queue& recording);
  void end_recording(const std::vector<queue>& recording);

  /// Returns what is there now, to be run as often as one likes; what is added later is not a part of it. Errors:
  /// errc::invalid if there is a cycle, errc::accessor if a buffer is gone that a node uses.
  [[nodiscard]] command_graph<graph_state::executable> finalize(const property_list& properties = {}) const;

  [[nodiscard]] std::vector<node> get_nodes() const;
  /// Returns the nodes that come after none.
  [[nodiscard]] std::vector<node> get_root_nodes() const;
  [[nodiscard]] bool empty() const;
  /// Returns the number of this graph in the process; graphs that are made later have larger ones.
  [[nodiscard]] std::size_t get_id() const noexcept;
  /// Writes the graph in the language of Graphviz, with types and kernels of nodes; `verbose`: also with their index
  /// spaces and buffers. Errors: errc::invalid if the file cannot be written, or its name does not end in `.dot`.
  void print_graph(const std::string& path, bool verbose = false) const;

  friend bool operator==(const command_graph&, const command_graph&) noexcept = default;

private:
  friend class command_graph<graph_state::executable>;
  friend class dynamic_command_group;
  friend class lanefold::detail::graph_nodes;
  friend class lanefold::queue;

  explicit command_graph(lanefold::detail::shared_part<lanefold::detail::graph_nodes> nodes) noexcept;
  [[nodiscard]] const lanefold::detail::launch_settings& settings() const noexcept;
  /// Calls `group(argument, handler)`.
  node add_command(void (*group)(void*, handler&), void* argument, const property_list& properties);

  lanefold::detail::shared_part<lanefold::detail::graph_nodes> m_nodes;
};

/// A graph that runs, by queue::ext_oneapi_graph: as one command, on all threads of the queue, without memory or a lock
/// for each node. Runs of one executable graph, or of several that share nodes, come one after the other. If a node
/// fails, the nodes that have not begun do not run, and the command fails with its error; the graph can run again. A
/// cheap handle; all members may be called from any thread.
template <>
class command_graph<graph_state::executable> {
public:
  command_graph() = delete;

  /// The runs that come later have the nodes' active commands, index spaces and dynamic parameters; waits for those
  /// that are not complete. Errors:
  /// errc::invalid without property::graph::updatable, for nodes of another graph, nodes that were added later, nodes
  /// that are graphs or allocate or free memory, and in a kernel or host task. If it throws, nothing has changed.
  void update(node& changed);
  void update(const std::vector<node>& changed);
  /// Each node gets the command of the node in `from` that was added at the same position. Errors: those above;
  /// errc::invalid also if the nodes or edges of the two are not alike.
  void update(const command_graph<graph_state::modifiable>& from);

  /// Returns the bytes of the memory that belongs to it, see async_malloc.
  [[nodiscard]] std::size_t get_required_mem_size() const noexcept;

  friend bool operator==(const command_graph&, const command_graph&) noexcept = default;

private:
  friend class command_graph<graph_state::modifiable>;
  friend class lanefold::handler;

  command_graph(lanefold::detail::shared_part<lanefold::detail::executable_graph> state,
                lanefold::detail::shared_part<lanefold::detail::graph_nodes> origin) noexcept;

  [[nodiscard]] lanefold::detail::graph_nodes& origin() const;

  lanefold::detail::shared_part<lanefold::detail::executable_graph> m_state;
  lanefold::detail::shared_part<lanefold::detail::graph_nodes> m_origin; // null if it cannot be updated
};

command_graph(const context&, const device&, const property_list& = {}) -> command_graph<graph_state::modifiable>;
command_graph(const queue&, const property_list& = {}) -> command_graph<graph_state::modifiable>;
command_graph(const device&, const property_list& = {}) -> command_graph<graph_state::modifiable>;

} // namespace ext::oneapi::experimental

/// The names of command graphs.
namespace graph {
using ext::oneapi::experimental::command_graph;
using ext::oneapi::experimental::dynamic_command_group;
using ext::oneapi::experimental::graph_state;
using ext::oneapi::experimental::node;
using ext::oneapi::experimental::node_type;
using ext::oneapi::experimental::queue_state;
namespace property = ext::oneapi::experimental::property;
} // namespace graph

LANEFOLD_END_NAMESPACE
