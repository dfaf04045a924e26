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
/// A launch that takes longer than this is worth waking workers.
constexpr auto worth_waking = 6us;
/// So are shorter ones, when they have taken this long on one thread: waking costs less than they have lost then.
constexpr auto patience_with_short_launches = 100us;
/// A worker leaves a ready command for this long to the thread that has submitted it, which often waits for it at once.
constexpr auto worker_politeness = 500ns;
/// It looks for ready commands only now and then: how many there are is written twice for a command whose thread waits
/// for it, and that costs more where another one has just read it.
constexpr auto time_between_looks = 200ns;

/// The only thing that orders the making of an executor before its first use by a worker: the pointer may
/// come through oneTBB, see executor_threads.hpp.
constinit std::atomic<unsigned> executors_made{0};

} // namespace

std::vector<int> processors_of_workers() {
  return value_of(environment_variables::pin).value_or(0) == 1 ? processors_to_pin() : std::vector<int>();
}

executor::executor(std::size_t threads, void (*work)(executor&) noexcept)
    : m_threads(threads), m_pool(threads, &enter, this), m_workers(m_pool.workers()), m_work(work),
      m_refused(m_workers == 0), m_there(m_workers) {
  if (m_workers < workers_for(threads)) {
    std::fprintf(stderr,
                 "lanefold: a queue of %zu threads gets only %zu beside those that the process has (limits: ulimit "
                 "-u, pids.max of its control group)%s\n",
                 threads, m_workers, m_workers == 0 ? ": its commands run in the threads that submit them" : "");
  }
  executors_made.fetch_add(1, std::memory_order_release);
}

std::chrono::nanoseconds executor::short_launch() const noexcept { return 2us + m_threads * 250ns; }

bool executor::is_for_one_thread(std::chrono::nanoseconds expected) noexcept {
  if (expected <= short_launch()) {
    return true;
  }
  if (expected > worth_waking || m_there.is_anybody_idle()) {
    return false;
  }
  if (m_alone.fetch_add(expected / 1ns, std::memory_order_relaxed) * 1ns < patience_with_short_launches) {
    return true;
  }
  m_alone.store(0, std::memory_order_relaxed);
  return false;
}

// ---- the list of ready commands

void executor::make_ready(command_ptr ready) noexcept {
  std::shared_ptr<queue_account> sleeping;
  {
    const std::lock_guard lock(m_guard);
    const command& c = *ready;
    m_ready.add(std::move(ready));
    m_ready_count.fetch_add(1, std::memory_order_seq_cst);
    if (c.queue()->has_sleepers()) {
      sleeping = c.queue(); // the command may be gone in a moment
    }
  }
  invite(invitations());
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

command_ptr executor::claim_first(const queue_account* queue) {
  if (m_ready_count.load(std::memory_order_seq_cst) == 0) { // idle workers ask often: without the lock
    return {};
  }
  const std::lock_guard lock(m_guard);
  command_ptr first = queue == nullptr ? m_ready.claim_first() : m_ready.claim_first_of(*queue);
  if (first) {
    m_ready_count.fetch_sub(1, std::memory_order_relaxed);
  }
  return first;
}

// ---- open launches

open_launches::seat executor::open(const command_ptr& running, std::size_t first, const group_cost& cost) {
  open_launches::seat mine = m_open.open(running, first, m_threads, cost);
  if (mine) {
    if (!m_refused.load(std::memory_order_relaxed)) { // else the caller is the one to run it
      invite(invitations());
    }
    if (queue_account& queue = *running->queue(); queue.has_sleepers()) {
      queue.wake_sleepers();
    }
  }
  return mine;
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
      m_there.take_back(count - called);
    } catch (const std::exception& e) {
      m_refused.store(true);
      std::fprintf(stderr,
                   "lanefold: a queue gets no more threads (%s): its commands run in the threads that submit them\n",
                   e.what());
    }
  }
  work_without_workers();
}

/// Nobody can be called: this thread does what there is to do, unless a worker is there or another thread does so.
void executor::work_without_workers() noexcept {
  // It looks once more, because another thread may have added work at the end and left it to this one.
  while (has_work() && !kernel_scope::is_inside() && !m_there.is_anybody_there() && !m_host_works.exchange(true)) {
    m_there.expect_one();
    m_work(*this);
    m_host_works.store(false);
  }
}

/// Returns how many workers to call now; they count as called. Those who come call further ones.
std::size_t executor::invitations() noexcept {
  const auto wanted = [this] { return m_ready_count.load(std::memory_order_seq_cst) + m_open.seats(); };
  return m_refused.load(std::memory_order_relaxed) ? std::min<std::size_t>(wanted(), 1) : m_there.call(wanted);
}

void executor::enter(void* self) {
  executors_made.load(std::memory_order_acquire);
  executor& home = *static_cast<executor*>(self);
  home.m_work(home);
}

std::size_t executor::begin_work() { return m_there.arrive(); }

void executor::call_others() noexcept { invite(invitations()); }

bool executor::has_work() const noexcept { return m_open.any() || m_ready_count.load(std::memory_order_seq_cst) != 0; }

bool executor::look_for_work(std::size_t& worker) {
  m_there.set_idle(worker, true);
  const auto end = steady_clock::now() + worker_patience;
  while (steady_clock::now() < end) {
    if (!spin(time_between_looks, [this] { return m_open.any(); }) && has_work()) {
      spin(worker_politeness, [this] { return !has_work() || m_open.any(); });
    }
    if (has_work()) {
      m_there.set_idle(worker, false);
      return true;
    }
  }
  m_there.leave(worker);
  // Either this sees what somebody adds now, or that one sees that a worker has left.
  if (!has_work()) {
    return false;
  }
  worker = m_there.arrive();
  return true;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
