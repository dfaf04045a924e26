// SPDX-License-Identifier: Apache-2.0
/// Declares what handlers keep, which programs do not compile.
#pragma once

#include "node_source.hpp"

#include <lanefold/execution/detail/buffer_requirement.hpp>
#include <lanefold/execution/detail/shared_part.hpp>
#include <lanefold/execution/event.hpp>
#include <lanefold/execution/launch.hpp>

#include <cstddef>
#include <memory>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

struct bundle_contents;
class executable_graph;
class specialization_values;

/// Holds what a handler was told.
struct handler_contents {
  std::vector<event> dependencies;
  std::shared_ptr<std::vector<std::shared_ptr<command_attachment>>> attachments; ///< null: none
  std::vector<buffer_requirement> requirements;
  shared_part<specialization_values> values;
  shared_part<bundle_contents> bundle;
  std::unique_ptr<launch> work;
  std::unique_ptr<node_source> source; ///< null if the command becomes no node
  std::size_t local_owner = 0;         ///< 0 where there are no local accessors
  shared_part<executable_graph> graph; ///< in place of an action
  bool is_barrier = false;
  bool is_no_node = false; ///< what it has been told already is not for a node
};

} // namespace detail
LANEFOLD_END_NAMESPACE
