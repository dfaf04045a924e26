// SPDX-License-Identifier: Apache-2.0
/// Tells the sanitizers what they must know about stack switches.
///
/// The sources of this folder that switch stacks are compiled without Address- and ThreadSanitizer: their frames are
/// entered on one stack and left on another.
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class stack_pool;

/// The memory of a stack.
struct stack_bounds {
  const std::byte* bottom = nullptr;
  std::size_t bytes = 0;
};

/// Announces the switches between the calling thread's own stack (0) and the stacks 1, 2, … that began in the pool's
/// stacks 0, 1, …. Does nothing without a sanitizer.
class switch_announcer {
public:
  switch_announcer() = default;
  switch_announcer(const switch_announcer&) = delete;
  switch_announcer& operator=(const switch_announcer&) = delete;
  ~switch_announcer();

  /// `count` stacks with the thread's own; none of them but that has started.
  void start(const stack_pool& stacks, std::size_t count);
  /// All but the thread's own have ended; called on that.
  void finish() { m_active = false; }

  void before_switch(std::size_t from, std::size_t to) {
    if (m_active) [[unlikely]] {
      announce(from, to, false);
    }
  }
  /// `self` was resumed, or has just started.
  void after_switch(std::size_t self) {
    if (m_active) [[unlikely]] {
      arrived(self);
    }
  }
  /// Does the same as before_switch; `from` will not be resumed.
  void before_last_switch(std::size_t from, std::size_t to) {
    if (m_active) [[unlikely]] {
      announce(from, to, true);
    }
  }

  /// Announces switches that others make at times unknown: `self` may be suspended from here on, …
  void before_suspension(std::size_t self) {
    if (m_active) [[unlikely]] {
      suspended(self);
    }
  }
  /// … and this stack runs now, whoever ran before.
  void after_suspension(std::size_t self) {
    if (m_active) [[unlikely]] {
      rearrived(self);
    }
  }

private:
  struct state {
    stack_bounds bounds;
    void* fake_stack = nullptr; ///< AddressSanitizer's, while suspended
    void* fiber = nullptr;      ///< ThreadSanitizer's: kept for later launches, since they are slow to make
  };

  void announce(std::size_t from, std::size_t to, bool last);
  void arrived(std::size_t self);
  void suspended(std::size_t self);
  void rearrived(std::size_t self);

  bool m_active = false;
  std::vector<state> m_states;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
