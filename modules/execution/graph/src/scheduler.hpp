// SPDX-License-Identifier: Apache-2.0
/// The graph of commands, as queues, events and buffers use it.
///
/// A command waits until all its dependencies are complete, then it is ready: it stands in its executor's list, from
/// which a worker or a host thread that waits for it claims it. Whoever claims a command runs it (runner.hpp). Whoever
/// finishes its last group completes the command, which makes its successors ready (completion.hpp), and goes on with
/// one of them, without a detour through the list.
///
/// Happens-before: submission to claim through executor::m_guard; opening to joining, and leaving to the next opening,
/// through the word of the slot in open_launches; from participant to participant through distribution's counter;
/// completion to whoever waits through command::m_stage; completion to dependent command through command::m_unfinished.
#pragma once

#include "executor.hpp"

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class command_path;

class scheduler {
public:
  /// The executor for so many threads.
  static executor& executor_for(std::size_t threads);

  /// Enters a command into the graph.
  static void submit(command_ptr submitted, std::vector<dependency> dependencies) noexcept;
  /// A command that runs, without an action, until release() completes it: the host's use of a buffer of so many bytes.
  static command_ptr hold(executor& home, std::shared_ptr<queue_account> queue, std::size_t bytes);
  static void release(const command_ptr& held) noexcept;
  /// Commands that the calling thread holds.
  static bool holds_commands() noexcept;
  /// Returns when the command is complete; the calling thread helps with it and with what it waits for.
  /// Throws errc::invalid where it would never return: inside a kernel, and for what waits for a command that this
  /// thread holds, or another thread that waits for such a command.
  static void wait(const command_ptr& target);
  /// Throws errc::invalid: what is asked of an event cannot be said of a node.
  [[noreturn]] static void refuse_recorded();
  /// Runs a command of that queue that is ready, or joins one; false if there is none.
  static bool help(executor& home, const queue_account& queue);
  /// Runs any command that is ready in any executor, or joins one; false if there is none.
  static bool work_anywhere() noexcept;

private:
  /// Returns whether who submits a command that waits for nothing runs it.
  static bool is_done_at_once(const command& ready) noexcept;
  static void wait_step(command_path& path);
  static void rest(const command& running, const command& waited_for);
};

} // namespace detail
LANEFOLD_END_NAMESPACE
