// SPDX-License-Identifier: Apache-2.0
/// Commands of devices that are not the CPU (detail/device_backend.hpp).
///
/// They are started instead of run. One whose dependencies have all been started on its device is started when it is
/// submitted; it then leaves the graph's order to the device. The device tells of the end only where somebody waits for
/// it: a successor, a host thread, a question.
#pragma once

#include "command.hpp"

#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class device_commands {
public:
  /// Gives a command to its queue's device; `before`: commands of the device that it comes after. Returns why that
  /// failed.
  static std::exception_ptr start(command& c, std::vector<dependency> before);
  /// Lets a command be one that its device was given before, at that place of the queue.
  static void take_over(command& c, std::uint64_t place, device_event_ptr event, std::vector<dependency> before);
  /// Makes a command that is complete, and has failed.
  static command_ptr make_failed(executor& home, std::shared_ptr<queue_account> queue, std::shared_ptr<failure> error);
  /// Brings what a command of the host uses to where it runs. Returns why that failed.
  static std::exception_ptr bring_to_host(const command& c);
  /// Somebody who is not on the device waits for it: the device is to tell when it has finished.
  static void watch(command& c);
  /// Completes a command that its device has finished, or one that could not be started.
  static void finish(const command_ptr& finished) noexcept;
  static void fail(command_ptr not_started, std::exception_ptr error);
  /// Returns what command::is_finished does, and completes the command if its device has finished it. Not to be called
  /// under a lock.
  static bool poll(const command_ptr& asked);

private:
  static void complete(command_ptr last) noexcept;
  static void device_has_finished(void* command);
};

} // namespace detail
LANEFOLD_END_NAMESPACE
