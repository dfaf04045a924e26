// SPDX-License-Identifier: Apache-2.0
/// The stacks of suspended units.
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The stacks of one thread, numbered from 0; made when first needed, kept for later groups and launches.
///
/// A stack costs address space, and memory only for the pages that were used. Neighbouring stacks begin at different
/// cache sets of their first page, so that the frames of the units do not evict each other; a unit with small frames
/// thus touches one or two pages. Below each stack lies a gap of 1 MiB (of a page where address space is short) that
/// belongs to no other stack, so that frames larger than what is left do not reach the next one; its last page, or all
/// of it, is a guard. Where the system cannot give so many guards (Linux before 6.13 splits a mapping for each: all
/// threads together get guards for a quarter of vm.max_map_count), the stacks that came last have none.
class stack_pool {
public:
  stack_pool() = default;
  stack_pool(const stack_pool&) = delete;
  stack_pool& operator=(const stack_pool&) = delete;
  ~stack_pool();

  /// Makes stacks until there are `count` of at least `bytes` usable bytes each. Stacks in use stay valid only if they
  /// are large enough already. Throws exception(errc::memory_allocation).
  void reserve(std::size_t count, std::size_t bytes);

  [[nodiscard]] std::size_t size() const { return m_stacks.size(); }
  /// Returns where stack `i` begins, aligned to a cache line: less than `colour_bytes` (a power of two) below its end.
  /// All 4 KiB spread best; users whose frames are large anyway take less.
  [[nodiscard]] std::byte* top(std::size_t i, std::size_t colour_bytes = 4096) const {
    constexpr std::size_t colour_step = 5 * 64; // odd in cache lines: 64 neighbours begin at 64 different sets
    return end(i) - i * colour_step % colour_bytes;
  }
  /// End of the memory of stack `i`, aligned to a page.
  [[nodiscard]] std::byte* end(std::size_t i) const { return m_stacks[i].end; }
  /// Lowest usable address of stack `i`.
  [[nodiscard]] std::byte* bottom(std::size_t i) const { return m_stacks[i].bottom; }
  /// Usable bytes of every stack.
  [[nodiscard]] std::size_t bytes() const { return m_bytes; }
  /// Stacks with a guard.
  [[nodiscard]] std::size_t guarded() const { return m_guarded; }
  // Fault handlers call these, which are async-signal-safe.

  /// The stack below which `address` lies in the gap; size() if there is none.
  [[nodiscard]] std::size_t find_guard(const void* address) const;
  /// The stack that a frame of many megabytes has left if `address` is in it, below all that is mapped here; size() if
  /// there is none.
  [[nodiscard]] std::size_t find_below(const void* address) const;
  /// Returns the stack in which `address` lies; size() if there is none.
  [[nodiscard]] std::size_t find(const void* address) const;

private:
  struct stack {
    std::byte* bottom;
    std::byte* end;
  };
  struct block {
    std::byte* memory;
    std::size_t bytes;
    std::size_t gap;                             ///< bytes below each stack
    std::size_t first;                           ///< number of its first stack
    std::size_t stride;                          ///< bytes from one stack to the next, whole pages
    unsigned page_bits;                          ///< a page has 2^page_bits bytes
    std::uint64_t inverse;                       ///< 2^inverse_bits / pages from one stack to the next
    static constexpr unsigned inverse_bits = 40; // no block has as many pages

    struct position {
      std::size_t number; ///< offset / stride
      std::size_t rest;   ///< offset % stride
    };
    /// Is meant for offsets below `bytes`.
    [[nodiscard]] position position_of(std::size_t offset) const;
  };

  void grow(std::size_t count, std::size_t stack_bytes);
  void release();

  std::vector<stack> m_stacks;
  std::vector<block> m_blocks;
  std::size_t m_bytes = 0;
  std::size_t m_guarded = 0;
  std::size_t m_counted_guards = 0; ///< those that split a mapping
};

/// Usable bytes of a stack: `requested`, which is raised to 16 KiB, or what LANEFOLD_STACK_SIZE says, or 256 KiB (1 MiB
/// under a sanitizer). Throws exception(errc::invalid) if the variable is no size or below 16 KiB.
std::size_t stack_bytes(std::size_t requested);

} // namespace detail
LANEFOLD_END_NAMESPACE
