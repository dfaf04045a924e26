// SPDX-License-Identifier: Apache-2.0
#include "observation.hpp"

#include "command.hpp"
#include "executor_threads.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <sys/syscall.h>
#include <unistd.h>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {

constinit std::atomic<std::uint64_t> commands_observed{0};

stretch stretch_of_this_thread(std::uint64_t begin, std::uint64_t end, std::size_t groups) noexcept {
  static thread_local const long number = syscall(SYS_gettid);
  return {number, current_worker(), begin, std::max(end, begin + 1), groups};
}

} // namespace

observation::observation(const observed_queue& queue)
    : m_queue(queue), m_number(commands_observed.fetch_add(1, std::memory_order_relaxed) + 1) {
  m_stretches.reserve(1);
}

void observation::note_dependencies(const std::vector<dependency>& all) noexcept {
  try {
    for (const dependency& d : all) {
      if (d.on->observed() != nullptr) {
        m_after.push_back(d.on->times()->observed);
      }
    }
  } catch (const std::bad_alloc&) { // the others are missing
  }
}

const stretch& observation::first() const {
  return *std::min_element(m_stretches.begin(), m_stretches.end(),
                           [](const stretch& a, const stretch& b) { return a.begin < b.begin; });
}
const stretch& observation::last() const {
  return *std::max_element(m_stretches.begin(), m_stretches.end(),
                           [](const stretch& a, const stretch& b) { return a.end < b.end; });
}

void observation::ran(std::uint64_t begin, std::size_t groups) noexcept {
  try {
    const std::lock_guard lock(m_guard);
    m_stretches.push_back(stretch_of_this_thread(begin, command_times::now(), groups));
  } catch (const std::exception&) { // there is no memory for it: it is missing
  }
}

void observation::close() {
  const std::lock_guard lock(m_guard);
  if (m_stretches.empty()) {
    const std::uint64_t now = command_times::now();
    m_stretches.push_back(stretch_of_this_thread(now, now, 0));
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
