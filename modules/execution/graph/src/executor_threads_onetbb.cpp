// SPDX-License-Identifier: Apache-2.0
// The workers are oneTBB's. Never instrumented by ThreadSanitizer: see executor_threads.hpp.
#include "executor_threads.hpp"

#include <lanefold/execution/detail/processors.hpp>

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>

#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

/// Returns how many of so many threads the process gets beside those that it has.
std::size_t threads_to_be_had(std::size_t wanted) {
  std::atomic<bool> over{false};
  std::vector<std::thread> tried;
  tried.reserve(wanted);
  try {
    while (tried.size() < wanted) {
      tried.emplace_back([&over] { over.wait(false); });
    }
  } catch (const std::exception&) { // NOLINT: so many and no more
  }
  over.store(true);
  over.notify_all();
  for (std::thread& t : tried) {
    t.join();
  }
  return tried.size();
}

/// The workers of all executors. oneTBB starts no more than there are cores, less one: more are asked for in tests and
/// on request, fewer where the process gets no more, because a thread that oneTBB cannot start would end the process.
class worker_pool {
public:
  /// Returns how many workers an executor for so many threads may have.
  static std::size_t allow(std::size_t threads) {
    static auto& pool = *new worker_pool; // never destroyed
    const std::lock_guard lock(pool.m_guard);
    return pool.grow(threads);
  }

private:
  std::size_t grow(std::size_t threads) {
    const std::size_t wanted = workers_for(threads);
    if (wanted > m_workers && !m_no_more) {
      m_workers += threads_to_be_had(wanted - m_workers);
      m_no_more = m_workers < wanted;
    }
    const std::size_t all = m_no_more ? m_workers + 1 : std::max(threads, m_allowed);
    if (all != m_allowed) {
      m_control.reset();
      m_control = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, all);
      m_allowed = all;
    }
    return std::min(wanted, m_workers);
  }

  std::mutex m_guard;
  std::size_t m_workers = 0; // that could be had
  bool m_no_more = false;
  std::size_t m_allowed = static_cast<std::size_t>(std::max(tbb::info::default_concurrency(), 1)); // by oneTBB itself
  std::unique_ptr<tbb::global_control> m_control; // the strictest control counts, so there is only one of ours
};

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

/// Returns the observer; null where workers stay where they are.
tbb::task_scheduler_observer* pin_workers(tbb::task_arena& arena) {
  std::vector<int> processors = processors_of_workers();
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

executor_threads::executor_threads(std::size_t threads, void (*work)(void*), void* argument)
    : m_work(work), m_argument(argument), m_workers(worker_pool::allow(threads)) {
  auto* const arena = new tbb::task_arena(static_cast<int>(std::min(threads, m_workers + 1)), 1);
  m_crew = arena;
  m_pinning = pin_workers(*arena);
}

void executor_threads::invite() {
  static_cast<tbb::task_arena*>(m_crew)->enqueue([work = m_work, argument = m_argument] { work(argument); });
}

std::size_t current_worker() noexcept {
  const int index = tbb::this_task_arena::current_thread_index();
  return index < 0 ? 0 : static_cast<std::size_t>(index);
}

} // namespace detail
LANEFOLD_END_NAMESPACE
