// SPDX-License-Identifier: Apache-2.0
/// The end of a command.
#pragma once

#include "command.hpp"

#include <exception>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Ends commands that have run, or that are not to run.
class completion {
public:
  /// Completes a command that failed with `error`, if that is not null: this releases its action, tells its queue, and
  /// makes those of its successors ready that wait for nothing else. Those that must not run, because it failed, are
  /// completed, too. Returns the successor with which the caller goes on, if there is one: of the successors that have
  /// become ready it is `preferred`, or any of the same executor if that is null.
  static command_ptr complete(command_ptr finished, std::exception_ptr error, const command* preferred) noexcept;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
