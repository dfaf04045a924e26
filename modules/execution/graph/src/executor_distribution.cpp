// SPDX-License-Identifier: Apache-2.0
#include "executor_distribution.hpp"

#include "observation.hpp"

#include <algorithm>
#include <limits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

/// Pieces of more than this would only keep others from taking a part of them.
constexpr double most_of_piece = 32000;
/// A thread begins with this, because what another launch of the kernel has taken may be wrong for this one.
constexpr double first_piece = 4000;

/// Half of a share lies at the other end of the launch if each group takes at least so long: the processor that has had
/// the data of one before is of little use then.
constexpr double worth_folding = 100000;
/// And if there are two or four groups for each thread: thieves even out what there is of more.
constexpr std::size_t most_folded = 4;

/// A piece of several tasks that takes less than this part of what they take alone has vectorised ones. Registers of
/// two double are not found out: half of the time is as easily the work's own.
constexpr double vectorised_part = 0.4;

std::uint32_t tasks_in(double nanoseconds, double of_task) noexcept {
  constexpr double most = 1 << 30;
  return static_cast<std::uint32_t>(std::clamp(nanoseconds / of_task, 1.0, most));
}

} // namespace

distribution::distribution(launch& work, std::size_t first, std::size_t last, share* shares, std::size_t threads,
                           group_cost cost, observation* observed)
    : m_launch(work), m_observed(observed), m_first(first), m_last(last), m_shares(shares),
      m_vectorised(cost.vectorised) {
  const std::size_t groups = last - first;
  // A task is one group, unless there are more groups than half a word can count.
  m_unit = groups / (std::numeric_limits<std::uint32_t>::max() / 2) + 1;
  const std::size_t count = (groups + m_unit - 1) / m_unit;
  m_grain = m_unit == 1 ? work.grain() : 1;
  m_run = tasks_of_register(m_grain);
  m_task_nanoseconds = cost.nanoseconds * static_cast<double>(m_unit);
  m_count = std::min(cost.vectorised ? std::max<std::size_t>(count / m_run, 1) : count, threads);
  const bool folds = m_unit == 1 && count % (2 * m_count) == 0 && count <= most_folded * m_count && work.parts() == 1 &&
                     !cost.vectorised && cost.nanoseconds >= worth_folding;
  m_fold = folds ? static_cast<std::uint32_t>(count / (2 * m_count)) : 0;
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < m_count; ++i) {
    const bool last_share = i + 1 == m_count;
    const auto even = static_cast<std::uint32_t>(count * (i + 1) / m_count);
    const std::size_t grain = count / m_count >= 8 * m_grain ? m_grain : cost.vectorised ? m_run : 1;
    const std::uint32_t end = last_share ? even : border_below(even, begin, grain);
    m_shares[i].range.store(tasks{begin, end}.word(), std::memory_order_relaxed);
    m_shares[i].task_nanoseconds.store(0, std::memory_order_relaxed);
    begin = end;
  }
  m_unfinished.store(count, std::memory_order_relaxed);
}

/// The last multiple of the grain that is not behind `task`; `task` itself if there is none above `lowest`.
std::uint32_t distribution::border_below(std::uint32_t task, std::uint32_t lowest, std::size_t grain) const noexcept {
  const std::size_t behind = (m_first + task) % grain;
  return behind < task - lowest ? task - static_cast<std::uint32_t>(behind) : task;
}

distribution::pace::pace(double nanoseconds, std::uint32_t run, bool vectorised) noexcept
    : m_task_nanoseconds(nanoseconds), m_run(run), m_vectorised(vectorised), m_finds_out(run > 1 && !vectorised) {
  if (nanoseconds > 0) {
    m_least = tasks_in(least_part, nanoseconds);
    m_most = tasks_in(first_piece, nanoseconds);
  }
}

std::uint32_t distribution::pace::of(std::uint32_t left) const noexcept {
  // At most a third of what is left: the last pieces are small enough to finish together.
  if (m_in_run != 0) {
    return 1;
  }
  std::uint32_t size = std::clamp(left / 3, m_least, m_most);
  if (m_vectorised || (is_curious() && left + 1 >= 2 * m_run)) {
    size = std::max(size, m_run);
  }
  return size < m_run ? size : size - size % m_run;
}

void distribution::pace::learn(std::uint32_t size, std::chrono::nanoseconds time, double start) noexcept {
  // The cost at the start is an estimate: at least a quarter of the time is that of the tasks.
  const double all = std::max(static_cast<double>(time.count()), 1.0);
  const double measured = std::max(all - start, all / 4) / static_cast<double>(size);
  if (m_in_run != 0) {
    m_vectorised = size == 1 && m_in_run < vectorised_part * measured;
    m_in_run = 0;
  } else if (is_curious() && size >= m_run) {
    m_in_run = measured < vectorised_part * m_alone ? measured : 0;
    m_finds_out = false;
  }
  if (size <= m_run / 4) {
    m_alone = measured;
  }
  // Cheap groups do not prove that the next ones are cheap.
  m_task_nanoseconds = m_vectorised ? measured : std::max(measured, m_task_nanoseconds / 4);
  m_least = tasks_in(std::max(least_part, 8 * start), m_task_nanoseconds);
  m_most = std::max(m_least, tasks_in(std::max(most_of_piece, 32 * start), m_task_nanoseconds));
}

/// A share that nobody begins with; m_count if all are taken.
std::size_t distribution::take_share(std::size_t preferred) noexcept {
  for (std::size_t i = 0; i < m_count; ++i) {
    const std::size_t candidate = (preferred + i) % m_count;
    if (!m_shares[candidate].taken.exchange(true, std::memory_order_relaxed)) {
      return candidate;
    }
  }
  return m_count;
}

bool distribution::take_piece(share& own, const pace& sizes, tasks& piece) noexcept {
  std::uint64_t word = own.range.load(std::memory_order_relaxed);
  for (;;) {
    const tasks left = tasks::of(word);
    if (left.size() == 0) {
      return false;
    }
    const std::uint32_t size = part_of(left.size(), sizes.of(left.size()));
    const std::uint32_t end = left.begin + size;
    piece = {left.begin, size == left.size() ? end : border_below(end, left.begin, m_grain)};
    if (own.range.compare_exchange_weak(word, tasks{piece.end, left.end}.word(), std::memory_order_acq_rel,
                                        std::memory_order_relaxed)) {
      return true;
    }
  }
}

/// Returns the share of which what is left takes longest at the pace of its last piece, and its word; m_count if
/// nothing is left. Those of which no piece is finished come first: they are the heaviest, or nobody runs them. Where
/// groups cost more and more, reductions on 16 threads took up to 1.35 times as long when the share with the most
/// groups was taken from.
std::size_t distribution::longest_share(std::size_t thief, std::uint64_t& word) const noexcept {
  constexpr float not_known = 1e15F;
  std::size_t victim = m_count;
  float longest = 0;
  for (std::size_t i = 1; i < m_count; ++i) {
    const std::size_t candidate = (thief + i) % m_count;
    const share& other = m_shares[candidate];
    const std::uint64_t found = other.range.load(std::memory_order_relaxed);
    const float of_task = other.task_nanoseconds.load(std::memory_order_relaxed);
    const float time = static_cast<float>(tasks::of(found).size()) * (of_task == 0 ? not_known : of_task);
    if (time != 0 && time >= longest) {
      victim = candidate;
      longest = time;
      word = found;
    }
  }
  return victim;
}

/// Moves half of another share to the thief's own, which is empty.
bool distribution::steal(std::size_t thief, const pace& sizes) noexcept {
  for (;;) {
    std::uint64_t word = 0;
    const std::size_t victim = longest_share(thief, word);
    if (victim == m_count) {
      return false;
    }
    const tasks left = tasks::of(word);
    const bool small = sizes.vectorised() && left.size() < 2 * m_grain;
    const std::uint32_t least = sizes.vectorised() ? std::max(sizes.least(), 2 * m_run - 1) : sizes.least();
    const std::uint32_t middle = left.size() <= least ? left.begin : left.begin + left.size() / 2;
    const tasks kept{left.begin, border_below(middle, left.begin, small ? m_run : m_grain)};
    if (m_shares[victim].range.compare_exchange_strong(word, kept.word(), std::memory_order_acq_rel,
                                                       std::memory_order_relaxed)) {
      m_shares[thief].task_nanoseconds.store(0, std::memory_order_relaxed);
      m_shares[thief].range.store(tasks{kept.end, left.end}.word(), std::memory_order_release);
      return true;
    }
  }
}

void distribution::run(tasks piece) noexcept {
  if (m_fold == 0) {
    run(m_first + std::size_t{piece.begin} * m_unit, std::min(m_first + std::size_t{piece.end} * m_unit, m_last));
    return;
  }
  while (piece.begin != piece.end) {
    const std::uint32_t half = piece.begin / m_fold;
    const std::uint32_t end = std::min(piece.end, (half + 1) * m_fold);
    const std::size_t place = half % 2 == 0 ? half / 2 : 2 * m_count - 1 - half / 2;
    const std::size_t begin = m_first + place * m_fold + piece.begin % m_fold;
    run(begin, begin + (end - piece.begin));
    piece.begin = end;
  }
}

void distribution::run(std::size_t begin, std::size_t end) noexcept {
  if (m_failed.load(std::memory_order_relaxed)) {
    return;
  }
  try {
    m_launch.run(begin, end);
  } catch (...) {
    if (!m_failed.exchange(true, std::memory_order_relaxed)) {
      m_error = std::current_exception(); // seen by the last participant through m_unfinished
    }
  }
}

/// Returns true for the one after whom none are left, if nobody expects the end.
bool distribution::count(std::uint64_t finished) noexcept {
  return finished != 0 && m_unfinished.fetch_sub(finished, std::memory_order_acq_rel) == finished;
}

bool distribution::participate(std::size_t preferred, std::size_t& groups) {
  groups = 0;
  const std::size_t mine = take_share(preferred);
  if (mine == m_count) {
    return false;
  }
  std::uint64_t finished = 0;
  bool last = false;
  pace sizes(m_task_nanoseconds, m_run, m_vectorised.load(std::memory_order_relaxed));
  const auto begin = std::chrono::steady_clock::now();
  auto before = begin;
  {
    [[maybe_unused]] const lane_counter counter(m_observed != nullptr ? m_observed->counts() : nullptr);
    do {
      tasks piece{};
      for (bool first = true; take_piece(m_shares[mine], sizes, piece); first = false) {
        if (!first) { // now that the line of the cache is here
          m_shares[mine].task_nanoseconds.store(static_cast<float>(sizes.task_nanoseconds()),
                                                std::memory_order_relaxed);
        }
        run(piece);
        finished += piece.size();
        groups += piece.size() * m_unit;
        const auto now = std::chrono::steady_clock::now();
        if (!m_failed.load(std::memory_order_relaxed)) { // else not all of the piece has run
          sizes.learn(piece.size(), now - before, m_launch.start_nanoseconds());
        }
        before = now;
      }
      if (sizes.vectorised()) {
        m_vectorised.store(true, std::memory_order_relaxed);
      }
      if (m_observed == nullptr) { // before a look at all other shares, which costs about a microsecond
        last = count(std::exchange(finished, 0));
      }
    } while (!last && steal(mine, sizes));
  }
  m_shares[mine].taken.store(false, std::memory_order_relaxed);
  if (m_observed != nullptr && finished != 0) { // now: when the last one has counted, nobody listens
    m_observed->ran(static_cast<std::uint64_t>(std::chrono::nanoseconds(begin.time_since_epoch()).count()), groups);
  }
  // Who has found nothing to take still counts what it ran; the last to count has seen all others' work.
  return last || count(finished);
}

} // namespace detail
LANEFOLD_END_NAMESPACE
