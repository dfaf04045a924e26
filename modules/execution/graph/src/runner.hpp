// SPDX-License-Identifier: Apache-2.0
/// Runs commands.
#pragma once

#include "executor.hpp"

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Functions that run a command, or a part of it, and return the successor with which the caller goes on, if there is
/// one (`preferred`: see completion::complete).
class runner {
public:
  /// Runs a command that the caller has claimed. If its launch is worth more than one thread it is opened: others join
  /// it, and the one that finishes the last group completes the command.
  static command_ptr run(command_ptr running, const command* preferred);
  /// Runs groups of an open launch in which the caller has taken a seat.
  static command_ptr join(open_launches::seat taken, const command* preferred);
  /// Runs commands: each worker of the executor calls it.
  static void work(executor& home) noexcept;
  /// Runs what is ready or open in the executor, and what follows from it; false if there was nothing.
  static bool work_once(executor& home);

private:
  static command_ptr run_alone(command_ptr running, std::size_t first, const command* preferred);
  static command_ptr run_here(command_ptr running, const command* preferred);
  static command_ptr run_shared(command_ptr running, std::size_t first, const command* preferred);
  static command_ptr participate(open_launches::seat taken, const command* preferred, launch_costs::hint* hint);
};

} // namespace detail
LANEFOLD_END_NAMESPACE
