// SPDX-License-Identifier: Apache-2.0
/// The groups of one launch, shared by several threads.
#pragma once

#include "packed_range.hpp"

#include <lanefold/execution/launch.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class observation;

/// Hands the groups [first, last) of a launch to the threads that participate. Every thread has a share of consecutive
/// groups, so that it walks its own neighbourhood and meets the same data again in the next launch; it takes pieces
/// from the front of its share, and when its share is used up it takes half of what is left of the longest one. How
/// many groups are a piece follows from the time that the thread's last pieces took, so one heavy group is a piece of
/// its own, and thousands of cheap ones are one. After the first exception no further group is started.
class distribution {
public:
  /// `group_nanoseconds`: what a group is expected to take, 0 if nobody knows: threads begin with a single one then.
  /// `observed` is told of each participant's groups; null: nobody asks.
  distribution(launch& work, std::size_t first, std::size_t last, std::size_t threads, double group_nanoseconds = 0,
               observation* observed = nullptr);

  /// Runs groups until none are left to take. `preferred` says whose share the caller begins with, if it is still free.
  /// True for exactly one caller: the one after which all groups are finished. After that nobody touches the launch.
  /// `groups`: how many the caller ran.
  bool participate(std::size_t preferred, std::size_t& groups);

  /// The first exception, given away. Valid when all groups are finished.
  [[nodiscard]] std::exception_ptr take_error() noexcept { return std::move(m_error); }
  /// The most threads that make sense.
  [[nodiscard]] std::size_t shares() const noexcept { return m_count; }

private:
  using tasks = packed_range;
  struct alignas(64) share {
    std::atomic<std::uint64_t> range{0};    // a word of tasks
    std::atomic<float> task_nanoseconds{0}; // of its last piece but the one that runs; 0: there is none
    std::atomic<bool> taken{false};
  };

  /// The sizes of the pieces that a thread takes, in tasks.
  struct pace {
    double task_nanoseconds; // of the last pieces; 0: unknown
    std::uint32_t least;
    std::uint32_t most;

    explicit pace(double nanoseconds) noexcept;
    /// `start`: what a piece costs besides its tasks, in nanoseconds.
    void learn(std::uint32_t size, std::chrono::nanoseconds time, double start) noexcept;
  };

  std::size_t take_share(std::size_t preferred) noexcept;
  bool take_piece(share& own, const pace& sizes, tasks& piece) noexcept;
  [[nodiscard]] std::size_t longest_share(std::size_t thief, std::uint64_t& word) const noexcept;
  bool steal(std::size_t thief, const pace& sizes) noexcept;
  void run(tasks piece) noexcept;
  bool count(std::uint64_t finished) noexcept;
  [[nodiscard]] std::uint32_t border_below(std::uint32_t task, std::uint32_t lowest) const noexcept;

  launch& m_launch;
  observation* m_observed;
  std::size_t m_first;
  std::size_t m_last;
  std::size_t m_unit;  // groups per task
  std::size_t m_grain; // tasks between the borders that large pieces keep to
  double m_task_nanoseconds;
  std::size_t m_count;
  std::unique_ptr<share[]> m_shares;
  std::exception_ptr m_error;
  std::atomic<bool> m_failed{false};
  alignas(64) std::atomic<std::uint64_t> m_unfinished; // tasks
};

} // namespace detail
LANEFOLD_END_NAMESPACE
