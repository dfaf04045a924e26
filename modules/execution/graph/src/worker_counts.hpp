// SPDX-License-Identifier: Apache-2.0
/// Counts the workers of an executor that are there.
#pragma once

#include <lanefold/version.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Counts the workers of an executor that are there, and those of them that have nothing to do. A worker that turns
/// from idle to busy writes to a cache line of its own: a common number would be handed round among all that begin with
/// a launch.
class worker_counts {
public:
  explicit worker_counts(std::size_t workers) : m_workers(workers), m_lines(std::make_unique<line[]>(workers + 1)) {}

  /// A worker has come: says which number it has until it leaves.
  std::size_t arrive() noexcept {
    std::uint64_t counts = m_counts.load(std::memory_order_relaxed);
    // One may come after all that was called when no threads could be had.
    while (!m_counts.compare_exchange_weak(counts, counts + 1 - (called(counts) != 0 ? one_called : 0),
                                           std::memory_order_seq_cst, std::memory_order_relaxed)) {
    }
    for (std::size_t n = 0;; n = n == m_workers ? 0 : n + 1) {
      if (!m_lines[n].taken.exchange(true, std::memory_order_relaxed)) {
        return n;
      }
    }
  }
  void leave(std::size_t number) noexcept {
    set_idle(number, false);
    m_lines[number].taken.store(false, std::memory_order_relaxed);
    m_counts.fetch_sub(1, std::memory_order_seq_cst);
  }
  void set_idle(std::size_t number, bool idle) noexcept { m_lines[number].idle.store(idle, std::memory_order_relaxed); }

  [[nodiscard]] bool is_anybody_idle() const noexcept {
    return std::any_of(m_lines.get(), m_lines.get() + m_workers + 1,
                       [](const line& l) { return l.idle.load(std::memory_order_relaxed); });
  }
  [[nodiscard]] bool is_anybody_there() const noexcept { return there(m_counts.load(std::memory_order_seq_cst)) != 0; }

  /// Returns how many to call now, at most two, so that the idle and called ones are as many as `wanted()` says; they
  /// count as called.
  template <class Wanted>
  std::size_t call(Wanted wanted) noexcept {
    std::uint64_t counts = m_counts.load(std::memory_order_seq_cst);
    for (;;) {
      const std::size_t known = there(counts) + called(counts);
      if (known >= m_workers) {
        return 0;
      }
      const std::size_t coming = idle() + called(counts);
      const std::size_t asked = wanted();
      const std::size_t missing = std::min({asked - std::min(asked, coming), m_workers - known, std::size_t{2}});
      if (missing == 0 || m_counts.compare_exchange_weak(counts, counts + missing * one_called)) {
        return missing;
      }
    }
  }
  /// So many that count as called will not come.
  void take_back(std::size_t count) noexcept {
    std::uint64_t counts = m_counts.load(std::memory_order_relaxed);
    while (!m_counts.compare_exchange_weak(counts, counts - std::min(called(counts), count) * one_called)) {
    }
  }
  /// One more will come, who is not called.
  void expect_one() noexcept { m_counts.fetch_add(one_called, std::memory_order_seq_cst); }

private:
  struct alignas(64) line {
    std::atomic<bool> taken{false};
    std::atomic<bool> idle{false};
  };
  static constexpr std::uint64_t one_called = std::uint64_t{1} << 32;
  static constexpr std::size_t there(std::uint64_t counts) noexcept { return counts & (one_called - 1); }
  static constexpr std::size_t called(std::uint64_t counts) noexcept { return counts >> 32; }
  [[nodiscard]] std::size_t idle() const noexcept {
    return static_cast<std::size_t>(std::count_if(m_lines.get(), m_lines.get() + m_workers + 1, [](const line& l) {
      return l.idle.load(std::memory_order_relaxed);
    }));
  }

  std::size_t m_workers;
  std::unique_ptr<line[]> m_lines; // one more than workers: a host thread may do their work
  std::atomic<std::uint64_t> m_counts{0};
};

} // namespace detail
LANEFOLD_END_NAMESPACE
