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
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class observation;

/// Holds what is known of a group of a launch before it runs.
struct group_cost {
  double nanoseconds = 0; ///< 0: nobody knows
  /// Sixteen groups take about as long as one: they are work-items of a loop that the compiler has vectorised.
  bool vectorised = false;
};

/// Hands the groups [first, last) of a launch to the threads that participate. Every thread has a share of consecutive
/// groups, so that it walks its own neighbourhood and meets the same data again in the next launch; it takes pieces
/// from the front of its share, and when its share is used up it takes half of what is left of the longest one. How
/// many groups are a piece follows from the time that the thread's last pieces took, so one heavy group is a piece of
/// its own, and thousands of cheap ones are one. Where a piece of some heavy groups takes as long as one of them,
/// pieces keep to that number (decision 085). Where there are two or four heavy groups for each thread, half of a share
/// lies as far from the end of the launch as the other half from its beginning: what costs more and more, or less and
/// less, is then shared evenly from the start. After the first exception no further group is started.
class distribution {
  using tasks = packed_range;

public:
  /// Holds the groups that a thread has to itself, until others take from them.
  struct alignas(64) share {
    std::atomic<std::uint64_t> range{0};    // a word of tasks
    std::atomic<float> task_nanoseconds{0}; // of its last piece but the one that runs; 0: there is none
    std::atomic<bool> taken{false};
  };

  /// `shares`: `threads` of them, which no other distribution uses as long as this one does. Where the cost of a group
  /// is not known, threads begin with a single one. `observed` is told of each participant's groups; null: nobody asks.
  distribution(launch& work, std::size_t first, std::size_t last, share* shares, std::size_t threads,
               group_cost cost = {}, observation* observed = nullptr);

  /// Runs groups until none are left to take. `preferred` says whose share the caller begins with, if it is still free.
  /// True for exactly one caller, the one after which all groups are finished, unless another thread expects the end.
  /// After that nobody touches the launch.
  /// `groups`: how many the caller ran.
  bool participate(std::size_t preferred, std::size_t& groups);

  // One thread that has nothing left to take may wait until the others have finished, too. That is faster than to be
  // told of it: what the launch holds is freed where it came from.

  /// From now on the caller takes the place of the last one, whom participate() does not tell. Returns false if that is
  /// too late, because another one has been told.
  bool begin_to_expect_the_end() noexcept {
    return m_unfinished.fetch_or(end_is_expected, std::memory_order_acq_rel) != 0;
  }
  [[nodiscard]] bool is_finished() const noexcept {
    return m_unfinished.load(std::memory_order_acquire) == end_is_expected;
  }
  /// Returns whether all groups are finished. If not, participate() tells the last one again.
  bool cease_to_expect_the_end() noexcept {
    return m_unfinished.fetch_and(~end_is_expected, std::memory_order_acq_rel) == end_is_expected;
  }

  /// The first exception, given away. Valid when all groups are finished.
  [[nodiscard]] std::exception_ptr take_error() noexcept { return std::move(m_error); }
  /// The most threads that make sense.
  [[nodiscard]] std::size_t shares() const noexcept { return m_count; }
  /// Returns whether a participant has found that the groups are vectorised, or that was known before.
  [[nodiscard]] bool vectorised() const noexcept { return m_vectorised.load(std::memory_order_relaxed); }

private:
  /// Is the bit of m_unfinished that says so.
  static constexpr std::uint64_t end_is_expected = std::uint64_t{1} << 63;

  /// The sizes of the pieces that a thread takes, in tasks.
  class pace {
  public:
    /// `run`: how many tasks a register may hold.
    pace(double nanoseconds, std::uint32_t run, bool vectorised) noexcept;

    /// Returns how many of the tasks that are left of a share the next piece wants.
    [[nodiscard]] std::uint32_t of(std::uint32_t left) const noexcept;
    /// `start`: what a piece costs besides its tasks, in nanoseconds.
    void learn(std::uint32_t size, std::chrono::nanoseconds time, double start) noexcept;

    [[nodiscard]] double task_nanoseconds() const noexcept { return m_task_nanoseconds; } ///< of the last pieces
    [[nodiscard]] std::uint32_t least() const noexcept { return m_least; }
    [[nodiscard]] bool vectorised() const noexcept { return m_vectorised; }

  private:
    /// Says whether it is worth to find out if heavy tasks are vectorised, and possible.
    [[nodiscard]] bool is_curious() const noexcept { return m_finds_out && m_alone != 0 && m_most < m_run; }

    double m_task_nanoseconds; // 0: unknown
    double m_alone = 0;        // what a task took in a piece that is much smaller than a run; 0: unknown
    double m_in_run = 0;       // what it took in a run that looks vectorised, if one more alone has to confirm that
    std::uint32_t m_run;
    bool m_vectorised;
    bool m_finds_out;
    std::uint32_t m_least = 1;
    std::uint32_t m_most = 1;
  };

  std::size_t take_share(std::size_t preferred) noexcept;
  bool take_piece(share& own, const pace& sizes, tasks& piece) noexcept;
  [[nodiscard]] std::size_t longest_share(std::size_t thief, std::uint64_t& word) const noexcept;
  bool steal(std::size_t thief, const pace& sizes) noexcept;
  void run(tasks piece) noexcept;
  void run(std::size_t begin, std::size_t end) noexcept;
  bool count(std::uint64_t finished) noexcept;
  [[nodiscard]] std::uint32_t border_below(std::uint32_t task, std::uint32_t lowest, std::size_t grain) const noexcept;

  launch& m_launch;
  observation* m_observed;
  std::size_t m_first;
  std::size_t m_last;
  std::size_t m_unit;  // groups per task
  std::size_t m_grain; // tasks between the borders that large pieces keep to
  std::uint32_t m_run; // and smaller ones, if the tasks are vectorised
  double m_task_nanoseconds;
  std::size_t m_count;
  std::uint32_t m_fold; // tasks in half of a share, if the other half lies at the other end; else 0
  share* m_shares;
  std::exception_ptr m_error;
  std::atomic<bool> m_failed{false};
  std::atomic<bool> m_vectorised;
  alignas(64) std::atomic<std::uint64_t> m_unfinished; // tasks
};

} // namespace detail
LANEFOLD_END_NAMESPACE
