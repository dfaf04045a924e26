// SPDX-License-Identifier: Apache-2.0
/// A finalized graph as queues run it.
#pragma once

#include "device_graph.hpp"
#include "graph_memory.hpp"
#include "graph_program.hpp"
#include "queue_state.hpp"

#include <lanefold/execution/detail/buffer_requirement.hpp>
#include <lanefold/execution/launch.hpp>

#include <cstddef>
#include <memory>
#include <set>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Launches that nodes share cannot run in two graphs at a time: the last run of what has been finalized from one
/// graph.
struct run_order {
  command_ptr last;
};

/// An executable graph is made of these.
struct graph_contents {
  std::vector<step_description> steps;
  std::vector<std::vector<buffer_requirement>> uses; ///< of each step
  std::vector<std::shared_ptr<run_order>> orders;    ///< of all launches
  std::size_t nodes = 0;
  std::size_t edges = 0;
  std::set<std::shared_ptr<graph_block>> memory; ///< that it keeps
};

/// Returns what a graph needs whose steps have these uses. Throws std::bad_alloc.
std::vector<buffer_requirement> requirements_of(const std::vector<std::vector<buffer_requirement>>& uses);

/// A program of launches, the buffers that it uses, and the order of its runs.
class executable_graph {
public:
  /// `settings`: those of the queues that it is for; `step_of_node`: where a node's launch is, empty if at its number.
  executable_graph(graph_contents&& of, std::vector<std::uint32_t> step_of_node, const launch_settings& settings);

  /// Submits a run to a queue, behind the run before. Throws errc::accessor if a buffer is gone, errc::invalid for a
  /// queue of another device.
  static command_ptr submit(const std::shared_ptr<executable_graph>& self, const launch_settings& settings,
                            const std::shared_ptr<queue_state>& queue, submission&& given);

  /// Returns what the graph is as a part of another one. Throws errc::invalid for a graph of another device.
  [[nodiscard]] std::shared_ptr<const graph_contents> contents(const launch_settings& of_whole) const;

  /// Holds what a node gets by an update.
  struct change {
    std::size_t node;
    std::shared_ptr<launch> work;
    std::vector<buffer_requirement> uses;
  };
  /// Waits for the runs that are not complete; those that come later have the changes. `order`: that of the launches.
  /// If it throws, nothing has changed. Throws errc::invalid in a kernel; std::bad_alloc.
  void update(std::vector<change> changes, const std::shared_ptr<run_order>& order);

  // Both are as they were when the graph was finalized.
  [[nodiscard]] std::size_t nodes() const noexcept { return m_nodes; }
  [[nodiscard]] std::size_t edges() const noexcept { return m_edges; }
  /// Bytes of the memory that belongs to it.
  [[nodiscard]] std::size_t memory() const noexcept;

private:
  friend class graph_launch;

  /// Makes the change, and of it the one that undoes it.
  void exchange(change& c) noexcept;
  [[nodiscard]] std::unique_ptr<launch> make_run(const std::shared_ptr<executable_graph>& self,
                                                 const launch_settings& settings) const;

  graph_program m_program;
  device_backend* m_device;                            // null: the CPU
  device_steps m_device_steps;                         // of a device that is not the CPU
  std::vector<std::vector<buffer_requirement>> m_uses; // of each step
  std::vector<buffer_requirement> m_requirements;      // of all steps
  std::vector<std::shared_ptr<run_order>> m_orders;
  std::size_t m_nodes;
  std::size_t m_edges;
  std::vector<std::uint32_t> m_step_of_node; // empty: a step for each node
  std::set<std::shared_ptr<graph_block>> m_memory;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
