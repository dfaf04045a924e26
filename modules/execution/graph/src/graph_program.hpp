// SPDX-License-Identifier: Apache-2.0
/// The steps of an executable graph, and how threads run them.
#pragma once

#include "packed_range.hpp"
#include "ready_deque.hpp"

#include <lanefold/execution/launch.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Holds what a step is made of.
struct step_description {
  std::shared_ptr<launch> work;     ///< null: the step only has its place in the order
  std::vector<std::uint32_t> after; ///< steps that come before it, each once
};

/// Runs a graph of launches as often as one likes, one run after the other, by a team of threads. Each step counts the
/// predecessors that have not finished; who finishes the last one goes on with the step. A run needs no memory, and for
/// each step one atomic operation an edge and two at a list of the thread's own; a thread without work takes some from
/// another one's list. Steps of many groups that take long are shared by threads that have nothing else to do.
///
/// Order: the effects of a step are seen by its successors through their counters, those of all steps by who finds that
/// none are left.
class graph_program {
public:
  /// Errors: errc::invalid if the steps are in a circle; std::bad_alloc.
  graph_program(const std::vector<step_description>& steps, std::size_t threads);
  graph_program(const graph_program&) = delete;
  graph_program& operator=(const graph_program&) = delete;

  /// Returns how many threads can have work at a time.
  [[nodiscard]] std::size_t threads() const noexcept { return m_threads; }
  /// Returns what the last run took, infinity before the first one.
  [[nodiscard]] float last_nanoseconds() const noexcept;
  [[nodiscard]] std::size_t steps() const noexcept { return m_steps.size(); }

  [[nodiscard]] std::vector<step_description> describe() const;

  // Not while it runs.
  /// Returns what the step had.
  std::shared_ptr<launch> replace(std::size_t step, std::shared_ptr<launch> work) noexcept;
  /// Behind replacements: there may be work for more threads. If it throws, the team is the one before. Errors:
  /// std::bad_alloc.
  void fit_team();

  /// Between two runs: makes ready for the next one.
  void prepare() noexcept;
  /// Runs steps until none are left: each thread of the team calls it, as the member of a `number` of its own below
  /// threads(). One member is enough.
  void participate(std::size_t number) noexcept;
  /// After a run: whether a step has thrown; the groups that would have begun after that were left out.
  [[nodiscard]] bool has_failed() const noexcept { return is_over() && m_failed.load(std::memory_order_relaxed); }
  /// The first exception, after a run that has failed.
  [[nodiscard]] const std::exception_ptr& error() const noexcept { return m_error; }

private:
  struct alignas(64) step {
    std::atomic<std::uint32_t> waits_for{0}; // predecessors that have not finished
    std::uint32_t predecessors = 0;
    std::uint32_t first_successor = 0;
    std::uint32_t last_successor = 0;
    launch* work = nullptr;
    // The next ones concern steps of several groups.
    std::atomic<float> nanoseconds{0};    // a run of all groups on one thread; 0: not known
    std::atomic<std::uint32_t> inside{0}; // threads that run it, and invitations
    std::atomic<std::uint32_t> seats{0};  // that may still be offered
    std::atomic<std::size_t> next_group{0};
  };
  /// Consecutive roots, which the same member begins with in each run: it finds their data where it has left them.
  struct alignas(64) root_share {
    std::atomic<std::uint64_t> left{0}; // a packed_range
    std::uint32_t least = 1;            // that are taken at a time
  };
  /// Holds what one thread of the team knows.
  struct member {
    ready_deque& own;
    std::size_t number;
    std::size_t finished = 0;
  };

  /// Set in a number of a list: the step runs already, and one more thread may help.
  static constexpr std::uint32_t invitation = 0x80000000U;

  [[nodiscard]] std::size_t width() const;
  void find_alike() noexcept;
  void run_roots(member& me, std::size_t first, std::size_t last) noexcept;
  void run_in_a_row(member& me, std::size_t first, std::size_t last) noexcept;
  void run(member& me, std::uint32_t entry) noexcept;
  void ask_for_successor(const step& s) const noexcept;
  std::uint32_t run_one(member& me, std::uint32_t number) noexcept;
  std::uint32_t run_alone(member& me, std::uint32_t number) noexcept;
  std::uint32_t join(member& me, std::uint32_t number) noexcept;
  template <class Part>
  void attempt(const Part& part) noexcept;
  void share(step& s) noexcept;
  std::uint32_t finish(member& me, std::uint32_t number) noexcept;
  void offer(member& me, std::uint32_t entry) noexcept;
  std::uint32_t find(member& me) noexcept;
  void share_roots() noexcept;
  [[nodiscard]] std::uint32_t roots_worth_taking() const noexcept;
  [[nodiscard]] packed_range take_roots(const member& me) noexcept;
  [[nodiscard]] bool is_over() const noexcept { return m_unfinished.load(std::memory_order_seq_cst) == 0; }
  [[nodiscard]] bool has_work() const noexcept;
  void settle(member& me) noexcept;
  void rest() noexcept;
  void wake() noexcept;
  void fail() noexcept;

  std::vector<step> m_steps;
  std::vector<std::uint32_t> m_successors;
  std::vector<std::uint32_t> m_roots;
  std::vector<launch*> m_root_work;       // of each root
  std::vector<std::size_t> m_alike_until; // of each root: those up to this one run in a row
  std::vector<std::shared_ptr<launch>> m_work;
  const std::size_t m_most_threads;
  std::size_t m_threads = 0;
  std::vector<std::unique_ptr<ready_deque>> m_lists; // one for each thread of the team
  std::vector<root_share> m_shares;                  // one for each list
  std::exception_ptr m_error;
  std::atomic<bool> m_failed{false};
  // Most runs only read the members above; each run writes those below, which have lines of the cache of their own.
  alignas(64) std::atomic<std::size_t> m_unfinished{0};
  std::atomic<std::int64_t> m_began{0};    // nanoseconds, when the first thread came; 0: it has not
  std::atomic<std::int64_t> m_last_run{0}; // nanoseconds; 0: there was none
  alignas(64) std::atomic<std::uint32_t> m_sleepers{0};
  std::atomic<std::uint32_t> m_signal{0};
};

} // namespace detail
LANEFOLD_END_NAMESPACE
