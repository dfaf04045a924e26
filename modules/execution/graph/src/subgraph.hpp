// SPDX-License-Identifier: Apache-2.0
/// Graphs as nodes of graphs.
#pragma once

#include "executable_graph.hpp"
#include "graph_node.hpp"

#include <deque>
#include <memory>
#include <set>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] std::size_t edges_of(const std::deque<graph_node>& nodes) noexcept;
[[nodiscard]] bool has_order(const graph_contents& graph, const std::shared_ptr<run_order>& order) noexcept;
/// Returns whether both may have the same launch.
[[nodiscard]] bool shares_launches(const graph_contents& a, const graph_contents& b) noexcept;

/// The nodes as they are now: a node that is a graph is one step that comes before its steps, these, and one behind
/// them. `order`: that of the other nodes' launches; `memory`: what these have. Errors: errc::invalid if there is a
/// cycle.
[[nodiscard]] std::shared_ptr<executable_graph> finalized(const std::deque<graph_node>& nodes,
                                                          const launch_settings& settings,
                                                          const std::shared_ptr<run_order>& order,
                                                          const std::set<std::shared_ptr<graph_block>>& memory);

} // namespace detail
LANEFOLD_END_NAMESPACE
