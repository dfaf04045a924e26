// SPDX-License-Identifier: Apache-2.0
/// Runs of graphs on a device that is not the CPU.
#pragma once

#include "graph_program.hpp"

#include <lanefold/execution/detail/device_backend.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The steps of a graph whose launches a device runs.
class device_steps {
public:
  explicit device_steps(std::vector<step_description> steps);

  void replace(std::size_t step, std::shared_ptr<launch> work) noexcept { m_steps[step].work = std::move(work); }
  [[nodiscard]] bool do_nothing() const noexcept;
  /// Gives all steps to the device, each behind those that it comes after, the first ones behind `after`. The event is
  /// that of all of them. If a step cannot be given, it waits for those before it, and throws. Not for steps that do
  /// nothing.
  device_event_ptr start(device_queue& on, const std::vector<device_event_ptr>& after) const;

private:
  device_event_ptr start_counted(device_queue& on, const std::vector<device_event_ptr>& after) const;

  std::vector<step_description> m_steps;
  std::vector<std::uint32_t> m_order; ///< each step behind those that it comes after
  std::vector<bool> m_is_last;        ///< nothing comes after the step
};

/// A run: one command of a queue.
class device_graph_launch final : public device_launch {
public:
  /// `keeps` keeps the steps.
  device_graph_launch(const launch_settings& settings, std::string name, const device_steps& steps,
                      std::shared_ptr<const void> keeps)
      : device_launch(settings, std::move(name)), m_steps(steps), m_keeps(std::move(keeps)) {}

  device_event_ptr start(device_queue& on, const std::vector<device_event_ptr>& after) override {
    return m_steps.start(on, after);
  }
  launch_description describe() const override { return {.what = launch_description::action::graph}; }

private:
  const device_steps& m_steps;
  std::shared_ptr<const void> m_keeps;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
