// SPDX-License-Identifier: Apache-2.0
#include "graph_program.hpp"

#include "spin.hpp"

#include <lanefold/exception.hpp>

#include <algorithm>
#include <chrono>
#include <limits>
#include <typeinfo>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

/// Steps that take no longer run on one thread: calling another one costs about as much.
constexpr float short_step = 6000; // nanoseconds
/// A thread of the team without work looks for some for this long before it sleeps.
constexpr auto team_patience = 50us;
constexpr std::uint32_t none = ready_deque::none;

std::int64_t nanoseconds_now() noexcept { return steady_clock::now().time_since_epoch() / 1ns; }

/// Short nodes of one class run in a row up to this many at a time: then the thread looks whether one has failed.
constexpr std::size_t most_in_a_row = 64;

} // namespace

graph_program::graph_program(const std::vector<step_description>& steps, std::size_t threads)
    : m_steps(steps.size()), m_work(steps.size()), m_most_threads(threads) {
  std::size_t edges = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    replace(i, steps[i].work);
    m_steps[i].predecessors = static_cast<std::uint32_t>(steps[i].after.size());
    m_steps[i].waits_for.store(m_steps[i].predecessors, std::memory_order_relaxed);
    edges += steps[i].after.size();
    for (const std::uint32_t before : steps[i].after) {
      ++m_steps[before].last_successor; // their number, for now
    }
    if (steps[i].after.empty()) {
      m_roots.push_back(static_cast<std::uint32_t>(i));
    }
  }
  std::uint32_t at = 0;
  for (step& s : m_steps) {
    s.first_successor = at;
    at += std::exchange(s.last_successor, at);
  }
  m_successors.resize(edges);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (const std::uint32_t before : steps[i].after) {
      m_successors[m_steps[before].last_successor++] = static_cast<std::uint32_t>(i);
    }
  }
  m_root_work.resize(m_roots.size());
  m_alike_until.resize(m_roots.size());
  fit_team();
  prepare();
}

std::vector<step_description> graph_program::describe() const {
  std::vector<step_description> all(m_steps.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    all[i].work = m_work[i];
    for (std::uint32_t e = m_steps[i].first_successor; e < m_steps[i].last_successor; ++e) {
      all[m_successors[e]].after.push_back(i);
    }
  }
  return all;
}

void graph_program::fit_team() {
  const std::size_t threads = m_steps.empty() ? 0 : std::min(m_most_threads, width());
  while (m_lists.size() < threads) {
    m_lists.push_back(std::make_unique<ready_deque>(m_steps.size()));
  }
  if (m_shares.size() != m_lists.size()) {
    m_shares = std::vector<root_share>(m_lists.size());
  }
  share_roots();
  find_alike();
  m_threads = threads;
  m_last_run.store(0, std::memory_order_relaxed);
}

/// Finds roots that are one small group of the same class as the next one, and that no step waits for: they run without
/// a look at each step.
void graph_program::find_alike() noexcept {
  const auto have_one_class = [](const launch& a, const launch& b) { return typeid(a) == typeid(b); };
  const auto is_small_end = [this](std::size_t root) {
    const step& s = m_steps[m_roots[root]];
    return s.work != nullptr && s.work->size() == 1 && s.first_successor == s.last_successor;
  };
  for (std::size_t r = m_roots.size(); r-- > 0;) {
    m_root_work[r] = m_steps[m_roots[r]].work;
    const bool as_next = r + 1 < m_roots.size() && is_small_end(r) && is_small_end(r + 1) &&
                         have_one_class(*m_root_work[r], *m_root_work[r + 1]);
    m_alike_until[r] = as_next ? m_alike_until[r + 1] : r + 1;
  }
}

/// Returns about how many threads can have work at a time: steps of one depth do not wait for each other. Errors:
/// errc::invalid for a circle.
std::size_t graph_program::width() const {
  std::vector<std::uint32_t> waits_for(m_steps.size());
  std::transform(m_steps.begin(), m_steps.end(), waits_for.begin(), [](const step& s) { return s.predecessors; });
  std::vector<std::uint32_t> level = m_roots;
  std::vector<std::uint32_t> next;
  std::size_t reached = 0;
  std::size_t widest = 1;
  for (; !level.empty(); level.swap(next), next.clear()) {
    reached += level.size();
    std::size_t groups = 0;
    for (const std::uint32_t number : level) {
      const step& s = m_steps[number];
      groups += s.work == nullptr ? 0 : s.work->size();
      for (std::uint32_t e = s.first_successor; e < s.last_successor; ++e) {
        if (--waits_for[m_successors[e]] == 0) {
          next.push_back(m_successors[e]);
        }
      }
    }
    widest = std::max(widest, groups);
  }
  if (reached != m_steps.size()) {
    throw exception(make_error_code(errc::invalid), "finalize: the edges of the graph form a cycle");
  }
  return widest;
}

float graph_program::last_nanoseconds() const noexcept {
  const std::int64_t last = m_last_run.load(std::memory_order_relaxed);
  return last != 0 ? static_cast<float>(last) : std::numeric_limits<float>::infinity();
}

std::shared_ptr<launch> graph_program::replace(std::size_t number, std::shared_ptr<launch> work) noexcept {
  m_steps[number].work = work.get();
  m_steps[number].nanoseconds.store(0, std::memory_order_relaxed);
  return std::exchange(m_work[number], std::move(work));
}

void graph_program::prepare() noexcept {
  if (m_failed.load(std::memory_order_relaxed)) {
    m_error = nullptr;
    m_failed.store(false, std::memory_order_relaxed);
  }
  m_began.store(0, std::memory_order_relaxed);
  share_roots();
  m_unfinished.store(m_steps.size(), std::memory_order_relaxed);
}

/// Does a part of the run, unless one has failed.
template <class Part>
void graph_program::attempt(const Part& part) noexcept {
  if (m_failed.load(std::memory_order_relaxed)) {
    return;
  }
  try {
    part();
  } catch (...) {
    fail();
  }
}

// ---- one thread

void graph_program::participate(std::size_t number) noexcept {
  if (m_began.load(std::memory_order_relaxed) == 0) {
    m_began.store(nanoseconds_now(), std::memory_order_relaxed);
  }
  member me{*m_lists[number], number};
  for (;;) {
    if (const std::uint32_t entry = me.own.pop(); entry != none) {
      run(me, entry);
    } else if (const auto [first, last] = take_roots(me); first != last) {
      run_roots(me, first, last);
    } else if (const std::uint32_t found = find(me); found != none) {
      run(me, found);
    } else if (is_over()) {
      return;
    } else {
      rest();
    }
  }
}

void graph_program::run_roots(member& me, std::size_t first, std::size_t last) noexcept {
  while (first < last) {
    const std::size_t alike = std::min({m_alike_until[first], last, first + most_in_a_row});
    if (alike - first > 1) {
      run_in_a_row(me, first, alike);
      first = alike;
    } else {
      if (launch* const next = first + 1 < last ? m_root_work[first + 1] : nullptr; next != nullptr) {
        next->ask_ahead();
      }
      run(me, m_roots[first++]);
    }
  }
}

/// Runs roots of one class that have no successors.
void graph_program::run_in_a_row(member& me, std::size_t first, std::size_t last) noexcept {
  attempt([&] { m_root_work[first]->run_each(std::span(m_root_work).subspan(first, last - first)); });
  me.finished += last - first;
}

void graph_program::share_roots() noexcept {
  const std::size_t count = m_shares.size();
  const std::uint32_t least = roots_worth_taking();
  for (std::size_t i = 0; i < count; ++i) {
    const packed_range part{static_cast<std::uint32_t>(i * m_roots.size() / count),
                            static_cast<std::uint32_t>((i + 1) * m_roots.size() / count)};
    m_shares[i].left.store(part.word(), std::memory_order_relaxed);
    m_shares[i].least = least;
  }
}

/// Steps are taken to cost the same, and all threads to have run some in the last run.
std::uint32_t graph_program::roots_worth_taking() const noexcept {
  const std::int64_t last = m_last_run.load(std::memory_order_relaxed);
  const double of_threads = static_cast<double>(last) * static_cast<double>(m_shares.size());
  return last == 0 ? 1 : static_cast<std::uint32_t>(least_part * static_cast<double>(m_steps.size()) / of_threads + 1);
}

/// Takes a part of what is left of the member's own share, or else of another one's; the parts become smaller, so that
/// threads finish together, but none is left that is not worth taking.
packed_range graph_program::take_roots(const member& me) noexcept {
  for (std::size_t i = 0; i < m_shares.size(); ++i) {
    root_share& share = m_shares[(me.number + i) % m_shares.size()];
    std::uint64_t word = share.left.load(std::memory_order_relaxed);
    for (packed_range left = packed_range::of(word); left.size() != 0; left = packed_range::of(word)) {
      const std::uint32_t part =
          m_shares.size() == 1 ? left.size() : part_of(left.size(), std::max(left.size() / 4, share.least));
      const packed_range taken =
          i == 0 ? packed_range{left.begin, left.begin + part} : packed_range{left.end - part, left.end};
      const packed_range rest = i == 0 ? packed_range{taken.end, left.end} : packed_range{left.begin, taken.begin};
      if (share.left.compare_exchange_weak(word, rest.word(), std::memory_order_relaxed)) {
        return taken;
      }
    }
  }
  return {};
}

/// Takes from others' lists; before, says what it has finished.
std::uint32_t graph_program::find(member& me) noexcept {
  settle(me);
  for (std::size_t i = 1; i < m_lists.size(); ++i) {
    const std::uint32_t found = m_lists[(me.number + i) % m_lists.size()]->steal();
    if (found != none) {
      return found;
    }
  }
  return none;
}

void graph_program::settle(member& me) noexcept {
  const std::size_t finished = std::exchange(me.finished, 0);
  if (finished != 0 && m_unfinished.fetch_sub(finished, std::memory_order_seq_cst) == finished) {
    if (const std::int64_t began = m_began.load(std::memory_order_relaxed); began != 0) {
      m_last_run.store(std::max<std::int64_t>(nanoseconds_now() - began, 1), std::memory_order_relaxed);
    }
    wake();
  }
}

bool graph_program::has_work() const noexcept {
  return std::any_of(m_shares.begin(), m_shares.end(),
                     [](const root_share& s) {
                       return packed_range::of(s.left.load(std::memory_order_seq_cst)).size() != 0;
                     }) ||
         std::any_of(m_lists.begin(), m_lists.end(), [](const auto& list) { return !list->is_empty(); });
}

void graph_program::rest() noexcept {
  const auto changed = [this] { return is_over() || has_work(); };
  if (spin(team_patience, changed)) {
    return;
  }
  m_sleepers.fetch_add(1, std::memory_order_seq_cst);
  const std::uint32_t before = m_signal.load(std::memory_order_seq_cst);
  // Who offers something after this look sees the sleeper.
  if (!changed()) {
    m_signal.wait(before);
  }
  m_sleepers.fetch_sub(1, std::memory_order_relaxed);
}

void graph_program::wake() noexcept {
  if (m_sleepers.load(std::memory_order_seq_cst) != 0) {
    m_signal.fetch_add(1, std::memory_order_seq_cst);
    m_signal.notify_all();
  }
}

void graph_program::offer(member& me, std::uint32_t entry) noexcept {
  me.own.push(entry);
  wake();
}

// ---- one step

/// Asks for what this thread most often runs next. Two chains of nodes of a microsecond took 1.28 of the time of a loop
/// without it, and take 1.07.
void graph_program::ask_for_successor(const step& s) const noexcept {
  if (s.first_successor != s.last_successor) {
    if (const launch* const next = m_steps[m_successors[s.first_successor]].work; next != nullptr) {
      next->ask_ahead();
    }
  }
}

/// Runs a step, then one of those that it has made ready, and so on.
void graph_program::run(member& me, std::uint32_t entry) noexcept {
  while (entry != none) {
    entry = (entry & invitation) != 0 ? join(me, entry & ~invitation) : run_one(me, entry);
  }
}

std::uint32_t graph_program::run_one(member& me, std::uint32_t number) noexcept {
  step& s = m_steps[number];
  s.waits_for.store(s.predecessors, std::memory_order_relaxed); // for the next run
  ask_for_successor(s);
  if (s.work == nullptr || s.work->size() == 0 || m_failed.load(std::memory_order_relaxed)) {
    return finish(me, number);
  }
  attempt([&] { s.work->rewind(); });
  const float expected = s.nanoseconds.load(std::memory_order_relaxed);
  if (s.work->size() == 1 || m_lists.size() == 1 || (expected != 0 && expected < short_step)) {
    return run_alone(me, number);
  }
  s.next_group.store(0, std::memory_order_relaxed);
  s.seats.store(static_cast<std::uint32_t>(std::min(m_lists.size(), s.work->size())) - 1, std::memory_order_relaxed);
  s.inside.store(1, std::memory_order_relaxed);
  return join(me, number);
}

std::uint32_t graph_program::run_alone(member& me, std::uint32_t number) noexcept {
  step& s = m_steps[number];
  attempt([&] { s.work->run(0, s.work->size()); });
  return finish(me, number);
}

/// Runs groups of a step that several threads may run; the last of them to leave finishes it.
std::uint32_t graph_program::join(member& me, std::uint32_t number) noexcept {
  step& s = m_steps[number];
  std::uint32_t seats = s.seats.load(std::memory_order_relaxed);
  if (seats != 0 && s.next_group.load(std::memory_order_relaxed) < s.work->size()) {
    s.seats.store(seats - 1, std::memory_order_relaxed); // one invitation at a time: nobody else changes it
    s.inside.fetch_add(1, std::memory_order_relaxed);
    offer(me, number | invitation);
  }
  share(s);
  return s.inside.fetch_sub(1, std::memory_order_acq_rel) == 1 ? finish(me, number) : none;
}

namespace {

/// Returns how many of the groups from `first` on a thread takes: where there are many, no parts of registers.
std::size_t piece_of(std::size_t groups, std::size_t first, std::size_t grain, std::size_t threads) noexcept {
  const std::size_t run = tasks_of_register(grain);
  const std::size_t least = groups < 8 * run * threads ? 1 : run;
  const std::size_t piece = std::min(std::max((groups - first) / (4 * threads), least), groups - first);
  return piece >= grain ? piece / grain * grain : piece >= run ? piece / run * run : piece;
}

} // namespace

/// Takes pieces of what is left of the step's groups, and learns what they cost.
void graph_program::share(step& s) noexcept {
  const std::size_t groups = s.work->size();
  const std::size_t grain = s.work->grain();
  const auto begin = steady_clock::now();
  std::size_t done = 0;
  std::size_t first = s.next_group.load(std::memory_order_relaxed);
  while (first < groups) {
    const std::size_t piece = piece_of(groups, first, grain, m_lists.size());
    if (s.next_group.compare_exchange_weak(first, first + piece, std::memory_order_relaxed)) {
      attempt([&] { s.work->run(first, first + piece); });
      done += piece;
      first = s.next_group.load(std::memory_order_relaxed);
    }
  }
  if (done != 0) {
    const std::chrono::duration<float, std::nano> time = steady_clock::now() - begin;
    s.nanoseconds.store(std::max(time.count(), 1.F) * static_cast<float>(groups) / static_cast<float>(done),
                        std::memory_order_relaxed);
  }
}

/// In a catch block: the first one keeps the exception, which is seen by all when no steps are left.
void graph_program::fail() noexcept {
  if (!m_failed.exchange(true, std::memory_order_relaxed)) {
    m_error = std::current_exception();
  }
}

/// Returns one of the steps that are ready now, with which the thread goes on; `none` if there is none. The others are
/// offered to all.
std::uint32_t graph_program::finish(member& me, std::uint32_t number) noexcept {
  const step& s = m_steps[number];
  ++me.finished;
  std::uint32_t next = none;
  for (std::uint32_t e = s.first_successor; e < s.last_successor; ++e) {
    const std::uint32_t successor = m_successors[e];
    if (m_steps[successor].waits_for.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      if (next == none) {
        next = successor;
      } else {
        offer(me, successor);
      }
    }
  }
  return next;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
