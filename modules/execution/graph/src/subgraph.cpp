// SPDX-License-Identifier: Apache-2.0
#include "subgraph.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

/// Writes a node that is a graph to the steps from `first` on.
void place(const graph_contents& graph, std::uint32_t first, graph_contents& whole) {
  const std::uint32_t last = first + static_cast<std::uint32_t>(graph.steps.size()) + 1;
  std::vector<bool> is_last(graph.steps.size(), true);
  for (std::size_t i = 0; i < graph.steps.size(); ++i) {
    step_description& step = whole.steps[first + 1 + i];
    step.work = graph.steps[i].work;
    for (const std::uint32_t before : graph.steps[i].after) {
      step.after.push_back(first + 1 + before);
      is_last[before] = false;
    }
    if (step.after.empty()) {
      step.after.push_back(first);
    }
    whole.uses[first + 1 + i] = graph.uses[i];
  }
  std::vector<std::uint32_t>& behind = whole.steps[last].after;
  for (std::uint32_t i = 0; i < graph.steps.size(); ++i) {
    if (is_last[i]) {
      behind.push_back(first + 1 + i);
    }
  }
  if (behind.empty()) {
    behind.push_back(first);
  }
  for (const std::shared_ptr<run_order>& order : graph.orders) {
    if (!has_order(whole, order)) {
      whole.orders.push_back(order);
    }
  }
  whole.memory.insert(graph.memory.begin(), graph.memory.end());
}

} // namespace

std::size_t edges_of(const std::deque<graph_node>& nodes) noexcept {
  return std::accumulate(nodes.begin(), nodes.end(), std::size_t{0},
                         [](std::size_t sum, const graph_node& n) { return sum + n.before.size(); });
}

bool has_order(const graph_contents& graph, const std::shared_ptr<run_order>& order) noexcept {
  return std::find(graph.orders.begin(), graph.orders.end(), order) != graph.orders.end();
}

bool shares_launches(const graph_contents& a, const graph_contents& b) noexcept {
  return std::any_of(a.orders.begin(), a.orders.end(), [&](const auto& order) { return has_order(b, order); });
}

std::shared_ptr<executable_graph> finalized(const std::deque<graph_node>& nodes, const launch_settings& settings,
                                            const std::shared_ptr<run_order>& order,
                                            const std::set<std::shared_ptr<graph_block>>& memory) {
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> last;
  std::uint32_t count = 0;
  for (const graph_node& n : nodes) {
    first.push_back(count);
    count += n.command->graph() ? static_cast<std::uint32_t>(n.command->graph()->steps.size()) + 2 : 1;
    last.push_back(count - 1);
  }
  graph_contents whole;
  whole.steps.resize(count);
  whole.uses.resize(count);
  whole.orders.push_back(order);
  whole.nodes = nodes.size();
  whole.edges = edges_of(nodes);
  whole.memory = memory;
  for (const graph_node& n : nodes) {
    const std::uint32_t at = first[n.number];
    for (const std::uint32_t before : n.before) {
      whole.steps[at].after.push_back(last[before]);
    }
    if (n.command->graph()) {
      place(*n.command->graph(), at, whole);
    } else {
      whole.steps[at].work = n.command->work();
      whole.uses[at] = n.command->uses();
    }
  }
  if (count == nodes.size()) {
    first.clear();
  }
  return std::make_shared<executable_graph>(std::move(whole), std::move(first), settings);
}

} // namespace detail
LANEFOLD_END_NAMESPACE
