// SPDX-License-Identifier: Apache-2.0
/// Notes where and when a command ran, for LANEFOLD_TRACE and LANEFOLD_EXPLAIN.
#pragma once

#include "lane_counter.hpp"

#include <lanefold/execution/launch.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class command;
struct dependency;

/// Holds a time in which one thread ran groups of a command, in nanoseconds of std::chrono::steady_clock.
struct stretch {
  long thread;        ///< as the operating system numbers it; a track of the trace for devices
  std::size_t worker; ///< which worker of its executor it is; 0 for other threads
  std::uint64_t begin;
  std::uint64_t end;
  std::size_t groups;
};

/// Says whether the commands of a queue are observed, and for what.
struct observed_queue {
  unsigned number = 0; ///< of the queue; 0: they are not
  bool explains = false;
};

/// The notes about one command of a queue that is observed. Threads that run it write to them, at last whoever
/// completes it; nobody writes afterwards.
class observation {
public:
  explicit observation(const observed_queue& queue);
  observation(const observation&) = delete;
  observation& operator=(const observation&) = delete;

  /// Before the command is submitted: what it waits for.
  void note_dependencies(const std::vector<dependency>& all) noexcept;
  /// Called by each thread that has run groups, before the command is complete.
  void ran(std::uint64_t begin, std::size_t groups) noexcept;
  /// Called once all threads have run what they run of it: a stretch of a device.
  void ran_on_device(const stretch& s) { m_stretches.push_back(s); }
  /// Called in the end: where there was nothing to run, or it was not run, the end is a short stretch.
  void close();
  /// Forgets what it has waited for, or a chain of commands would live as long as its last one.
  void forget_dependencies() noexcept { m_after.clear(); }

  /// The stretch that was the first to begin, and the one that was the last to end, of a complete command.
  [[nodiscard]] const stretch& first() const;
  [[nodiscard]] const stretch& last() const;

  /// Returns where threads that run it count accesses of lanes; null if nobody wants to know.
  [[nodiscard]] lane_counts* counts() noexcept { return m_queue.explains ? &m_counts : nullptr; }

  [[nodiscard]] const observed_queue& queue() const noexcept { return m_queue; }
  [[nodiscard]] std::uint64_t number() const noexcept { return m_number; }
  [[nodiscard]] const std::vector<stretch>& stretches() const noexcept { return m_stretches; }
  [[nodiscard]] const std::vector<std::shared_ptr<const observation>>& after() const noexcept { return m_after; }

private:
  observed_queue m_queue;
  std::uint64_t m_number; ///< of the command
  std::vector<std::shared_ptr<const observation>> m_after;
  std::mutex m_guard; ///< of the next one, until the command is complete
  std::vector<stretch> m_stretches;
  lane_counts m_counts;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
