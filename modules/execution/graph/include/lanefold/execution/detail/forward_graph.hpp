// SPDX-License-Identifier: Apache-2.0
/// Forward declarations of what queues and handlers mention of command graphs.
#pragma once

#include <lanefold/version.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace ext::oneapi::experimental {

enum class graph_state { modifiable, executable };
/// A graph of commands, see command_graph.hpp.
template <graph_state State = graph_state::modifiable>
class command_graph;
class dynamic_command_group;

/// Says what the command of a node does.
enum class node_type { empty, kernel, memcpy, memfill, prefetch, host_task, ext_oneapi_barrier };

/// Says what a queue does with commands: it runs them, or they become nodes of a graph.
enum class queue_state { executing, recording };

} // namespace ext::oneapi::experimental
LANEFOLD_END_NAMESPACE
