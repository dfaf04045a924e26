// SPDX-License-Identifier: Apache-2.0
/// The blocks of a memory pool.
#pragma once

#include <lanefold/execution/context.hpp>
#include <lanefold/execution/device.hpp>
#include <lanefold/execution/memory_pool.hpp>
#include <lanefold/memory/usm.hpp>

#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class queue_state;
class freed_block;

/// Holds what the handles of a memory pool share. Thread-safe. No queue is asked, and no memory freed, under the guard:
/// a queue that is asked may run what frees a block.
class pool_state : public std::enable_shared_from_this<pool_state> {
public:
  struct limits {
    std::size_t threshold = 0;
    std::size_t most = std::numeric_limits<std::size_t>::max();
    bool zero = false;
  };
  pool_state(context where, const device& of, usm::alloc kind, const limits& bounds)
      : m_where(std::move(where)), m_of(of), m_kind(kind), m_limits(bounds) {}
  pool_state(const pool_state&) = delete;
  pool_state& operator=(const pool_state&) = delete;
  /// Waits for the queues in which blocks were freed.
  ~pool_state();

  [[nodiscard]] const context& where() const noexcept { return m_where; }
  [[nodiscard]] const device& of() const noexcept { return m_of; }
  [[nodiscard]] usm::alloc kind() const noexcept { return m_kind; }
  [[nodiscard]] bool gives_zeros() const noexcept { return m_limits.zero; }
  [[nodiscard]] std::size_t threshold() const noexcept;
  [[nodiscard]] std::size_t reserved() const noexcept;
  [[nodiscard]] std::size_t used() const noexcept;
  [[nodiscard]] ext::oneapi::experimental::memory_pool_statistics statistics() const noexcept;
  void increase_threshold_to(std::size_t threshold) noexcept;
  void trim_to(std::size_t bytes);

  /// A block for the commands that the queue gets next; `by` null: for any. A pool that gives zeros calls
  /// `fill(memory, bytes)` for a new one, which throws only if nothing uses the memory. If this throws, no block was
  /// allocated.
  void* allocate(std::size_t bytes, const std::shared_ptr<queue_state>& by,
                 const std::function<void(void*, std::size_t)>& fill);
  /// An allocation of some pool, which is none any more. `by` null: of any context. Errors: errc::invalid if it is
  /// none.
  static freed_block take(void* memory, const queue* by);

private:
  friend class freed_block;

  struct block {
    void* memory = nullptr;
    std::size_t bytes = 0;
    bool is_new = false; ///< never allocated before
  };
  /// A block that nobody has.
  struct free_block {
    void* memory;
    std::weak_ptr<queue_state> freed_in; ///< gone: its commands are complete
    std::size_t number;                  ///< rises
  };
  using free_blocks = std::multimap<std::size_t, free_block>; // by size

  [[nodiscard]] block take_free(std::size_t bytes, const std::shared_ptr<queue_state>& by);
  block reserve(std::size_t bytes, const std::shared_ptr<queue_state>& by);
  void find_complete();
  void collect_complete(std::size_t keep, std::vector<void*>& to);
  void release(void* memory) noexcept;
  void release(const std::vector<void*>& blocks) noexcept;
  void note_use(const block& made) noexcept;
  void discard(const block& made) noexcept;
  void give_back(void* memory, std::size_t bytes, const std::shared_ptr<queue_state>& in) noexcept;
  /// Makes a block an allocation again that was taken from its owner.
  void keep(void* memory, std::size_t bytes) noexcept;

  const context m_where;
  const device m_of;
  const usm::alloc m_kind;
  mutable std::mutex m_guard; // of what follows
  limits m_limits;
  free_blocks m_free;
  std::size_t m_number = 0; // of the block that was freed last
  std::size_t m_reserved = 0;
  std::size_t m_used = 0;
  ext::oneapi::experimental::memory_pool_statistics m_statistics;
};

/// An allocation that was taken from its owner, and returns to its pool. If it is not given back, its owner still has
/// it.
class freed_block {
public:
  freed_block(std::shared_ptr<pool_state> home, void* memory, std::size_t bytes) noexcept
      : m_home(std::move(home)), m_memory(memory), m_bytes(bytes) {}
  freed_block(freed_block&& other) noexcept = default;
  freed_block& operator=(freed_block&&) = delete;
  ~freed_block() {
    if (m_home) {
      m_home->keep(m_memory, m_bytes);
    }
  }

  /// Behind the commands of the queue; null: now.
  void give_back(const std::shared_ptr<queue_state>& in) noexcept {
    if (m_home) {
      std::exchange(m_home, nullptr)->give_back(m_memory, m_bytes, in);
    }
  }

private:
  std::shared_ptr<pool_state> m_home;
  void* m_memory;
  std::size_t m_bytes;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
