// SPDX-License-Identifier: Apache-2.0
/// Entering a command into the orders of all the buffers that it uses, at once.
#pragma once

#include "command.hpp"

#include <lanefold/execution/detail/buffer_requirement.hpp>

#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Holds the buffers of a command's requirements. Commands take all that they are ordered by (buffers, then their
/// queue) before they let go of any of it: whatever threads do, "comes after" then has no cycles.
class requirements_lock {
public:
  /// Sorts the requirements. Throws errc::accessor if the buffer of one is gone.
  explicit requirements_lock(std::vector<buffer_requirement>& requirements);
  requirements_lock(const requirements_lock&) = delete;
  requirements_lock& operator=(const requirements_lock&) = delete;
  ~requirements_lock();

  /// Makes room for a command; `elsewhere`: it runs on a device with memory of its own. Returns whether one of the
  /// buffers may have contents on such a device. Throws std::bad_alloc; the orders are as they were then.
  bool prepare(bool elsewhere);
  /// Returns how many commands enter() is going to add at most.
  [[nodiscard]] std::size_t count(const command& entering) const noexcept;
  /// After prepare(): the command comes after all that have entered before; adds what it must wait for.
  void enter(const command_ptr& command, std::vector<dependency>& found) noexcept;

private:
  std::vector<buffer_requirement>& m_requirements;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
