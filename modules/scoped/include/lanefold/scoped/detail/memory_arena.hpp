// SPDX-License-Identifier: Apache-2.0
/// Local and private memory of the work-group that a thread runs.
#pragma once

#include <lanefold/execution/detail/watched_group.hpp>
#include <lanefold/memory/view.hpp>
#include <lanefold/version.hpp>

#include <cstddef>
#include <cstring>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The most private memory that the items of a work-group can have in scopes, in bytes.
inline constexpr std::size_t private_memory_bytes = std::size_t{4} << 20;

[[noreturn]] LANEFOLD_COLD void throw_memory_exceeded(const char* kind, std::size_t bytes, std::size_t used,
                                                      std::size_t limit);

/// Memory that is taken and given back like a stack.
class memory_stack {
public:
  static constexpr std::size_t alignment = 64;

  /// `kind` is for messages.
  memory_stack(const char* kind, std::byte* memory, std::size_t used, std::size_t limit)
      : m_kind(kind), m_memory(memory), m_used(used), m_limit(limit) {}

  /// Throws errc::memory_allocation when it is used up. Checked builds fill the memory with 0xA5.
  std::byte* take(std::size_t bytes) {
    const std::size_t begin = (m_used + alignment - 1) / alignment * alignment;
    if (begin > m_limit || bytes > m_limit - begin) [[unlikely]] {
      throw_memory_exceeded(m_kind, bytes, begin, m_limit);
    }
    m_used = begin + bytes;
    if constexpr (checked_build) {
      std::memset(m_memory + begin, 0xA5, bytes);
      meet_watched_group(); // what was there before has nothing to do with what comes
    }
    return m_memory + begin;
  }
  [[nodiscard]] std::size_t used() const { return m_used; }
  /// Everything taken since `used()` was this is free again.
  void release(std::size_t used) { m_used = used; }

private:
  const char* m_kind;
  std::byte* m_memory; ///< aligned to a page
  std::size_t m_used;
  std::size_t m_limit;
};

/// The memory of one thread.
struct memory_arena {
  memory_stack local;
  memory_stack priv;
};

/// The arena of the kernel that runs on this thread, from the thread's kernel_binding; throws errc::invalid outside of
/// hierarchical and scoped kernels.
memory_arena& running_arena();

/// private_memory_bytes of this thread, allocated when first asked for.
std::byte* private_memory_of_thread();

} // namespace detail
LANEFOLD_END_NAMESPACE
