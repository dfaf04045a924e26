// SPDX-License-Identifier: Apache-2.0
/// A limited number of threads, and the lists of what they can do.
#pragma once

#include "command.hpp"
#include "executor_distribution.hpp"
#include "executor_threads.hpp"
#include "launch_costs.hpp"
#include "open_launches.hpp"
#include "ready_list.hpp"
#include "worker_counts.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

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

  /// A launch that is expected to take no longer than this runs on one thread: that others, which look for work, come
  /// costs about as much.
  [[nodiscard]] std::chrono::nanoseconds short_launch() const noexcept;
  /// Returns whether a launch that is expected to take so long is to run on one thread.
  [[nodiscard]] bool is_for_one_thread(std::chrono::nanoseconds expected) noexcept;

  void make_ready(command_ptr ready) noexcept;
  /// Null if the command is not ready: somebody else was faster.
  command_ptr claim(command& wanted);
  /// Claims the first command, or the first one of `queue` if that is not null; null if there is none.
  command_ptr claim_first(const queue_account* queue = nullptr);

  /// Opens the launch of a running command, from its group `first` on, for others; none if that cannot be. Throws
  /// std::bad_alloc.
  open_launches::seat open(const command_ptr& running, std::size_t first, const group_cost& cost);
  /// Takes a seat in an open launch, see open_launches::join.
  open_launches::seat join(const command* wanted, const queue_account* queue) noexcept {
    return m_open.join(wanted, queue);
  }
  /// Returns whether a command is ready, or an open launch has seats.
  [[nodiscard]] bool has_work() const noexcept;

  // Called by workers.
  /// Returns the number of the worker, until look_for_work() says false.
  std::size_t begin_work();
  /// Calls others if there is more to do.
  void call_others() noexcept;
  /// There is nothing to do for that worker. False if it should go to sleep.
  bool look_for_work(std::size_t& worker);

private:
  static void enter(void* self);
  std::size_t invitations() noexcept;
  void invite(std::size_t count) noexcept;
  void work_without_workers() noexcept;

  const std::size_t m_threads;
  executor_threads m_pool;
  const std::size_t m_workers;
  void (*const m_work)(executor&) noexcept;

  std::mutex m_guard; // of the list
  ready_list m_ready;
  std::atomic<bool> m_refused;           // there are no more threads: those who make commands ready run them
  std::atomic<bool> m_host_works{false}; // one of them does
  worker_counts m_there;
  // Idle workers look at these two.
  alignas(64) std::atomic<std::size_t> m_ready_count{0}; // written under m_guard
  open_launches m_open;

  alignas(64) launch_costs m_costs;
  std::atomic<std::int64_t> m_alone{0}; // nanoseconds of launches for which no worker was woken, since one was
};

} // namespace detail
LANEFOLD_END_NAMESPACE
