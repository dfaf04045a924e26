// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/range_order.hpp>

#include <algorithm>
#include <chrono>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

/// Four lines of the cache in each of two arrays, whose addresses may differ by a power of two: caches of eight ways
/// hold them. Wider tiles of such columns took 20 times as long, narrower ones up to twice (docs/decisions/088).
constexpr std::size_t tile_width = 4;
constexpr std::size_t tile_rows = 64;

/// Rows of fewer places have their lines in the cache still when the next one begins.
constexpr std::size_t least_places = 32;
/// Rows of a segment of the first trials, which find kernels that go along rows: half of a line of floats, and more of
/// short rows, so that clocks do not count.
constexpr std::size_t least_rows = 8;
constexpr std::size_t least_of_segment = 2048;
/// Rows of a segment of the trials behind it: what is next to itself in memory is asked for ahead by the processor, and
/// tiles profit from that.
constexpr std::size_t most_rows = tile_rows;
/// And where launches are in tiles, as rows may cost much more.
constexpr std::size_t rows_of_check = 32;
/// A launch is at least so many times as long as its trial.
constexpr std::size_t launch_by_trial = 2;

/// A trial for tiles counts `for_tiles`, one against them -1, and these numbers decide, the latter for rows. Other
/// programs disturb trials, and one that says nothing costs nothing.
constexpr int for_tiles = 2;
constexpr int enough = 3;
constexpr int enough_for_rows = -8;
/// The first trials, of few rows, which kernels along rows do not pass twice.
constexpr int short_trials = 2;
/// Tiles must take less than this part of the time of rows.
constexpr double tiles_by_rows = 0.75;
/// One trial decides for rows where tiles take so many times as long, since another one would cost as much.
constexpr double clearly_slower = 1.2;
/// Columns of so many elements, or of a multiple, lie in few places of a cache: what is found for other ones does not
/// hold for these.
constexpr std::size_t few_cache_places = 128;
/// Launches that are so many times as large as that of the last trial have one, if that was for rows.
constexpr std::size_t same_size = 4;
/// Launches between two trials where the order is decided, as one was disturbed, or the program uses the kernel in
/// another way: at first, and at most.
constexpr std::uint32_t interval_of_tiles = 16;
constexpr std::uint32_t interval_of_rows = 64;
constexpr std::uint32_t longest_interval = 1024;

std::uint64_t now() noexcept {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

std::size_t short_segment(std::size_t places) noexcept {
  return std::max(least_rows, least_of_segment / std::max<std::size_t>(places, 1));
}

} // namespace

range_order::range_order(std::size_t rows, std::size_t places, order_findings* found) noexcept
    : m_rows(rows), m_places(places),
      m_found(places >= least_places && rows >= short_segment(places) * segments * launch_by_trial ? found : nullptr) {
  if (m_found != nullptr && places % few_cache_places == 0) {
    ++m_found;
  }
  choose();
}

void range_order::choose() noexcept {
  if (m_found == nullptr) {
    return;
  }
  const int score = m_found->score.load(std::memory_order_relaxed);
  m_rest_in_tiles = score > 0;
  m_segment_rows = 0;
  const bool decided = score == enough || score == enough_for_rows;
  if (!decided || is_time_for_a_trial(score)) {
    begin_trial(score);
  }
}

bool range_order::is_time_for_a_trial(int score) noexcept {
  const std::uint32_t launches = m_found->launches.load(std::memory_order_relaxed) + 1;
  m_found->launches.store(launches, std::memory_order_relaxed);
  const bool is_larger = m_rows * m_places / same_size >= m_found->size.load(std::memory_order_relaxed);
  return launches > m_found->interval.load(std::memory_order_relaxed) || (score == enough_for_rows && is_larger);
}

void range_order::begin_trial(int score) noexcept {
  m_segment_rows = short_segment(m_places);
  if (score > 0 || (score <= -short_trials && score != enough_for_rows)) {
    const std::size_t most =
        std::min(m_rows / (segments * launch_by_trial), score == enough ? rows_of_check : most_rows);
    m_segment_rows = std::max(m_segment_rows, most);
  }
  m_left.store(segments, std::memory_order_relaxed);
  for (segment& one : m_segments) {
    one.nanoseconds.store(0, std::memory_order_relaxed);
    one.left.store(segment_places(), std::memory_order_relaxed);
  }
}

/// Counts places of a segment that a thread has walked.
void range_order::note(std::size_t number, std::size_t places, std::uint64_t nanoseconds) noexcept {
  segment& of = m_segments[number];
  of.nanoseconds.fetch_add(nanoseconds, std::memory_order_relaxed);
  if (of.left.fetch_sub(places, std::memory_order_acq_rel) == places &&
      m_left.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    learn();
  }
}

/// Compares tiles with the rows at the same place of a line: the first segment may bring lines that the second one
/// finds, the third one those for the fourth. What costs more and more, or less and less, deceives one comparison only.
void range_order::learn() noexcept {
  double times[segments];
  for (std::size_t i = 0; i < segments; ++i) {
    times[i] = static_cast<double>(m_segments[i].nanoseconds.load(std::memory_order_relaxed));
  }
  const int before = m_found->score.load(std::memory_order_relaxed);
  int score = std::max(before - 1, enough_for_rows);
  if (times[1] < tiles_by_rows * times[3] && times[2] < tiles_by_rows * times[0]) {
    score = std::min((before == enough_for_rows ? 0 : before) + for_tiles, enough);
  } else if (before <= 0 && times[1] > clearly_slower * times[3] && times[2] > clearly_slower * times[0]) {
    score = enough_for_rows;
  }
  const std::uint32_t longer = std::min(2 * m_found->interval.load(std::memory_order_relaxed), longest_interval);
  m_found->interval.store(score == before   ? longer
                          : score == enough ? interval_of_tiles
                                            : interval_of_rows,
                          std::memory_order_relaxed);
  m_found->launches.store(0, std::memory_order_relaxed);
  m_found->size.store(m_rows * m_places, std::memory_order_relaxed);
  m_found->score.store(score, std::memory_order_relaxed);
}

bool range_walk::next() noexcept {
  if (m_at == m_band.end && m_segment != range_order::segments) {
    m_order.note(m_segment, m_at - m_from, now() - m_since);
    m_segment = range_order::segments;
  }
  if (m_at == m_last) {
    return false;
  }
  if (m_at == m_band.end) {
    enter_band();
  }
  m_strip = m_band.in_tiles ? next_tiles() : strip_of_rows(m_order.m_places, m_at, m_band.end);
  m_at += m_strip.size();
  return true;
}

/// Finds the band in which the next place lies, and its order.
void range_walk::enter_band() noexcept {
  const std::size_t places = m_order.m_places;
  const std::size_t in_trial = m_order.m_segment_rows;
  const std::size_t row = m_at / places;
  if (row < range_order::segments * in_trial) {
    m_segment = row / in_trial;
    m_from = m_at;
    m_since = now();
    enter_band(m_segment * in_trial, in_trial, range_order::is_in_tiles(m_segment));
  } else if (m_order.m_rest_in_tiles) {
    const std::size_t begin = range_order::segments * in_trial;
    enter_band(begin + (row - begin) / tile_rows * tile_rows, tile_rows, true);
  } else {
    enter_band(row, m_order.m_rows - row, false);
  }
}

void range_walk::enter_band(std::size_t row, std::size_t rows, bool in_tiles) noexcept {
  rows = std::min(rows, m_order.m_rows - row);
  m_band = {row, rows, std::min((row + rows) * m_order.m_places, m_last), in_tiles};
}

/// Returns the rest of a tile, or of one of its rows, or whole tiles, or the beginning of one. The tiles of a band are
/// numbered one after the other.
range_strip range_walk::next_tiles() const noexcept {
  const std::size_t places = m_order.m_places;
  const std::size_t left = m_band.end - m_at;
  const std::size_t place = m_at - m_band.row * places; // in the band
  const std::size_t begin = place / (tile_width * m_band.rows) * tile_width;
  const std::size_t width = std::min(tile_width, places - begin);
  const std::size_t in_tile = place - begin * m_band.rows;
  if (in_tile == 0 && left >= width * m_band.rows) {
    const bool all = left == (places - begin) * m_band.rows;
    const std::size_t end = all ? places : begin + left / (tile_width * m_band.rows) * tile_width;
    return {m_band.row, m_band.rows, begin, end, tile_width};
  }
  const std::size_t row = in_tile / width;
  const std::size_t x = in_tile - row * width;
  const bool whole = x == 0 && left >= width;
  return {m_band.row + row, whole ? std::min(m_band.rows - row, left / width) : 1, begin + x,
          begin + (whole ? width : std::min(x + left, width)), tile_width};
}

} // namespace detail
LANEFOLD_END_NAMESPACE
