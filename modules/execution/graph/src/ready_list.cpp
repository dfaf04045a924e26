// SPDX-License-Identifier: Apache-2.0
#include "ready_list.hpp"

#include <lanefold/execution/detail/shuffled_order.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

void ready_list::add(command_ptr ready) noexcept {
  command& c = *ready.detach();
#if defined(LANEFOLD_CHECKED)
  if (m_schedule != 0 && mixed_bits(m_schedule + ++m_added) % 2 == 0) { // before all others
    c.m_previous = nullptr;
    c.m_next = m_first;
    (m_first != nullptr ? m_first->m_previous : m_last) = &c;
    m_first = &c;
    c.m_stage.store(stage::ready, std::memory_order_release);
    return;
  }
#endif
  c.m_previous = m_last;
  c.m_next = nullptr;
  (m_last != nullptr ? m_last->m_next : m_first) = &c;
  m_last = &c;
  c.m_stage.store(stage::ready, std::memory_order_release);
}

command_ptr ready_list::claim(command& listed) noexcept {
  (listed.m_previous != nullptr ? listed.m_previous->m_next : m_first) = listed.m_next;
  (listed.m_next != nullptr ? listed.m_next->m_previous : m_last) = listed.m_previous;
  listed.m_stage.store(stage::running, std::memory_order_release);
  return command_ptr::adopt(&listed);
}

command_ptr ready_list::claim_first_of(const queue_account& queue) noexcept {
  constexpr int most_looked_at = 64;
  int looked_at = 0;
  for (command* c = m_first; c != nullptr && looked_at < most_looked_at; c = c->m_next, ++looked_at) {
    if (c->m_queue.get() == &queue) {
      return claim(*c);
    }
  }
  return {};
}

} // namespace detail
LANEFOLD_END_NAMESPACE
