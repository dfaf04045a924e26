// SPDX-License-Identifier: Apache-2.0
#include "reserve_threads.hpp"

#include "scheduler.hpp"

#include <lanefold/exception.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <system_error>
#include <thread>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

using namespace std::chrono_literals;

// A thread without work looks for some, ever more rarely. Nobody calls it: who makes a command ready would have to know
// of these threads, for the sake of the few programs that need them.
constexpr auto shortest_rest = 20us;
constexpr auto longest_rest = 1000us;
/// One that is not needed ends after so much rest: kernels that wait often find it there.
constexpr auto longest_idleness = 20ms;

} // namespace

reserve_threads& reserve_threads::all() {
  static auto& threads = *new reserve_threads;
  return threads;
}

/// Starts a thread, under the guard.
void reserve_threads::start() {
  try {
    std::thread(&reserve_threads::run, this).detach();
  } catch (const std::system_error& e) {
    throw exception(make_error_code(errc::runtime),
                    std::string("a kernel that waits at a pipe needs a thread that runs other kernels meanwhile, and "
                                "the process gets no more: ") +
                        e.what());
  }
  ++m_threads;
  ++m_resting;
}

void reserve_threads::begin_wait() {
  const std::lock_guard lock(m_guard);
  if (m_threads <= m_waiting) {
    start();
  }
  ++m_waiting;
}

void reserve_threads::begin_poll() {
  const std::lock_guard lock(m_guard);
  if (m_resting == 0) {
    start();
  }
}

void reserve_threads::end_wait() noexcept {
  const std::lock_guard lock(m_guard);
  --m_waiting;
}

/// Returns whether the calling thread is not needed: then it counts no more.
bool reserve_threads::end_one() noexcept {
  const std::lock_guard lock(m_guard);
  if (m_threads <= m_waiting) {
    return false;
  }
  --m_threads;
  --m_resting;
  return true;
}

/// Runs a command that is ready, if there is one.
bool reserve_threads::work() {
  const auto rests = [&](std::size_t change) {
    const std::lock_guard lock(m_guard);
    m_resting += change;
  };
  rests(std::size_t(0) - 1);
  const bool worked = scheduler::work_anywhere();
  rests(1);
  return worked;
}

void reserve_threads::run() noexcept {
  std::chrono::microseconds rest = shortest_rest;
  std::chrono::microseconds rested = 0us;
  for (;;) {
    if (work()) {
      rest = shortest_rest;
      rested = 0us;
      continue;
    }
    if (rested >= longest_idleness) {
      if (end_one()) {
        return;
      }
      rested = 0us;
    }
    std::this_thread::sleep_for(rest);
    rested += rest;
    rest = std::min(2 * rest, std::chrono::microseconds(longest_rest));
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
