// SPDX-License-Identifier: Apache-2.0
/// The loop over work-items with policies of the library's strategies, and with one that is brought along: a kind of
/// unit that the loop does not know.
#include <lanefold/lanefold.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace lf = lanefold;
using lf::detail::row_part;

namespace {

/// Says which work-items were run, in their order, and by which units.
struct run_items {
  std::vector<std::size_t> positions; ///< row-major
  std::vector<unsigned> units;
};

// ---- a third kind of unit

/// A policy whose units are two rows high and as long as the row: what runs them gets a whole tile at once.
struct tiles_of_two_rows {
  static constexpr std::size_t rows = 2;
  static constexpr unsigned units_of_row(std::size_t) { return 1; }

  template <class Visitor>
  static void run(const row_part& part, const Visitor& visitor) {
    visitor.tile(part.rows, part.begin, part.end);
  }
};

/// A kernel that is noted down, not run: for each unit one line.
template <int D>
struct noting_visitor {
  std::vector<std::string>& lines;
  const lf::id<D>& first;
  unsigned unit;

  void tile(std::size_t rows, std::size_t begin, std::size_t end) const {
    std::string line = std::to_string(unit) + ":";
    for (int d = 0; d < D - 1; ++d) {
      line += " " + std::to_string(first[d]);
    }
    lines.push_back(line + ", " + std::to_string(rows) + " rows of [" + std::to_string(begin) + ", " +
                    std::to_string(end) + ")");
  }
};

template <int D>
std::vector<std::string> lines_of_group(const lf::range<D>& local) {
  std::vector<std::string> lines;
  lf::detail::walk_group<tiles_of_two_rows>(local, [&](const lf::id<D>& first, unsigned unit, const row_part& part) {
    tiles_of_two_rows::run(part, noting_visitor<D>{lines, first, unit});
    return true;
  });
  return lines;
}

TEST(lane_loop, runs_a_policy_of_others_over_groups) {
  EXPECT_EQ(lines_of_group(lf::range<1>(7)), std::vector<std::string>({"0:, 1 rows of [0, 7)"}));
  EXPECT_EQ(lines_of_group(lf::range<2>(5, 3)),
            std::vector<std::string>({"0: 0, 2 rows of [0, 3)", "1: 2, 2 rows of [0, 3)", "2: 4, 1 rows of [0, 3)"}));
  EXPECT_EQ(lines_of_group(lf::range<3>(2, 2, 4)),
            std::vector<std::string>({"0: 0 0, 2 rows of [0, 4)", "1: 1 0, 2 rows of [0, 4)"}));
  EXPECT_EQ(lines_of_group(lf::range<4>(2, 1, 3, 1)),
            std::vector<std::string>({"0: 0 0 0, 2 rows of [0, 1)", "1: 0 0 2, 1 rows of [0, 1)",
                                      "2: 1 0 0, 2 rows of [0, 1)", "3: 1 0 2, 1 rows of [0, 1)"}));
}

TEST(lane_loop, runs_a_policy_of_others_over_ranges) {
  std::vector<std::string> lines;
  lf::id<2> row;
  lf::detail::walk_range<1>(lf::range<2>(4, 10), 7, 23, row, [&](const row_part& part) {
    tiles_of_two_rows::run(part, noting_visitor<2>{lines, row, 0});
  });
  EXPECT_EQ(lines,
            std::vector<std::string>({"0: 0, 1 rows of [7, 10)", "0: 1, 1 rows of [0, 10)", "0: 2, 1 rows of [0, 3)"}));
}

TEST(lane_loop, ends_a_group_where_it_is_told) {
  std::vector<unsigned> units;
  lf::detail::walk_group<tiles_of_two_rows>(lf::range<2>(20, 3), [&](const auto&, unsigned unit, const row_part&) {
    units.push_back(unit);
    return unit != 2;
  });
  EXPECT_EQ(units, std::vector<unsigned>({0, 1, 2}));
}

// ---- those of the library

/// Notes the work-items of each unit.
template <class Lanes, int D>
struct item_visitor {
  run_items& run;
  const lf::range<D>& extents;
  const lf::id<D>& first;
  unsigned unit;
  std::size_t last_item; ///< after this position nothing is to be visited

  [[nodiscard]] bool goes_on() const { return run.positions.empty() || run.positions.back() < last_item; }

  void full(std::size_t x, unsigned number) const { note(x, unit + number, Lanes::size); }
  void partial(std::size_t x, unsigned number, std::size_t count) const {
    EXPECT_LT(count, Lanes::size);
    EXPECT_GT(count, 0U);
    note(x, unit + number, count);
  }
  void item(std::size_t x, std::size_t) const { note(x, unit + static_cast<unsigned>(x), 1); }

  void note(std::size_t x, unsigned number, std::size_t count) const {
    lf::id<D> at = first;
    at[D - 1] = x;
    const std::size_t position = lf::detail::linear_id(at, extents);
    for (std::size_t i = 0; i < count; ++i) { // the rows of lanes are rows of the group
      run.positions.push_back(position + i);
      run.units.push_back(number);
    }
  }
};

template <class Policy, class Lanes, int D>
run_items run_group(const lf::range<D>& local, std::size_t last_item = ~std::size_t{0}) {
  run_items run;
  lf::detail::walk_group<Policy>(local, [&](const lf::id<D>& first, unsigned unit, const row_part& part) {
    const item_visitor<Lanes, D> visitor{run, local, first, unit, last_item};
    Policy::run(part, visitor);
    return visitor.goes_on();
  });
  return run;
}

/// Expects that each work-item is run once, in order, by the unit that unit_layout says.
template <class Policy, class Lanes, int D>
void expect_all(const lf::range<D>& local) {
  const run_items run = run_group<Policy, Lanes>(local);
  const lf::detail::unit_layout<D> layout(local, Lanes::rows, Lanes::columns);
  ASSERT_EQ(run.positions.size(), local.size());
  std::size_t at = 0;
  for (unsigned unit = 0; unit < layout.size(); ++unit) {
    const auto origin = layout.origin(unit);
    for (std::size_t i = 0; i < origin.lanes; ++i, ++at) {
      ASSERT_EQ(run.positions[at], lf::detail::linear_id(origin.local, local) + i);
      ASSERT_EQ(run.units[at], unit);
    }
  }
  EXPECT_EQ(at, local.size());
}

template <class Policy, class Lanes>
void expect_all_groups() {
  expect_all<Policy, Lanes>(lf::range<1>(1));
  expect_all<Policy, Lanes>(lf::range<1>(65));
  expect_all<Policy, Lanes>(lf::range<2>(5, 7));
  expect_all<Policy, Lanes>(lf::range<2>(3, 32));
  expect_all<Policy, Lanes>(lf::range<3>(2, 3, 17));
  expect_all<Policy, Lanes>(lf::range<4>(2, 3, 2, 9));
}

TEST(lane_loop, runs_all_work_items_once_and_in_order) {
  expect_all_groups<lf::detail::items_one_by_one<int>, lf::scalar>();
  expect_all_groups<lf::detail::items_one_by_one<std::size_t>, lf::scalar>();
  expect_all_groups<lf::detail::items_in_blocks<4, int>, lf::scalar>();
  expect_all_groups<lf::detail::items_in_blocks<1, std::size_t>, lf::scalar>();
  expect_all_groups<lf::detail::items_told_independent, lf::scalar>();
  expect_all_groups<lf::detail::units_of_lanes<lf::simd<8>>, lf::simd<8>>();
}

TEST(lane_loop, runs_lanes_in_rows) {
  using lanes = lf::simd<4, 8>;
  expect_all<lf::detail::units_of_lanes<lanes>, lanes>(lf::range<2>(8, 8));
  expect_all<lf::detail::units_of_lanes<lanes>, lanes>(lf::range<2>(7, 8));
  expect_all<lf::detail::units_of_lanes<lanes>, lanes>(lf::range<3>(3, 5, 8));
}

struct block_visitor {
  std::vector<std::size_t>& xs;
  std::vector<std::size_t>& lanes;

  static bool goes_on() { return true; }
  void item(std::size_t x, std::size_t lane) const {
    xs.push_back(x);
    lanes.push_back(lane);
  }
};

TEST(lane_loop, gives_the_items_of_a_block_positions) {
  std::vector<std::size_t> xs, lanes;
  lf::detail::items_in_blocks<4, int>::run({3, 13}, block_visitor{xs, lanes});
  EXPECT_EQ(xs, std::vector<std::size_t>({3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  EXPECT_EQ(lanes, std::vector<std::size_t>({0, 1, 2, 3, 0, 1, 2, 3, 0, 1}));
}

TEST(lane_loop, ends_a_row_where_the_visitor_does_not_go_on) {
  const lf::range<2> local(3, 20);
  const auto last_of = [](const run_items& run) { return run.positions.back(); };
  EXPECT_EQ(last_of(run_group<lf::detail::items_one_by_one<int>, lf::scalar>(local, 25)), 25U);
  EXPECT_EQ(last_of(run_group<lf::detail::items_in_blocks<8, int>, lf::scalar>(local, 25)), 25U);
  EXPECT_EQ(last_of(run_group<lf::detail::items_told_independent, lf::scalar>(local, 25)), 25U);
  EXPECT_EQ(last_of(run_group<lf::detail::units_of_lanes<lf::simd<8>>, lf::simd<8>>(local, 25)), 27U);
}

TEST(lane_loop, walks_the_pieces_of_ranges) {
  const lf::range<3> extents(2, 3, 10);
  constexpr std::size_t step = 4; // three places in a row, the last of two work-items
  for (std::size_t first = 0; first < 18; ++first) {
    for (std::size_t last = first + 1; last <= 18; ++last) {
      std::vector<std::size_t> expected, found;
      for (std::size_t place = first; place < last; ++place) {
        for (std::size_t x = place % 3 * step; x < std::min<std::size_t>(place % 3 * step + step, 10); ++x) {
          expected.push_back(place / 3 * 10 + x);
        }
      }
      lf::id<3> row;
      lf::detail::walk_range<step>(extents, first, last, row, [&](const row_part& part) {
        for (std::size_t x = part.begin; x < part.end; ++x) {
          found.push_back(lf::detail::linear_id(row, extents) + x);
        }
      });
      ASSERT_EQ(found, expected) << first << " to " << last;
    }
  }
}

} // namespace
