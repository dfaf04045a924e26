// SPDX-License-Identifier: Apache-2.0
#include "switch_announcer.hpp"

#include "sanitizer.hpp"
#include "stack_pool.hpp"

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {

// The stack that the calling code runs on, as AddressSanitizer sees it.
stack_bounds running_stack() {
  stack_bounds found;
  void* fake_stack = nullptr;
  const void* bottom = nullptr;
  __sanitizer_start_switch_fiber(&fake_stack, nullptr, 0);
  __sanitizer_finish_switch_fiber(fake_stack, &bottom, &found.bytes);
  found.bottom = static_cast<const std::byte*>(bottom);
  __sanitizer_start_switch_fiber(&fake_stack, bottom, found.bytes);
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
  return found;
}

} // namespace

void switch_announcer::start(const stack_pool& stacks, std::size_t count) {
  if (!under_sanitizer()) {
    return;
  }
  m_active = true;
  if (m_states.size() < count) {
    m_states.resize(count);
  }
  if (under_address_sanitizer()) {
    m_states[0].bounds = running_stack();
  }
  for (std::size_t i = 1; i < count; ++i) {
    std::byte* bottom = stacks.bottom(i - 1);
    m_states[i].bounds = {bottom, static_cast<std::size_t>(stacks.end(i - 1) - bottom)};
    m_states[i].fake_stack = nullptr;
    if (under_address_sanitizer()) {
      // This clears what the frames of an earlier unit that were never left have marked.
      __asan_unpoison_memory_region(bottom, m_states[i].bounds.bytes);
    }
  }
  if (under_thread_sanitizer()) {
    m_states[0].fiber = __tsan_get_current_fiber();
    for (std::size_t i = 1; i < count; ++i) {
      if (m_states[i].fiber == nullptr) {
        m_states[i].fiber = __tsan_create_fiber(0);
      }
    }
  }
}

switch_announcer::~switch_announcer() {
  for (std::size_t i = 1; i < m_states.size(); ++i) {
    if (m_states[i].fiber != nullptr) {
      __tsan_destroy_fiber(m_states[i].fiber);
    }
  }
}

void switch_announcer::announce(std::size_t from, std::size_t to, bool last) {
  if (under_address_sanitizer()) {
    __sanitizer_start_switch_fiber(last ? nullptr : &m_states[from].fake_stack, m_states[to].bounds.bottom,
                                   m_states[to].bounds.bytes);
  }
  if (under_thread_sanitizer() && to != from) {
    __tsan_switch_to_fiber(m_states[to].fiber, 0);
  }
}

void switch_announcer::arrived(std::size_t self) {
  if (under_address_sanitizer()) {
    __sanitizer_finish_switch_fiber(m_states[self].fake_stack, nullptr, nullptr);
  }
}

void switch_announcer::suspended(std::size_t self) {
  if (under_address_sanitizer()) {
    __sanitizer_start_switch_fiber(&m_states[self].fake_stack, nullptr, 0);
  }
}

void switch_announcer::rearrived(std::size_t self) {
  if (under_address_sanitizer()) {
    // Whoever was suspended last did not know who would follow.
    __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
    void* none = nullptr;
    __sanitizer_start_switch_fiber(&none, m_states[self].bounds.bottom, m_states[self].bounds.bytes);
    __sanitizer_finish_switch_fiber(m_states[self].fake_stack, nullptr, nullptr);
  }
  if (under_thread_sanitizer() && __tsan_get_current_fiber() != m_states[self].fiber) {
    __tsan_switch_to_fiber(m_states[self].fiber, 0);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
