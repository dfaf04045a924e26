// SPDX-License-Identifier: Apache-2.0
/// Holds what the groups of a hierarchical or scoped kernel share while one of them runs on a thread.
#pragma once

#include <lanefold/execution/fiber/worker.hpp>
#include <lanefold/scoped/detail/explanation.hpp>
#include <lanefold/scoped/detail/memory_arena.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Stands for a depth while the items of a group run.
inline constexpr int in_items = -1;

/// The state of the running work-group. It lives on the frame that runs groups, and only inlined code touches it, so
/// that the optimiser can hold it in registers and drop what is constant.
struct scope_frame {
  int depth;           ///< of the innermost group that runs, the work-group being 0; or in_items
  memory_arena* arena; ///< local and private memory
  unit_state* state;   ///< used by group algorithms: one unit, which is the whole group
  /// Levels are noted here (LANEFOLD_EXPLAIN); usually it holds null. Volatile, so that compilers do not make a copy of
  /// every loop for the case that it does not.
  explanation* const volatile* explaining;
};

/// Throws errc::kernel: `function` was called on a group of depth `called` while `running` is the depth that runs.
[[noreturn]] LANEFOLD_COLD void throw_wrong_scope(const char* function, int running, int called);

/// Functions of a group are for the innermost group, outside of the code of its items.
LANEFOLD_ALWAYS_INLINE void check_scope(const scope_frame& frame, int depth, const char* function) {
  if (frame.depth != depth) [[unlikely]] {
    throw_wrong_scope(function, frame.depth, depth);
  }
}

/// While it lives, `depth` is what runs.
class entered_scope {
public:
  LANEFOLD_ALWAYS_INLINE entered_scope(scope_frame& frame, int depth) : m_frame(frame), m_outside(frame.depth) {
    frame.depth = depth;
  }
  entered_scope(const entered_scope&) = delete;
  entered_scope& operator=(const entered_scope&) = delete;
  LANEFOLD_ALWAYS_INLINE ~entered_scope() { m_frame.depth = m_outside; }

private:
  scope_frame& m_frame;
  int m_outside;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
