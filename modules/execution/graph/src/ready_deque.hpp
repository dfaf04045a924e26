// SPDX-License-Identifier: Apache-2.0
/// A thread's own list of what is ready, from which others steal.
#pragma once

#include <lanefold/version.hpp>

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Holds numbers: its owner adds and takes at one end, the newest first; other threads take the oldest. Without locks
/// and, once it is made, without memory (Chase and Lev, Dynamic circular work-stealing deque, SPAA 2005, in the form of
/// Lê et al., PPoPP 2013, with sequentially consistent operations in place of fences, which ThreadSanitizer does not
/// know).
class ready_deque {
public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// There are never more than `most` numbers in it.
  explicit ready_deque(std::size_t most)
      : m_mask(std::bit_ceil(most + 1) - 1), m_numbers(std::make_unique<std::atomic<std::uint32_t>[]>(m_mask + 1)) {}

  /// Called by the owner.
  void push(std::uint32_t number) noexcept {
    const std::int64_t bottom = m_bottom.load(std::memory_order_relaxed);
    slot(bottom).store(number, std::memory_order_relaxed);
    m_bottom.store(bottom + 1, std::memory_order_seq_cst);
  }

  /// Called by the owner. Returns `none` if there is nothing.
  std::uint32_t pop() noexcept {
    const std::int64_t bottom = m_bottom.load(std::memory_order_relaxed) - 1;
    if (bottom < m_top.load(std::memory_order_relaxed)) {
      return none; // nobody but the owner adds
    }
    m_bottom.store(bottom, std::memory_order_seq_cst);
    std::int64_t top = m_top.load(std::memory_order_seq_cst);
    if (top < bottom) {
      return slot(bottom).load(std::memory_order_relaxed);
    }
    std::uint32_t last = none;
    if (top == bottom) { // thieves may want it, too
      last = slot(bottom).load(std::memory_order_relaxed);
      if (!m_top.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst, std::memory_order_relaxed)) {
        last = none;
      }
    }
    m_bottom.store(bottom + 1, std::memory_order_relaxed);
    return last;
  }

  /// Called by others. Returns `none` if there is nothing, or if somebody else was faster.
  std::uint32_t steal() noexcept {
    std::int64_t top = m_top.load(std::memory_order_seq_cst);
    if (top >= m_bottom.load(std::memory_order_seq_cst)) {
      return none;
    }
    const std::uint32_t oldest = slot(top).load(std::memory_order_relaxed);
    return m_top.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst, std::memory_order_relaxed) ? oldest
                                                                                                             : none;
  }

  [[nodiscard]] bool is_empty() const noexcept {
    return m_top.load(std::memory_order_seq_cst) >= m_bottom.load(std::memory_order_seq_cst);
  }

private:
  std::atomic<std::uint32_t>& slot(std::int64_t at) const noexcept {
    return m_numbers[static_cast<std::size_t>(at) & m_mask];
  }

  std::size_t m_mask;
  std::unique_ptr<std::atomic<std::uint32_t>[]> m_numbers;
  alignas(64) std::atomic<std::int64_t> m_top{0};
  alignas(64) std::atomic<std::int64_t> m_bottom{0};
};

} // namespace detail
LANEFOLD_END_NAMESPACE
