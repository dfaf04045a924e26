// SPDX-License-Identifier: Apache-2.0
/// A finalized graph as queues run it.
#pragma once

#include "device_graph.hpp"
#include "graph_program.hpp"
#include "queue_state.hpp"

#include <lanefold/execution/detail/buffer_requirement.hpp>
#include <lanefold/execution/launch.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Launches that nodes share cannot run in two graphs at a time: the last run of what has been finalized from one
/// graph.
struct run_order {
  command_ptr last;
};

/// A program of launches, the buffers that it uses, and the order of its runs.
class executable_graph {
public:
  /// `uses`: one list for each step; `settings`: those of the queues that it is for.
  executable_graph(const std::vector<step_description>& steps, std::vector<std::vector<buffer_requirement>> uses,
                   const launch_settings& settings, std::shared_ptr<run_order> order);

  /// Submits a run to a queue, behind the run before. Throws errc::accessor if a buffer is gone, errc::invalid for a
  /// queue of another device.
  static command_ptr submit(const std::shared_ptr<executable_graph>& self, const launch_settings& settings,
                            const std::shared_ptr<queue_state>& queue, submission&& given);

  /// Holds what a step gets by an update.
  struct change {
    std::size_t step;
    std::shared_ptr<launch> work;
    std::vector<buffer_requirement> uses;
  };
  /// Waits for the runs that are not complete; those that come later have the changes. `order`: that of the launches.
  /// If it throws, nothing has changed. Throws errc::invalid in a kernel; std::bad_alloc.
  void update(std::vector<change> changes, const std::shared_ptr<run_order>& order);

  [[nodiscard]] std::size_t steps() const noexcept { return m_program.steps(); }

private:
  friend class graph_launch;

  /// Makes the change, and of it the one that undoes it.
  void exchange(change& c) noexcept;
  [[nodiscard]] std::vector<buffer_requirement> requirements_of_all() const;
  [[nodiscard]] std::unique_ptr<launch> make_run(const std::shared_ptr<executable_graph>& self,
                                                 const launch_settings& settings) const;

  graph_program m_program;
  device_backend* m_device;                            // null: the CPU
  device_steps m_device_steps;                         // of a device that is not the CPU
  std::vector<std::vector<buffer_requirement>> m_uses; // of each step
  std::vector<buffer_requirement> m_requirements;      // of all steps
  std::vector<std::shared_ptr<run_order>> m_orders;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
