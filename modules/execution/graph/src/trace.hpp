// SPDX-License-Identifier: Apache-2.0
/// LANEFOLD_TRACE=FILE: when and where the commands of a program ran, as trace events in JSON, which Perfetto and
/// Chrome show (https://ui.perfetto.dev, chrome://tracing).
#pragma once

#include "command.hpp"
#include "observation.hpp"

#include <exception>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The trace of this process. Thread-safe; what is told before it is open, or after it was closed, is lost.
class trace {
public:
  /// Opens the file if LANEFOLD_TRACE names one and none is open yet: `%p` in the name is the number of the process. It
  /// is written to about once a second, when a command fails, and at the end of the process or where that terminates.
  /// Returns whether it is open. Errors: errc::invalid if it cannot be written.
  static bool open_if_wanted();
  /// Tells of a command: its stretches, and what it waited for.
  static void add(const command& of, const observation& notes, const std::exception_ptr& error);
  /// Adds the stretch of a command that a device has run, on a track of its queue that is free at the time.
  static void place_on_device(observation& notes, const command_times& times);
};

} // namespace detail
LANEFOLD_END_NAMESPACE
