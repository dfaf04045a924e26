// SPDX-License-Identifier: Apache-2.0
#include "executor.hpp"

#include "queue_account.hpp"
#include "spin.hpp"

#include <lanefold/execution/detail/environment_variable.hpp>
#include <lanefold/execution/detail/kernel_scope.hpp>
#include <lanefold/execution/detail/processors.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <new>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

/// A worker without work looks for some for this long before it goes to sleep, because waking it costs several
/// microseconds.
constexpr auto worker_patience = 50us;
/// A worker leaves a ready command for this long to the thread that has submitted it, which often waits for it at once.
constexpr auto worker_politeness = 500ns;

/// The only thing that orders the making of an executor before its first use by a worker: the pointer may
/// come through oneTBB, see executor_threads.hpp.
constinit std::atomic<unsigned> executors_made{0};

} // namespace

std::vector<int> processors_of_workers() {
  return value_of(environment_variables::pin).value_or(0) == 1 ? processors_to_pin() : std::vector<int>();
}

executor::executor(std::size_t threads, void (*work)(executor&) noexcept)
    : m_threads(threads), m_pool(threads, &enter, this), m_workers(m_pool.workers()), m_work(work),
      m_refused(m_workers == 0) {
  if (m_workers < workers_for(threads)) {
    std::fprintf(stderr,
                 "lanefold: a queue of %zu threads gets only %zu beside those that the process has (limits: ulimit "
                 "-u, pids.max of its control group)%s\n",
                 threads, m_workers, m_workers == 0 ? ": its commands run in the threads that submit them" : "");
  }
  executors_made.fetch_add(1, std::memory_order_release);
}

// ---- the list of ready commands

void executor::make_ready(command_ptr ready) noexcept {
  std::size_t missing = 0;
  std::shared_ptr<queue_account> sleeping;
  {
    const std::lock_guard lock(m_guard);
    const command& c = *ready;
    m_ready.add(std::move(ready));
    m_ready_count.fetch_add(1, std::memory_order_relaxed);
    missing = invitations();
    if (c.queue()->has_sleepers()) {
      sleeping = c.queue(); // the command may be gone in a moment
    }
  }
  invite(missing);
  if (sleeping) {
    sleeping->wake_sleepers();
  }
}

command_ptr executor::claim(command& wanted) {
  const std::lock_guard lock(m_guard);
  if (wanted.current_stage() != stage::ready) {
    return {};
  }
  m_ready_count.fetch_sub(1, std::memory_order_relaxed);
  return m_ready.claim(wanted);
}

command_ptr executor::claim_first() {
  const std::lock_guard lock(m_guard);
  command_ptr first = m_ready.claim_first();
  if (first) {
    m_ready_count.fetch_sub(1, std::memory_order_relaxed);
  }
  return first;
}

command_ptr executor::claim_first_of(const queue_account& queue) {
  const std::lock_guard lock(m_guard);
  command_ptr first = m_ready.claim_first_of(queue);
  if (first) {
    m_ready_count.fetch_sub(1, std::memory_order_relaxed);
  }
  return first;
}

// ---- open launches

void executor::open(const command_ptr& running, std::shared_ptr<distribution> work, std::size_t seats) {
  std::size_t missing = 0;
  std::shared_ptr<queue_account> sleeping;
  {
    const std::lock_guard lock(m_guard);
    m_open.push_back({running, std::move(work), seats});
    m_open_wanted.fetch_add(seats, std::memory_order_relaxed);
    running->m_opened.store(true, std::memory_order_release);
    if (!m_refused.load(std::memory_order_relaxed)) { // else the caller is the one to run it
      missing = invitations();
    }
    if (running->queue()->has_sleepers()) {
      sleeping = running->queue();
    }
  }
  invite(missing);
  if (sleeping) {
    sleeping->wake_sleepers();
  }
}

void executor::close(const distribution& finished) {
  open_launch closed; // released outside the lock
  const std::lock_guard lock(m_guard);
  const auto found =
      std::find_if(m_open.begin(), m_open.end(), [&](const open_launch& open) { return open.work.get() == &finished; });
  if (found != m_open.end()) {
    m_open_wanted.fetch_sub(found->wanted, std::memory_order_relaxed);
    closed = std::move(*found);
    m_open.erase(found);
  }
}

// ---- workers

/// Calls so many workers, see invitations().
void executor::invite(std::size_t count) noexcept {
  if (count == 0) {
    return;
  }
  if (!m_refused.load(std::memory_order_relaxed)) {
    std::size_t called = 0;
    try {
      for (; called < count; ++called) {
        m_pool.invite();
      }
      return;
    } catch (const std::bad_alloc&) { // there may be memory the next time
      const std::lock_guard lock(m_guard);
      m_invited -= std::min(m_invited, count - called);
    } catch (const std::exception& e) {
      m_refused.store(true);
      std::fprintf(stderr,
                   "lanefold: a queue gets no more threads (%s): its commands run in the threads that submit them\n",
                   e.what());
    }
  }
  work_without_workers();
}

/// Nobody can be called: this thread does what there is to do, unless a worker is there or it does so already.
void executor::work_without_workers() noexcept {
  static thread_local bool works = false;
  {
    const std::lock_guard lock(m_guard);
    if (works || m_idle + m_busy != 0 || kernel_scope::is_inside()) {
      return;
    }
    ++m_invited;
  }
  works = true;
  m_work(*this);
  works = false;
}

/// Under m_guard: how many workers to call now. Those who come call further ones.
std::size_t executor::invitations() noexcept {
  const std::size_t wanted =
      m_ready_count.load(std::memory_order_relaxed) + m_open_wanted.load(std::memory_order_relaxed);
  if (m_refused.load(std::memory_order_relaxed)) {
    return std::min<std::size_t>(wanted, 1);
  }
  const std::size_t coming = m_idle + m_invited;
  const std::size_t absent = m_workers - std::min(m_workers, coming + m_busy);
  const std::size_t missing = std::min({wanted - std::min(wanted, coming), absent, std::size_t{2}});
  m_invited += missing;
  return missing;
}

void executor::enter(void* self) {
  executors_made.load(std::memory_order_acquire);
  executor& home = *static_cast<executor*>(self);
  home.m_work(home);
}

void executor::begin_work() {
  const std::lock_guard lock(m_guard);
  m_invited -= m_invited != 0 ? 1 : 0; // one may come after all that was called when no threads could be had
  ++m_busy;
}

void executor::call_others() noexcept {
  std::size_t missing = 0;
  {
    const std::lock_guard lock(m_guard);
    missing = invitations();
  }
  invite(missing);
}

bool executor::look_for_work() {
  const auto anything = [this] {
    return m_ready_count.load(std::memory_order_relaxed) + m_open_wanted.load(std::memory_order_relaxed) != 0;
  };
  const auto nothing_urgent = [this] { return m_open_wanted.load(std::memory_order_relaxed) == 0; };
  {
    const std::lock_guard lock(m_guard);
    --m_busy;
    ++m_idle;
  }
  const auto end = steady_clock::now() + worker_patience;
  while (steady_clock::now() < end) {
    if (spin(1us, anything)) {
      if (nothing_urgent()) {
        spin(worker_politeness, [&] { return !anything() || !nothing_urgent(); });
      }
      if (anything()) {
        break;
      }
    }
  }
  const std::lock_guard lock(m_guard);
  --m_idle;
  if (!anything()) {
    return false;
  }
  ++m_busy;
  return true;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
