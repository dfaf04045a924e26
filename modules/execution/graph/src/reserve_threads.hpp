// SPDX-License-Identifier: Apache-2.0
/// Threads that run commands in the place of those that wait inside of commands.
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>
#include <mutex>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// There are at least as many of these threads as threads wait inside of commands, themselves included, so that as many
/// threads as ever go on. They take what is ready in any executor, and end when for a while fewer are needed.
class reserve_threads {
public:
  /// The threads of the process: they are never destroyed, because commands may wait until it ends.
  static reserve_threads& all();

  /// The calling thread begins to wait. Throws errc::runtime if a thread is missing and none can be had.
  void begin_wait();
  void end_wait() noexcept;
  /// The calling thread does not wait, but asks again and again for what another command must do: one of these threads
  /// has nothing to do, and runs that command when it is ready. Errors as above.
  void begin_poll();

private:
  reserve_threads() = default;
  void start();
  void run() noexcept;
  [[nodiscard]] bool work();
  [[nodiscard]] bool end_one() noexcept;

  std::mutex m_guard;
  std::size_t m_waiting = 0;
  std::size_t m_threads = 0;
  std::size_t m_resting = 0; ///< threads that run no command
};

} // namespace detail
LANEFOLD_END_NAMESPACE
