// SPDX-License-Identifier: Apache-2.0
#include "runner.hpp"

#include "completion.hpp"
#include "device_commands.hpp"
#include "observation.hpp"
#include "packed_range.hpp"
#include "spin.hpp"

#include <lanefold/execution/detail/kernel_scope.hpp>

#include <algorithm>
#include <chrono>
#include <new>
#include <optional>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

/// Launches of fewer groups a thread than this have their groups divided, if they can be and take long enough.
constexpr std::size_t groups_of_thread = 4;
/// And each thread has about so many pieces: one that the system stops does not keep the others waiting for long.
constexpr std::size_t pieces_of_thread = 16;
constexpr auto worth_dividing = 24us;
/// Launches of more groups, but fewer than pieces, have them divided if each takes so many nanoseconds, and work-items
/// are known to be heavy.
constexpr double heavy_group = 20000;
/// A shorter time may be that of one cache miss, and says nothing about the groups to come.
constexpr auto conclusive = 1us;

/// Divides the groups of a launch whose groups are few.
void divide_few_groups(launch& work, executor& home) {
  const std::size_t groups = work.size(), pieces = pieces_of_thread * home.threads();
  if (groups >= pieces) {
    return;
  }
  const launch_costs::hint cost = home.costs().of(work);
  const bool few = groups < groups_of_thread * home.threads();
  if (few ? cost.expected(groups) > worth_dividing : cost.of_group().nanoseconds >= heavy_group) {
    try {
      work.divide_groups(pieces, few);
    } catch (const std::bad_alloc&) { // NOLINT: whole groups need no memory
    }
  }
}

/// Tells those who observe a command in which time this thread has run groups of it.
class noted_stretch {
public:
  explicit noted_stretch(const command& of)
      : m_observed(of.observed()), m_begin(m_observed != nullptr ? command_times::now() : 0),
        m_counter(std::in_place, m_observed != nullptr ? m_observed->counts() : nullptr) {}
  void end(std::size_t groups) noexcept {
    m_counter.reset();
    if (m_observed != nullptr) {
      m_observed->ran(m_begin, groups);
    }
  }

private:
  observation* m_observed;
  std::uint64_t m_begin;
  std::optional<lane_counter> m_counter; ///< until the end
};

} // namespace

command_ptr runner::run(command_ptr running, const command* preferred) {
  launch* const work = running->m_work.get();
  if (running->m_times) {
    running->m_times->started.store(command_times::now(), std::memory_order_relaxed);
  }
  if (running->m_device) [[unlikely]] {
    if (work != nullptr && work->on_device() != nullptr) {
      std::exception_ptr error = device_commands::start(*running, {});
      return error ? completion::complete(std::move(running), std::move(error), preferred) : command_ptr();
    }
    if (std::exception_ptr error = device_commands::bring_to_host(*running)) {
      return completion::complete(std::move(running), std::move(error), preferred);
    }
  }
  if (work == nullptr || work->size() == 0) {
    return completion::complete(std::move(running), nullptr, preferred);
  }
  executor& home = running->home();
  if (home.threads() == 1) {
    return run_alone(std::move(running), 0, preferred);
  }
  if (const float known = work->known_nanoseconds(); known != 0) {
    return work->size() == 1 || home.is_for_one_thread(launch_costs::duration_of(known))
               ? run_alone(std::move(running), 0, preferred)
               : run_shared(std::move(running), 0, preferred);
  }
  divide_few_groups(*work, home);
  if (work->size() == 1) {
    return run_alone(std::move(running), 0, preferred);
  }
  return home.is_for_one_thread(home.costs().of(*work).expected(work->size()))
             ? run_here(std::move(running), preferred)
             : run_shared(std::move(running), 0, preferred);
}

command_ptr runner::run_alone(command_ptr running, std::size_t first, const command* preferred) {
  launch& work = *running->m_work;
  std::exception_ptr error;
  noted_stretch notes(*running);
  try {
    const kernel_scope inside;
    work.run(first, work.size());
  } catch (...) {
    error = std::current_exception();
  }
  notes.end(work.size() - first);
  return completion::complete(std::move(running), std::move(error), preferred);
}

/// Returns how many groups a thread runs first that expects them to be cheap: where there are many, not a part of those
/// that a register holds.
static std::size_t first_piece_of(const launch& work) {
  const std::size_t groups = work.size(), run = tasks_of_register(work.grain());
  const std::size_t piece = std::max<std::size_t>(groups / 32, 1);
  return groups < 4 * run ? piece : (piece + run - 1) / run * run;
}

/// Runs a launch that is expected to be short on this thread: a few groups first, and calls others as soon as those
/// that are left turn out to be worth it.
command_ptr runner::run_here(command_ptr running, const command* preferred) {
  launch& work = *running->m_work;
  launch_costs::hint hint = running->home().costs().of(work);
  const std::size_t groups = work.size();
  const auto short_launch = running->home().short_launch();
  std::exception_ptr error;
  std::size_t done = 0;
  noted_stretch notes(*running);
  try {
    const kernel_scope inside;
    const auto begin = steady_clock::now();
    auto before = begin;
    std::size_t piece = first_piece_of(work);
    for (;;) {
      work.run(done, done + piece);
      done += piece;
      if (done == groups) {
        break;
      }
      const auto now = steady_clock::now();
      const std::size_t left = groups - done;
      const auto time = std::chrono::duration<double, std::nano>(now - std::exchange(before, now));
      const auto expected = time * (static_cast<double>(left) / static_cast<double>(piece));
      if (expected > short_launch) {
        hint.learn(done, now - begin);
        if (expected > 2 * short_launch && time > conclusive) {
          break;
        }
      }
      piece = expected > short_launch ? std::min(left, piece * 8) : left;
    }
  } catch (...) {
    done = groups;
    error = std::current_exception();
  }
  notes.end(done);
  return done == groups ? completion::complete(std::move(running), std::move(error), preferred)
                        : run_shared(std::move(running), done, preferred);
}

command_ptr runner::run_shared(command_ptr running, std::size_t first, const command* preferred) {
  executor& home = running->home();
  launch_costs::hint hint = home.costs().of(*running->m_work); // now: when others have finished the launch, it is gone
  open_launches::seat mine;
  try {
    mine = home.open(running, first, hint.of_group());
  } catch (const std::bad_alloc&) { // NOLINT: this thread needs no memory for it
  }
  if (!mine) {
    return run_alone(std::move(running), first, preferred);
  }
  running = {}; // the launch has it
  return participate(std::move(mine), preferred, &hint);
}

/// Waits a while until those who still run groups have finished them, if there is nothing else to do. Returns whether
/// they have, and the caller is the one to complete the command.
static bool outlasts_the_others(const open_launches::seat& taken) noexcept {
  distribution& work = taken.work();
  if (!work.begin_to_expect_the_end()) {
    return false;
  }
  const executor& home = taken.owner()->home();
  spin(waiter_patience, [&] { return work.is_finished() || home.has_work(); });
  return work.cease_to_expect_the_end();
}

/// `hint` learns what a group costs, and is that of the thread that has opened the launch; null for others.
command_ptr runner::participate(open_launches::seat taken, const command* preferred, launch_costs::hint* hint) {
  std::size_t groups = 0;
  bool last = false;
  const auto begin = steady_clock::now();
  {
    const kernel_scope inside;
    last = taken.work().participate(current_worker(), groups);
  }
  if (hint != nullptr) {
    hint->learn(groups, steady_clock::now() - begin);
    if (taken.work().vectorised()) {
      hint->learn_vectorised();
    }
  }
  taken.close(); // there was nothing left to take
  const bool is_host = hint != nullptr && current_worker() == 0;
  if (!last && !(is_host && outlasts_the_others(taken))) {
    return {};
  }
  command_ptr owner = taken.owner();
  std::exception_ptr error = taken.work().take_error();
  taken.leave();
  return completion::complete(std::move(owner), std::move(error), preferred);
}

command_ptr runner::join(open_launches::seat taken, const command* preferred) {
  return participate(std::move(taken), preferred, nullptr);
}

void runner::work(executor& home) noexcept {
  std::size_t number = home.begin_work();
  do {
    while (work_once(home)) {
    }
  } while (home.look_for_work(number));
}

bool runner::work_once(executor& home) {
  open_launches::seat taken = home.join(nullptr, nullptr);
  command_ptr mine = taken ? command_ptr() : home.claim_first();
  if (!taken && !mine) {
    return false;
  }
  home.call_others();
  if (taken) {
    mine = join(std::move(taken), nullptr);
  }
  while (mine) {
    mine = run(std::move(mine), nullptr);
  }
  return true;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
