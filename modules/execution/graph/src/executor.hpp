// SPDX-License-Identifier: Apache-2.0
/// A limited number of threads, and the lists of what they can do.
#pragma once

#include "command.hpp"
#include "executor_distribution.hpp"
#include "executor_threads.hpp"
#include "launch_costs.hpp"
#include "ready_list.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Holds a launch that others may join.
struct open_launch {
  command_ptr owner;
  std::shared_ptr<distribution> work;
  std::size_t wanted; ///< threads
};

/// The threads that run commands: its workers, and host threads that wait. It lists the commands that are ready and the
/// launches that are open, and calls workers for them. It lives as long as the process, because workers may still look
/// for work when that ends.
class executor {
public:
  /// `work(executor&)` is what a worker does when it is called: it calls begin_work(), then claims and joins, and when
  /// there is nothing left look_for_work(), until that returns false.
  executor(std::size_t threads, void (*work)(executor&) noexcept);
  executor(const executor&) = delete;
  executor& operator=(const executor&) = delete;

  [[nodiscard]] std::size_t threads() const noexcept { return m_threads; }
  [[nodiscard]] launch_costs& costs() noexcept { return m_costs; }

  void make_ready(command_ptr ready) noexcept;
  /// Null if the command is not ready: somebody else was faster.
  command_ptr claim(command& wanted);
  // These return null if there is none.
  command_ptr claim_first();
  command_ptr claim_first_of(const queue_account& queue);

  /// Others may take `seats` seats in the launch of a running command. Throws std::bad_alloc; nobody may then.
  void open(const command_ptr& running, std::shared_ptr<distribution> work, std::size_t seats);
  /// Nobody can join any more.
  void close(const distribution& finished);
  /// Takes a seat in an open launch whose command `wanted` accepts; false if there is none.
  template <class Predicate>
  bool take_seat(open_launch& taken, Predicate wanted);

  // Called by workers.
  void begin_work();
  /// Calls others if there is more to do.
  void call_others() noexcept;
  /// There is nothing to do. False if the worker should go to sleep.
  bool look_for_work();

private:
  static void enter(void* self);
  std::size_t invitations() noexcept;
  void invite(std::size_t count) noexcept;
  void work_without_workers() noexcept;

  const std::size_t m_threads;
  executor_threads m_pool;
  const std::size_t m_workers;
  void (*const m_work)(executor&) noexcept;

  std::mutex m_guard; // of the lists and the next three numbers
  ready_list m_ready;
  std::vector<open_launch> m_open;
  std::size_t m_invited = 0;   // workers called that have not come yet
  std::size_t m_idle = 0;      // workers that look for work
  std::size_t m_busy = 0;      // workers that have some
  std::atomic<bool> m_refused; // there are no more threads: those who make commands ready run them
  // Idle workers look at these. Written under m_guard.
  alignas(64) std::atomic<std::size_t> m_ready_count{0};
  std::atomic<std::size_t> m_open_wanted{0};

  alignas(64) launch_costs m_costs;
};

template <class Predicate>
bool executor::take_seat(open_launch& taken, Predicate wanted) {
  const std::lock_guard lock(m_guard);
  for (open_launch& open : m_open) {
    if (open.wanted > 0 && wanted(*open.owner)) {
      --open.wanted;
      m_open_wanted.fetch_sub(1, std::memory_order_relaxed);
      taken = open;
      return true;
    }
  }
  return false;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
