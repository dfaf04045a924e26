// SPDX-License-Identifier: Apache-2.0
// Never instrumented by ThreadSanitizer: see executor_threads.hpp.
#include "executor_threads.hpp"

#include <lanefold/execution/detail/machine.hpp>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <memory>
#include <mutex>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

/// oneTBB starts no more workers than there are cores, less one. More threads are asked for in tests and on request.
void allow_threads(std::size_t threads) {
  static std::mutex guard;
  static std::size_t allowed = available_cores();
  static tbb::global_control* control = nullptr; // the strictest control counts, so there is only one of ours
  const std::lock_guard lock(guard);
  if (threads > allowed) {
    delete control;
    control = new tbb::global_control(tbb::global_control::max_allowed_parallelism, threads);
    allowed = threads;
  }
}

} // namespace

executor_threads::executor_threads(std::size_t threads) {
  allow_threads(threads);
  m_arena = new tbb::task_arena(static_cast<int>(threads), 1);
}

void executor_threads::invite(void (*work)(void*), void* argument) {
  static_cast<tbb::task_arena*>(m_arena)->enqueue([work, argument] { work(argument); });
}

std::size_t current_worker() noexcept {
  const int index = tbb::this_task_arena::current_thread_index();
  return index < 0 ? 0 : static_cast<std::size_t>(index);
}

} // namespace detail
LANEFOLD_END_NAMESPACE
