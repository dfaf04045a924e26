// SPDX-License-Identifier: Apache-2.0
/// A node of a graph that grows.
#pragma once

#include "node_command.hpp"

#include <cstdint>
#include <memory>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class graph_nodes;

/// A node: what it runs, and which nodes it comes directly before and after.
struct graph_node {
  std::weak_ptr<graph_nodes> home;
  std::uint32_t number = 0;
  std::shared_ptr<node_command> command;
  std::vector<std::uint32_t> before;
  std::vector<std::uint32_t> after;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
