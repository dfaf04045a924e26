// SPDX-License-Identifier: Apache-2.0
#include "graph_memory.hpp"

#include <lanefold/exception.hpp>

#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

graph_block::graph_block(std::size_t bytes, usm::alloc kind, std::uint64_t context)
    : m_bytes(bytes), m_kind(kind), m_context(context), m_memory(usm_allocate(bytes, 0, kind, context)) {
  if (m_memory == nullptr) {
    throw exception(make_error_code(errc::memory_allocation),
                    "async_malloc: there is no memory for " + std::to_string(bytes) + " bytes of a graph");
  }
}

graph_block::~graph_block() {
  try {
    usm_free(m_memory, m_context);
  } catch (const std::exception&) { // NOLINT: the program has freed it
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
