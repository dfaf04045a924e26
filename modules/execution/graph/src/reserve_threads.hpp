// SPDX-License-Identifier: Apache-2.0
/// Threads that run commands in the place of those that wait inside of commands.
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>
#include <mutex>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// There are at least as many of these threads as threads wait inside of commands, themselves included: so many threads
/// as ever go on. They take what is ready in any executor, and end when for a while fewer are needed.
class reserve_threads {
public:
  /// The threads of the process: they are never destroyed, because commands may wait until it ends.
  static reserve_threads& all();

  /// The calling thread begins to wait. Throws errc::runtime if a thread is missing and none can be had.
  void begin_wait();
  void end_wait() noexcept;

private:
  reserve_threads() = default;
  void run() noexcept;
  [[nodiscard]] bool end_one() noexcept;

  std::mutex m_guard;
  std::size_t m_waiting = 0;
  std::size_t m_threads = 0;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
