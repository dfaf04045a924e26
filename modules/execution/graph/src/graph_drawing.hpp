// SPDX-License-Identifier: Apache-2.0
/// Graphs in the language of Graphviz.
#pragma once

#include "graph_node.hpp"

#include <deque>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Each node with its number, type and kernel; `verbose`: also with its index space and what it uses.
[[nodiscard]] std::string drawing_of(const std::deque<graph_node>& nodes, bool verbose);

} // namespace detail
LANEFOLD_END_NAMESPACE
