// SPDX-License-Identifier: Apache-2.0
/// The command behind a host_accessor.
#pragma once

#include <lanefold/execution/detail/buffer_requirement.hpp>
#include <lanefold/execution/detail/command_ptr.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The host's use of a part of a buffer, until it is destroyed.
class host_use {
public:
  /// Returns when the commands that it must wait for are complete; those that come later wait for it.
  /// Throws errc::invalid inside a kernel. The error of a command that was to write is left to its queue.
  explicit host_use(const buffer_requirement& r);
  host_use(const host_use&) = delete;
  host_use& operator=(const host_use&) = delete;
  ~host_use();

private:
  command_ptr m_command;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
