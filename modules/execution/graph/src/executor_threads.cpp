// SPDX-License-Identifier: Apache-2.0
// Never instrumented by ThreadSanitizer: see executor_threads.hpp.
#include "executor_threads.hpp"

#include <lanefold/execution/detail/environment_variable.hpp>
#include <lanefold/execution/detail/machine.hpp>
#include <lanefold/execution/detail/processors.hpp>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>

#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

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

#if defined(__linux__)

/// Keeps worker k of an executor on the k-th processor for as long as it works there. oneTBB lends its threads to other
/// arenas, those of the program, too: they leave with the processors that they came with. Threads of the program are
/// never pinned, because the threads that they start would be, too.
class pinning final : public tbb::task_scheduler_observer {
public:
  pinning(tbb::task_arena& arena, std::vector<int> processors)
      : tbb::task_scheduler_observer(arena), m_processors(std::move(processors)) {
    observe(true);
  }

  void on_scheduler_entry(bool is_worker) override {
    if (is_worker && sched_getaffinity(0, sizeof(s_before), &s_before) == 0) {
      s_pinned = pin_this_thread(m_processors[current_worker() % m_processors.size()]);
    }
  }
  void on_scheduler_exit(bool /*is_worker*/) override {
    if (std::exchange(s_pinned, false)) {
      sched_setaffinity(0, sizeof(s_before), &s_before);
    }
  }

private:
  std::vector<int> m_processors;
  static thread_local cpu_set_t s_before;
  static thread_local bool s_pinned;
};
thread_local cpu_set_t pinning::s_before;
thread_local bool pinning::s_pinned = false;

/// Returns the observer; null where nothing is known of processors.
tbb::task_scheduler_observer* pin_workers(tbb::task_arena& arena) {
  std::vector<int> processors = processors_to_pin();
  if (processors.empty()) {
    return nullptr;
  }
  arena.initialize();
  return new pinning(arena, std::move(processors));
}

#else

tbb::task_scheduler_observer* pin_workers(tbb::task_arena&) { return nullptr; }

#endif

} // namespace

executor_threads::executor_threads(std::size_t threads) {
  allow_threads(threads);
  auto* const arena = new tbb::task_arena(static_cast<int>(threads), 1);
  m_arena = arena;
  if (value_of(environment_variables::pin).value_or(0) == 1) {
    m_pinning = pin_workers(*arena);
  }
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
