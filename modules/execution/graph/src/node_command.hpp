// SPDX-License-Identifier: Apache-2.0
/// Holds what nodes of graphs run, which can be launched again.
#pragma once

#include "node_source.hpp"
#include "whole_handler.hpp"

#include <lanefold/execution/detail/buffer_requirement.hpp>
#include <lanefold/execution/detail/launch_maker.hpp>
#include <lanefold/execution/handler.hpp>
#include <lanefold/execution/launch.hpp>

#include <memory>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

struct graph_contents;

/// The command of a node, or of several that run one dynamic_command_group. Whoever has the guard of its graph may call
/// its members.
class node_command {
public:
  /// Takes what the handler was told. Errors: errc::feature_not_supported for what no node can be, errc::invalid for
  /// dynamic parameters of a command without a kernel.
  explicit node_command(handler&& told);
  node_command(const node_command&) = delete;
  node_command& operator=(const node_command&) = delete;

  [[nodiscard]] ext::oneapi::experimental::node_type type() const noexcept { return m_type; }
  /// Returns the contents of a graph, null for another node.
  [[nodiscard]] const std::shared_ptr<const graph_contents>& graph() const noexcept { return m_graph; }
  /// Returns null for a node that does nothing and for a graph.
  [[nodiscard]] const std::shared_ptr<launch>& work() const noexcept { return m_work; }
  [[nodiscard]] const std::vector<buffer_requirement>& uses() const noexcept { return m_uses; }
  [[nodiscard]] const node_source& source() const noexcept { return *m_told.m_contents.source; }
  /// The events that the handler was told to wait for, once.
  [[nodiscard]] std::vector<event> take_dependencies() noexcept { return std::move(m_told.m_contents.dependencies); }

  /// Holds a launch that may take the place of the present one.
  struct made {
    std::shared_ptr<launch> work;
    std::vector<buffer_requirement> uses;
  };
  /// Launches the kernel again, with the values that its dynamic parameters have now. Errors: those of a launch.
  [[nodiscard]] made make_again();
  /// Does the same over another index space; changes nothing if it throws. Errors: errc::invalid unless the kernel has
  /// an index space of that kind, and as many dimensions.
  [[nodiscard]] made make_over(const index_space& space);
  void set(made&& now) noexcept;

private:
  [[nodiscard]] made take();

  whole_handler m_told;
  ext::oneapi::experimental::node_type m_type;
  std::shared_ptr<const graph_contents> m_graph;
  std::shared_ptr<launch> m_work;
  std::vector<buffer_requirement> m_uses;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
