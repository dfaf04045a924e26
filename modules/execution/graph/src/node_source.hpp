// SPDX-License-Identifier: Apache-2.0
/// Handlers keep this for nodes of graphs.
#pragma once

#include <lanefold/execution/detail/buffer_requirement.hpp>
#include <lanefold/execution/detail/forward.hpp>
#include <lanefold/execution/detail/launch_maker.hpp>
#include <lanefold/execution/detail/shared_part.hpp>

#include <memory>
#include <optional>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class graph_block;
struct graph_contents;

/// Holds what a handler keeps for a command that becomes a node.
struct node_source {
  std::optional<ext::oneapi::experimental::node_type> type; ///< where the launch does not say it
  std::shared_ptr<graph_block> memory;                      ///< that the node allocates; null: none
  void* freed = nullptr;                                    ///< memory that the node frees
  std::shared_ptr<const graph_contents> part;               ///< the graph that is the node, as it was; null: none
  std::unique_ptr<launch_recipe> recipe;                    ///< of a kernel; null: there is none
  std::vector<buffer_requirement> fixed;                    ///< what the kernel requires but by dynamic parameters
  std::vector<shared_part<dynamic_value>> required;         ///< that were given to handler::require
  std::vector<captured_parameter> parameters;               ///< of the kernel, each once

  /// Returns whether the node allocates or frees memory.
  [[nodiscard]] bool is_of_memory() const noexcept { return memory || freed != nullptr; }
  /// Returns whether a parameter may have got another value than the kernel has.
  [[nodiscard]] bool is_outdated() const noexcept;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
