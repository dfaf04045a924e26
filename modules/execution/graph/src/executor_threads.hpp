// SPDX-License-Identifier: Apache-2.0
/// The workers of an executor. They are oneTBB's (executor_threads_onetbb.cpp, the one place that touches its tasks),
/// or with LANEFOLD_TBB=OFF threads of the standard library (executor_threads_standard.cpp).
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Returns how many workers an executor for so many threads wants: one of them is a host thread that waits.
constexpr std::size_t workers_for(std::size_t threads) noexcept { return threads > 2 ? threads - 1 : 1; }

/// Returns the processor of each worker with LANEFOLD_PIN=on, from the first again where there are more workers; none
/// without, or where nothing is known of processors.
std::vector<int> processors_of_workers();

/// Some threads that come when they are called.
///
/// ThreadSanitizer does not see how oneTBB synchronises, because oneTBB is not instrumented. So nothing is handed over
/// through it but pointers that never change, executor_threads_onetbb.cpp (which writes and reads oneTBB's task
/// objects) is not instrumented either, and all that threads share is ordered by the mutexes and atomics of the
/// executor, which ThreadSanitizer does see.
class executor_threads {
public:
  /// Makes room for `threads` threads, of which one is a host thread that waits: there are threads-1 workers, but at
  /// least one. There are fewer where the process gets no more, down to none. A worker that is called calls
  /// `work(argument)`.
  executor_threads(std::size_t threads, void (*work)(void*), void* argument);
  executor_threads(const executor_threads&) = delete;
  executor_threads& operator=(const executor_threads&) = delete;

  /// Has the function called once by some worker, soon. A sleeping worker costs a system call.
  void invite();

  /// Returns how many workers there may be.
  [[nodiscard]] std::size_t workers() const noexcept { return m_workers; }

private:
  void (*m_work)(void*);
  void* m_argument;
  std::size_t m_workers = 0;
  // Both live as long as the process.
  void* m_crew = nullptr;    // tbb::task_arena, or the crew of executor_threads_standard.cpp
  void* m_pinning = nullptr; // tbb::task_scheduler_observer, with LANEFOLD_PIN=on
};

/// Which worker of its executor the calling thread is: 1, 2, …; 0 for other threads.
std::size_t current_worker() noexcept;

} // namespace detail
LANEFOLD_END_NAMESPACE
