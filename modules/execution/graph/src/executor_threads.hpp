// SPDX-License-Identifier: Apache-2.0
/// The threads of an executor: the one place that touches oneTBB's tasks.
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// A limited share in the process's pool of threads.
///
/// ThreadSanitizer does not see how oneTBB synchronises, because oneTBB is not instrumented. So nothing is handed over
/// through it but one pointer that never changes, executor_threads.cpp (which writes and reads oneTBB's task objects)
/// is not instrumented either, and all that threads share is ordered by the mutexes and atomics of the executor, which
/// ThreadSanitizer does see.
class executor_threads {
public:
  /// Makes room for `threads` threads, of which one is a host thread that waits: there are threads-1 workers, but at
  /// least one. There are fewer where the process gets no more, down to none.
  explicit executor_threads(std::size_t threads);
  executor_threads(const executor_threads&) = delete;
  executor_threads& operator=(const executor_threads&) = delete;

  /// Has `work(argument)` called once by some worker, soon. A sleeping worker costs a system call.
  void invite(void (*work)(void*), void* argument);

  /// Returns how many workers there may be.
  [[nodiscard]] std::size_t workers() const noexcept { return m_workers; }

private:
  std::size_t m_workers;
  // Both live as long as the process.
  void* m_arena;             // tbb::task_arena
  void* m_pinning = nullptr; // tbb::task_scheduler_observer, with LANEFOLD_PIN=on
};

/// Which worker of its executor the calling thread is: 1, 2, …; 0 for other threads.
std::size_t current_worker() noexcept;

} // namespace detail
LANEFOLD_END_NAMESPACE
