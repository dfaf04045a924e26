// SPDX-License-Identifier: Apache-2.0
/// Memory that belongs to graphs.
#pragma once

#include <lanefold/memory/usm.hpp>
#include <lanefold/version.hpp>

#include <cstddef>
#include <cstdint>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// USM that a node allocates when it is added. Graphs, and what is finalized from them, keep it until their end: the
/// pointer is one for all runs.
class graph_block {
public:
  /// Errors: errc::memory_allocation; those of usm_allocate.
  graph_block(std::size_t bytes, usm::alloc kind, std::uint64_t context);
  graph_block(const graph_block&) = delete;
  graph_block& operator=(const graph_block&) = delete;
  ~graph_block();

  [[nodiscard]] void* memory() const noexcept { return m_memory; }
  [[nodiscard]] std::size_t bytes() const noexcept { return m_bytes; }
  /// Returns whether it can be used as memory of that kind and size, and is not much larger.
  [[nodiscard]] bool fits(std::size_t bytes, usm::alloc kind) const noexcept {
    return m_kind == kind && bytes <= m_bytes && m_bytes / 2 <= bytes;
  }

private:
  std::size_t m_bytes;
  usm::alloc m_kind;
  std::uint64_t m_context;
  void* m_memory;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
