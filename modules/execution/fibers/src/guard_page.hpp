// SPDX-License-Identifier: Apache-2.0
/// Messages for exhausted stacks.
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class launch;
class stack_pool;

/// Holds what a thread's fault handler needs to know, in a form that it can read.
///
/// The first of them in a process installs a handler for SIGSEGV and SIGBUS. A fault below one of the thread's stacks,
/// or at the end of the thread's own stack while it runs a kernel, or with a stack pointer there, is reported on stderr
/// with the kernel, the group and the way out, and then goes to the handler that was there before; every other fault
/// goes there untouched.
/// The handler needs a stack of its own, which each thread gets unless it has one.
/// LANEFOLD_STACK_MESSAGES=off in the environment leaves the program's signal handling alone.
class guard_watch {
public:
  guard_watch();
  guard_watch(const guard_watch&) = delete;
  guard_watch& operator=(const guard_watch&) = delete;
  ~guard_watch();

  /// The thread begins to run groups of a launch; `position` is the one that it is at.
  void begin(const launch& current, const std::size_t& position, unsigned units);
  void end();
  /// The thread's stacks for suspended units.
  void watch(const stack_pool& stacks) { m_stacks = &stacks; }

  /// Writes the message if the fault is one of an exhausted stack. Async-signal-safe.
  void explain(const void* address, const void* stack_pointer) const;

private:
  /// The number of the stack that has overflown; -1 if none has.
  [[nodiscard]] std::size_t overflown(const void* address, const void* stack_pointer) const;
  [[nodiscard]] bool in_own_stack(const void* address) const;
  [[nodiscard]] bool left_own_stack(const void* address, const void* stack_pointer) const;

  const stack_pool* m_stacks = nullptr;
  const char* m_kernel = nullptr; ///< null while no kernel runs
  const std::size_t* m_position = nullptr;
  unsigned m_units = 0;
  const void* m_type = nullptr; ///< of the kernel whose name is m_name
  const char* m_name = nullptr;
  const std::byte* m_own_bottom = nullptr; ///< lowest usable address of the thread's own stack
  std::size_t m_own_bytes = 0;
  std::byte* m_signal_stack = nullptr; ///< made here
};

} // namespace detail
LANEFOLD_END_NAMESPACE
