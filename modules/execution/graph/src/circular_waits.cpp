// SPDX-License-Identifier: Apache-2.0
#include "circular_waits.hpp"

#include "command.hpp"

#include <lanefold/exception.hpp>

#include <mutex>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

constinit std::mutex guard; // of the next one
/// The threads that sleep.
constinit sleep_until_released* sleepers = nullptr;

std::string waits(const command& waited_for, const command& held) {
  const std::string name = waited_for.waiting_kernel();
  return (name.empty() ? "waits for " : "waits for the command '" + name + "', which waits for ") + held.held()->text();
}

} // namespace

sleep_until_released::sleep_until_released(const command& waited_for, const command& held)
    : m_waited_for(waited_for), m_held(held) {
  const std::lock_guard lock(guard);
  for (const sleep_until_released* other = of(held.held()->holder); other != nullptr;
       other = of(other->m_held.held()->holder)) {
    if (other->m_held.held()->holder == m_thread) {
      if (!held.is_complete()) { // its holder may have released it, and sleep for something else by now
        refuse();
      }
      break;
    }
  }
  m_next = sleepers;
  sleepers = this;
}

sleep_until_released::~sleep_until_released() {
  const std::lock_guard lock(guard);
  sleep_until_released** at = &sleepers;
  while (*at != this) {
    at = &(*at)->m_next;
  }
  *at = m_next;
}

/// Under the guard: null if the thread does not sleep, or is about to wake up.
const sleep_until_released* sleep_until_released::of(std::thread::id thread) noexcept {
  const sleep_until_released* s = sleepers;
  while (s != nullptr && (s->m_thread != thread || s->m_held.is_complete())) {
    s = s->m_next;
  }
  return s;
}

void sleep_until_released::refuse() const {
  std::string text = "wait would never return, because threads wait for each other in a circle: this thread " +
                     waits(m_waited_for, m_held);
  std::thread::id holder = m_held.held()->holder;
  while (holder != m_thread) {
    const sleep_until_released* const other = of(holder);
    if (other == nullptr) { // what it waits for has been released since the circle was seen
      return;
    }
    text += " of another thread, which " + waits(other->m_waited_for, other->m_held);
    holder = other->m_held.held()->holder;
  }
  throw exception(make_error_code(errc::invalid), text + " of this thread");
}

void refuse_to_wait_for_itself(const command& waited_for, const command& held) {
  throw exception(make_error_code(errc::invalid),
                  "wait would never return: this thread " + waits(waited_for, held) + ", which this thread has itself");
}

} // namespace detail
LANEFOLD_END_NAMESPACE
