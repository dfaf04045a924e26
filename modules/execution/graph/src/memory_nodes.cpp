// SPDX-License-Identifier: Apache-2.0
// Nodes that allocate and free memory of their graph.
#include "graph_memory.hpp"
#include "graph_nodes.hpp"
#include "whole_handler.hpp"

#include <lanefold/exception.hpp>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

using ext::oneapi::experimental::node_type;

bool graph_nodes::allocate(handler& node, std::shared_ptr<graph_block> block) {
  if (!node.m_contents.source) {
    return false;
  }
  node.refuse_second_action();
  node.m_contents.source->memory = std::move(block);
  node.be_of_type(node_type::async_malloc);
  return true;
}

bool graph_nodes::free(handler& node, void* memory) {
  if (!node.m_contents.source) {
    return false;
  }
  node.refuse_second_action();
  node.m_contents.source->freed = memory;
  node.be_of_type(node_type::async_free);
  return true;
}

void graph_nodes::keep_out(handler& h) noexcept { h.m_contents.is_no_node = true; }

/// Under m_guard. Errors: errc::invalid if no node has allocated it, or one has freed it.
std::shared_ptr<graph_block> graph_nodes::allocated_at(const void* memory) const {
  const auto found = std::find_if(m_allocated.begin(), m_allocated.end(),
                                  [&](const auto& block) { return block->memory() == memory; });
  if (found == m_allocated.end()) {
    throw exception(make_error_code(errc::invalid),
                    "async_free: the pointer is no live allocation of a node of this graph");
  }
  return *found;
}

/// Under m_guard, before a node is added: what it allocates is from here on memory of this graph, what it frees is not.
void graph_nodes::note_memory(const node_source& of) {
  if (of.memory) {
    m_memory.insert(of.memory);
    m_allocated.push_back(of.memory);
  }
  if (of.freed != nullptr) {
    std::erase(m_allocated, allocated_at(of.freed));
  }
}

std::shared_ptr<graph_block> graph_nodes::take_freed(const queue& recording, std::size_t bytes, usm::alloc kind) {
  const std::lock_guard lock(m_guard);
  const auto q = m_queues.find(recording.recording().get());
  if (q == m_queues.end()) {
    return nullptr;
  }
  std::vector<std::shared_ptr<graph_block>>& all = q->second.freed;
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& block) { return block->fits(bytes, kind); });
  if (found == all.end()) {
    return nullptr;
  }
  std::shared_ptr<graph_block> taken = std::move(*found);
  all.erase(found);
  return taken;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
