// SPDX-License-Identifier: Apache-2.0
/// The order in which a range of several dimensions is walked: row by row, or in tiles. Internal.
///
/// A kernel that goes through memory across the rows of its range, as a transposition does, meets another line of the
/// cache with each work-item of a row, and all of them again with the next row. Where rows are long, the lines are gone
/// by then: up to 37 ns a work-item for columns of floats, which take 0.4 in tiles of a few columns. But kernels that
/// go along rows lose their long loops in tiles, and a library cannot see which kind a kernel is. So some rows at the
/// beginning of a launch are walked both ways, and the launches behind it follow what was faster (docs/decisions/088).
#pragma once

#include <lanefold/fwd.hpp>
#include <lanefold/version.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Of `rows` rows from `row` on, counted over all planes, the places [begin, end), in tiles of `width` places each, of
/// which the last one may have fewer.
struct range_strip {
  std::size_t row;
  std::size_t rows;
  std::size_t begin;
  std::size_t end;
  std::size_t width;

  [[nodiscard]] constexpr std::size_t size() const noexcept { return rows * (end - begin); }
};

/// Returns the first strip of the places [first, last), in rows of `places` each: the rest of a row, whole rows, or the
/// beginning of one.
[[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr range_strip strip_of_rows(std::size_t places, std::size_t first,
                                                                         std::size_t last) noexcept {
  const std::size_t row = first / places;
  const std::size_t begin = first % places;
  const std::size_t left = last - first;
  const bool whole = begin == 0 && left >= places;
  return {row, whole ? left / places : 1, begin, whole ? places : std::min(begin + left, places), places};
}

/// Holds what launches of a kernel have found out about the order of their ranges. Hints, which threads may overwrite.
struct order_findings {
  std::atomic<int> score{0};              ///< trials for tiles, less those against them
  std::atomic<std::size_t> size{0};       ///< places of the launch of the last trial
  std::atomic<std::uint32_t> launches{0}; ///< in the order that is decided, since then
  std::atomic<std::uint32_t> interval{0}; ///< launches until the next trial
};

/// Chooses the order of one launch, and finds out which one is faster.
class range_order {
public:
  enum class kind : std::uint8_t { rows, tiles, trial };

  /// Of `rows` rows over all planes, of `places` places each. `found` is an array of two, for rows of different
  /// lengths, or null: then the order is that of rows.
  range_order(std::size_t rows, std::size_t places, order_findings* found) noexcept;

  /// Chooses the order of a run of the whole launch. No place of it runs.
  void choose() noexcept;
  [[nodiscard]] kind chosen() const noexcept {
    return m_segment_rows != 0 ? kind::trial : m_rest_in_tiles ? kind::tiles : kind::rows;
  }

private:
  friend class range_walk;

  /// Measures what a trial walks one way.
  struct segment {
    std::atomic<std::uint64_t> nanoseconds{0};
    std::atomic<std::size_t> left{0}; ///< places
  };
  /// Rows, tiles, tiles, rows.
  static constexpr std::size_t segments = 4;

  [[nodiscard]] static bool is_in_tiles(std::size_t number) noexcept { return number == 1 || number == 2; }
  [[nodiscard]] std::size_t segment_places() const noexcept { return m_segment_rows * m_places; }
  [[nodiscard]] bool is_time_for_a_trial(int score) noexcept;
  void begin_trial(int score) noexcept;
  void note(std::size_t number, std::size_t places, std::uint64_t nanoseconds) noexcept;
  void learn() noexcept;

  const std::size_t m_rows;
  const std::size_t m_places;
  order_findings* m_found;            ///< null: rows are too few or too short
  bool m_rest_in_tiles = false;       ///< all but what a trial compares is
  std::size_t m_segment_rows = 0;     ///< 0: there is no trial
  std::atomic<std::size_t> m_left{0}; ///< segments that have not run
  segment m_segments[segments];
};

/// Goes through places [first, last) of a range, numbered in its order, strip by strip.
class range_walk {
public:
  range_walk(range_order& order, std::size_t first, std::size_t last) noexcept
      : m_order(order), m_at(first), m_last(last), m_band{0, 0, first, false} {}

  /// Comes to the next strip. Returns whether there is one.
  bool next() noexcept;
  [[nodiscard]] const range_strip& strip() const noexcept { return m_strip; }

private:
  /// Rows that are walked one way.
  struct band {
    std::size_t row;  ///< the first one, and
    std::size_t rows; ///< how many they are; in tiles only
    std::size_t end;  ///< the place behind them, or behind the last place
    bool in_tiles;
  };

  void enter_band() noexcept;
  void enter_band(std::size_t row, std::size_t rows, bool in_tiles) noexcept;
  [[nodiscard]] range_strip next_tiles() const noexcept;

  range_order& m_order;
  std::size_t m_at; ///< the place behind the strip
  std::size_t m_last;
  band m_band;
  range_strip m_strip{};
  std::size_t m_segment = range_order::segments; ///< of a trial, timed since `m_since`, when `m_from` was next; or none
  std::size_t m_from = 0;
  std::uint64_t m_since = 0;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
