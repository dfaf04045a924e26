// SPDX-License-Identifier: Apache-2.0
#include "executor_distribution.hpp"

#include <algorithm>
#include <limits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

distribution::distribution(launch& work, std::size_t first, std::size_t last, std::size_t threads)
    : m_launch(work), m_first(first), m_last(last) {
  const std::size_t groups = last - first;
  // A task is one group, unless there are more groups than half a word can count.
  m_unit = groups / (std::numeric_limits<std::uint32_t>::max() / 2) + 1;
  const std::size_t count = (groups + m_unit - 1) / m_unit;
  const std::size_t grain = std::clamp<std::size_t>(work.grain() / m_unit, 1, count);
  m_count = std::clamp<std::size_t>(count / grain, 1, threads);
  // Smaller pieces would not even out the threads' work any better.
  constexpr std::size_t pieces_per_thread = 64;
  m_grain = static_cast<std::uint32_t>(std::max(grain, count / (m_count * pieces_per_thread)));
  m_shares = std::make_unique<share[]>(m_count);
  for (std::size_t i = 0; i < m_count; ++i) {
    const tasks mine{static_cast<std::uint32_t>(count * i / m_count),
                     static_cast<std::uint32_t>(count * (i + 1) / m_count)};
    m_shares[i].range.store(pack(mine), std::memory_order_relaxed);
  }
  m_unfinished.store(count, std::memory_order_relaxed);
}

bool distribution::has_work() const noexcept {
  return std::any_of(m_shares.get(), m_shares.get() + m_count,
                     [](const share& s) { return unpack(s.range.load(std::memory_order_relaxed)).size() != 0; });
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

bool distribution::take_piece(share& own, tasks& piece) noexcept {
  std::uint64_t word = own.range.load(std::memory_order_relaxed);
  for (;;) {
    const tasks left = unpack(word);
    if (left.size() == 0) {
      return false;
    }
    // A third of what is left: few pieces, and the last ones are small enough to finish together.
    const std::uint32_t size = std::min(std::max(left.size() / 3, m_grain), left.size());
    piece = {left.begin, left.begin + size};
    if (own.range.compare_exchange_weak(word, pack({piece.end, left.end}), std::memory_order_acq_rel,
                                        std::memory_order_relaxed)) {
      return true;
    }
  }
}

/// Moves half of the largest share to the thief's own, which is empty.
bool distribution::steal(std::size_t thief) noexcept {
  for (;;) {
    std::size_t victim = m_count;
    std::uint64_t word = 0;
    for (std::size_t i = 1; i < m_count; ++i) {
      const std::size_t candidate = (thief + i) % m_count;
      const std::uint64_t found = m_shares[candidate].range.load(std::memory_order_relaxed);
      if (unpack(found).size() > unpack(word).size()) {
        victim = candidate;
        word = found;
      }
    }
    if (victim == m_count) {
      return false;
    }
    const tasks left = unpack(word);
    const std::uint32_t size = left.size() <= m_grain ? left.size() : left.size() / 2;
    const tasks kept{left.begin, left.end - size};
    if (m_shares[victim].range.compare_exchange_strong(word, pack(kept), std::memory_order_acq_rel,
                                                       std::memory_order_relaxed)) {
      m_shares[thief].range.store(pack({kept.end, left.end}), std::memory_order_release);
      return true;
    }
  }
}

void distribution::run(tasks piece) noexcept {
  if (m_failed.load(std::memory_order_relaxed)) {
    return;
  }
  const std::size_t begin = m_first + std::size_t{piece.begin} * m_unit;
  const std::size_t end = std::min(m_first + std::size_t{piece.end} * m_unit, m_last);
  try {
    m_launch.run(begin, end);
  } catch (...) {
    if (!m_failed.exchange(true, std::memory_order_relaxed)) {
      m_error = std::current_exception(); // seen by the last participant through m_unfinished
    }
  }
}

bool distribution::participate(std::size_t preferred, std::size_t& groups) {
  groups = 0;
  const std::size_t mine = take_share(preferred);
  if (mine == m_count) {
    return false;
  }
  std::uint64_t finished = 0;
  do {
    tasks piece{};
    while (take_piece(m_shares[mine], piece)) {
      run(piece);
      finished += piece.size();
    }
  } while (steal(mine));
  m_shares[mine].taken.store(false, std::memory_order_relaxed);
  groups = finished * m_unit;
  // Who has found nothing to take still counts what it ran; the last to count has seen all others' work.
  return finished != 0 && m_unfinished.fetch_sub(finished, std::memory_order_acq_rel) == finished;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
