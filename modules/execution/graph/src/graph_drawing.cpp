// SPDX-License-Identifier: Apache-2.0
#include "graph_drawing.hpp"

#include "executable_graph.hpp"

#include <lanefold/execution/detail/buffer_state.hpp>

#include <array>
#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

using ext::oneapi::experimental::node_type;

std::string times(const std::size_t* extents, int dimensions) {
  std::string text = std::to_string(extents[0]);
  for (int d = 1; d < dimensions; ++d) {
    text += " x " + std::to_string(extents[d]);
  }
  return text;
}

std::string quoted(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    safe += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
  }
  return safe;
}

std::string space_of(const launch& work) {
  const launch_description how = work.describe();
  if (how.dimensions == 0) {
    return {};
  }
  std::string text = "\\n" + times(how.extents, how.dimensions);
  if (how.local[0] != 0) {
    text += " in groups of " + times(how.local, how.dimensions);
  }
  return text;
}

std::string uses_of(const node_command& of) {
  std::string text;
  for (const buffer_requirement& r : of.uses()) {
    text += std::string("\\n") + (r.kind.writes ? "writes" : "reads") + " buffer " + std::to_string(r.buffer->id()) +
            ", bytes " + std::to_string(r.begin) + " to " + std::to_string(r.end);
  }
  return text;
}

std::string label_of(const graph_node& n, bool verbose) {
  constexpr std::array names{"empty",    "subgraph",  "kernel",  "memcpy",    "memset",       "memfill",
                             "prefetch", "memadvise", "barrier", "host_task", "async_malloc", "async_free"};
  const node_command& command = *n.command;
  std::string label = std::to_string(n.number) + ": " + names.at(static_cast<std::size_t>(command.type()));
  if (command.graph()) {
    label += " of " + std::to_string(command.graph()->nodes) + (command.graph()->nodes == 1 ? " node" : " nodes");
  }
  if (command.work() && command.type() == node_type::kernel) {
    label += "\\n" + quoted(command.work()->kernel_name());
  }
  if (verbose) {
    label += (command.work() ? space_of(*command.work()) : std::string()) + uses_of(command);
  }
  return label;
}

} // namespace

std::string drawing_of(const std::deque<graph_node>& nodes, bool verbose) {
  std::string text = "digraph lanefold {\n";
  for (const graph_node& n : nodes) {
    text += "  " + std::to_string(n.number) + " [label=\"" + label_of(n, verbose) + "\"];\n";
    for (const std::uint32_t next : n.after) {
      text += "  " + std::to_string(n.number) + " -> " + std::to_string(next) + ";\n";
    }
  }
  return text + "}\n";
}

} // namespace detail
LANEFOLD_END_NAMESPACE
