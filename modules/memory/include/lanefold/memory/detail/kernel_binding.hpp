// SPDX-License-Identifier: Apache-2.0
/// Says what the objects that a kernel has captured are bound to on the frame that runs it.
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

struct memory_arena;
struct work_item_note;

/// Is told of the uniform<T> that a kernel which is recorded has captured.
class uniform_notes {
public:
  uniform_notes() = default;
  uniform_notes(const uniform_notes&) = delete;
  uniform_notes& operator=(const uniform_notes&) = delete;
  virtual void add(const void* value) = 0;

protected:
  ~uniform_notes() = default;
};

/// Holds what a launch says to the objects that its kernel has captured, and to those that are made inside it.
///
/// Kernels are plain objects that are copied to the frame that runs them. What they have captured by value (local
/// accessors, streams, the reducers of a launch) learns of that frame in its copy constructor, and `local_memory<T>` of
/// a scoped kernel of its arena in its constructor: nothing can be handed to these. So the frame makes this object, and
/// the thread has a pointer to it, the only one of its kind.
class kernel_binding {
public:
  /// Is the thread's while it lives. Everything is as in the binding around it, if there is one, until it is changed.
  kernel_binding() noexcept : m_outer(current()) {
    // Here, not in a function of the library: a call in front of a kernel's loop made g++ keep a register of that loop
    // in memory, and guarded kernels took twice as long.
    if (m_outer != nullptr) {
      local_memory = m_outer->local_memory;
      note = m_outer->note;
      reductions = m_outer->reductions;
      arena = m_outer->arena;
      uniforms = m_outer->uniforms;
      command = m_outer->command;
    }
    current() = this;
  }
  kernel_binding(const kernel_binding&) = delete;
  kernel_binding& operator=(const kernel_binding&) = delete;
  LANEFOLD_ALWAYS_INLINE ~kernel_binding() {
    current() = m_outer;
    if (m_outer != nullptr) [[unlikely]] {
      tell_outer();
    }
  }

  std::byte* local_memory = nullptr;    ///< of the work-groups that the frame runs
  const work_item_note* note = nullptr; ///< where the frame writes which work-item runs; null if it does not
  void* reductions = nullptr;           ///< the reduction_frame of the chunk that the thread runs
  memory_arena* arena = nullptr;        ///< of the hierarchical or scoped kernel that the thread runs
  uniform_notes* uniforms = nullptr;    ///< of the kernel that is recorded
  std::size_t command = 0;              ///< whose local accessors the kernel may have, see handler::local_owner
  bool has_bound_local_memory =
      false; ///< a local accessor was copied: this is how a handler sees that a kernel has one
  bool has_bound_foreign_memory = false; ///< and one of another command

  /// The innermost binding of the calling thread, null where there is none.
  [[nodiscard]] static kernel_binding*& current() noexcept { return s_current; }

private:
  static inline constinit thread_local kernel_binding* s_current = nullptr;

  void tell_outer() const noexcept;

  kernel_binding* m_outer;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
