// SPDX-License-Identifier: Apache-2.0
/// The commands that are ready, in the order in which they have become so.
#pragma once

#include "command.hpp"

#include <lanefold/execution/detail/environment_variable.hpp>

#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// A list through the commands themselves; it owns a reference to each. Whoever uses it holds the lock of its executor.
class ready_list {
public:
  /// The command is ready from now on.
  void add(command_ptr ready) noexcept;
  /// Takes a command out of the list: it is running from now on.
  command_ptr claim(command& listed) noexcept;
  /// Null if there is none.
  command_ptr claim_first() noexcept { return m_first != nullptr ? claim(*m_first) : command_ptr(); }
  /// The first command of the queue, if it is not far behind: the list may be long. Null if there is none.
  command_ptr claim_first_of(const queue_account& queue) noexcept;

private:
  command* m_first = nullptr;
  command* m_last = nullptr;
#if defined(LANEFOLD_CHECKED)
  std::size_t m_schedule = value_of(environment_variables::schedule).value_or(0); ///< seed; 0: the order of readiness
  std::size_t m_added = 0;
#endif
};

} // namespace detail
LANEFOLD_END_NAMESPACE
