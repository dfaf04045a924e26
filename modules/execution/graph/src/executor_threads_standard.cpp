// SPDX-License-Identifier: Apache-2.0
// The workers are threads of the standard library: each executor has its own, from its beginning to the end of the
// process.
#include "executor_threads.hpp"

#include <lanefold/execution/detail/processors.hpp>

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

thread_local std::size_t number_of_this_worker = 0;

/// The calls that no worker has answered yet, and where workers sleep. It is never destroyed: they may be asleep when
/// the process ends. It is no std::counting_semaphore, because that of g++ 12 may leave a thread asleep that was woken.
class crew {
public:
  void call() {
    {
      const std::lock_guard lock(m_guard);
      ++m_calls;
    }
    m_called.notify_one();
  }

  void wait_for_call() {
    std::unique_lock lock(m_guard);
    m_called.wait(lock, [this] { return m_calls != 0; });
    --m_calls;
  }

private:
  std::mutex m_guard;
  std::condition_variable m_called;
  std::size_t m_calls = 0;
};

} // namespace

executor_threads::executor_threads(std::size_t threads, void (*work)(void*), void* argument)
    : m_work(work), m_argument(argument) {
  const std::vector<int> processors = processors_of_workers();
  auto* const called = new crew;
  m_crew = called;
  const std::size_t wanted = workers_for(threads);
  try {
    while (m_workers < wanted) {
      const std::size_t number = m_workers + 1;
      const int processor = processors.empty() ? -1 : processors[number % processors.size()];
      std::thread([called, number, processor, work, argument] {
        number_of_this_worker = number;
        if (processor >= 0) {
          pin_this_thread(processor);
        }
        for (;;) {
          called->wait_for_call();
          work(argument);
        }
      }).detach();
      ++m_workers;
    }
  } catch (const std::exception&) { // NOLINT: so many and no more
  }
}

void executor_threads::invite() { static_cast<crew*>(m_crew)->call(); }

std::size_t current_worker() noexcept { return number_of_this_worker; }

} // namespace detail
LANEFOLD_END_NAMESPACE
