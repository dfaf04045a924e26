// SPDX-License-Identifier: Apache-2.0
/// The order of ranges: rows or tiles, whatever was faster.
#include "thrown.hpp"

#include <lanefold/execution.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace lf = lanefold;

namespace {

using lf::detail::order_findings;
using lf::detail::range_order;
using lf::detail::range_strip;
using lf::detail::range_walk;

constexpr int decided = 3; // of order_findings::score
constexpr int trials = 2;  // that decide

/// Holds what launches find out: of rows of most lengths, and of those of which columns lie in few places of a cache.
using all_findings = order_findings[2];

/// Makes launches of a kernel walk in tiles, as if trials had found that.
void decide_for_tiles(all_findings& of, std::size_t size) {
  for (order_findings& found : of) {
    found.score = decided;
    found.interval = 1000;
    found.size = size;
  }
}

/// Calls `visit(strip)` for the strips of places [first, last).
template <class Visit>
void walk(range_order& order, std::size_t first, std::size_t last, const Visit& visit) {
  range_walk all(order, first, last);
  while (all.next()) {
    visit(all.strip());
  }
}

bool is_in_tiles(const range_strip& strip, std::size_t places) { return strip.width < places; }

/// Walks pieces of random sizes and counts how often each place was visited.
std::vector<int> visits(range_order& order, std::size_t rows, std::size_t places, std::mt19937& random) {
  std::vector<int> seen(rows * places);
  for (std::size_t first = 0; first < seen.size();) {
    const std::size_t most = random() % 3 == 0 ? 9 : 5 * places;
    const std::size_t last = std::min(seen.size(), first + 1 + random() % most);
    std::size_t walked = 0;
    walk(order, first, last, [&](const range_strip& strip) {
      walked += strip.size();
      EXPECT_LE(strip.end, places);
      for (std::size_t row = strip.row; row < strip.row + strip.rows; ++row) {
        for (std::size_t x = strip.begin; x < strip.end; ++x) {
          ++seen.at(row * places + x);
        }
      }
    });
    EXPECT_EQ(walked, last - first);
    first = last;
  }
  return seen;
}

TEST(range_order, visits_each_place_once) {
  std::mt19937 random(5);
  for (const auto& [rows, places] : {std::pair<std::size_t, std::size_t>{513, 35},
                                     {64, 32},
                                     {100, 1},
                                     {1, 100},
                                     {130, 33},
                                     {2048, 34},
                                     {70, 257},
                                     {64, 5},
                                     {129, 4096},
                                     {600, 8}}) {
    for (const bool tiles : {false, true}) {
      all_findings found;
      if (tiles) {
        decide_for_tiles(found, rows * places);
        found[0].interval = found[1].interval = 1; // then a trial, and tiles behind what it compares
      }
      for (int round = 0; round < 4; ++round) {
        range_order order(rows, places, found);
        ASSERT_EQ(visits(order, rows, places, random), std::vector<int>(rows * places, 1))
            << rows << " rows of " << places << (tiles ? ", in tiles" : "");
      }
    }
  }
}

TEST(range_order, is_that_of_rows_where_nobody_finds_out) {
  range_order order(1000, 1000, nullptr);
  EXPECT_EQ(order.chosen(), range_order::kind::rows);
  std::vector<range_strip> strips;
  walk(order, 500, 4250, [&](const range_strip& strip) { strips.push_back(strip); });
  ASSERT_EQ(strips.size(), 3U);
  EXPECT_EQ(strips[0].begin, 500U);
  EXPECT_EQ(strips[1].rows, 3U);
  EXPECT_EQ(strips[2].end, 250U);
}

TEST(range_order, finds_nothing_out_where_rows_are_few_or_short) {
  all_findings found;
  EXPECT_EQ(range_order(63, 1000, found).chosen(), range_order::kind::rows);
  EXPECT_EQ(range_order(64, 1000, found).chosen(), range_order::kind::trial);
  EXPECT_EQ(range_order(100000, 31, found).chosen(), range_order::kind::rows);
  EXPECT_EQ(range_order(0, 0, found).chosen(), range_order::kind::rows);
  EXPECT_EQ(range_order(0, 100, found).chosen(), range_order::kind::rows);
  EXPECT_EQ(range_order(100, 0, found).chosen(), range_order::kind::rows);
}

/// Runs a launch whose rows or tiles take long.
range_order::kind run_launch(all_findings& found, bool tiles_are_slow, std::size_t rows = 64) {
  constexpr std::size_t places = 500;
  range_order order(rows, places, found);
  walk(order, 0, rows * places, [&](const range_strip& strip) {
    if (is_in_tiles(strip, places) == tiles_are_slow) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  });
  return order.chosen();
}

/// Runs such launches until one has that order; returns how many had another one. (Other programs may disturb trials.)
int launches_before(range_order::kind wanted, all_findings& found, bool tiles_are_slow) {
  int others = 0;
  while (run_launch(found, tiles_are_slow) != wanted) {
    if (++others == 40) {
      ADD_FAILURE() << "no launch has the order";
      break;
    }
  }
  return others;
}

TEST(range_order, follows_what_is_faster) {
  using kind = range_order::kind;
  all_findings columns;
  EXPECT_GE(launches_before(kind::tiles, columns, false), trials);

  all_findings rows;
  EXPECT_GE(launches_before(kind::rows, rows, true), 1);
  EXPECT_EQ(run_launch(rows, true, 64 * 3), kind::rows);
  EXPECT_EQ(run_launch(rows, true, 64 * 8), kind::trial) << "much larger";
}

TEST(range_order, is_found_out_anew_from_time_to_time) {
  using kind = range_order::kind;
  all_findings found;
  decide_for_tiles(found, 64 * 500);
  found[0].interval = 4;
  for (int launch = 0; launch < 4; ++launch) {
    EXPECT_EQ(run_launch(found, false), kind::tiles);
  }
  EXPECT_EQ(run_launch(found, false), kind::trial);
  EXPECT_GT(found[0].interval.load(), 4U) << "longer and longer";
  launches_before(kind::tiles, found, false);
  found[0].launches = 1000; // now the program has come to use the kernel in another way
  EXPECT_GE(launches_before(kind::rows, found, true), 1);
  found[0].launches = 1000; // and back
  EXPECT_GE(launches_before(kind::tiles, found, false), trials);
}

TEST(range_order, is_that_of_rows_where_accessors_overlap) {
  constexpr std::size_t n = 128;
  lf::queue q;
  const auto explained = [&](lf::buffer<int, 2> from, lf::buffer<int, 2> to) {
    setenv("LANEFOLD_EXPLAIN", "1", 1);
    testing::internal::CaptureStderr();
    lf::queue told;
    unsetenv("LANEFOLD_EXPLAIN");
    told.submit([&](lf::handler& h) {
      const auto a = from.get_access<lf::access_mode::read>(h);
      const auto b = to.get_access<lf::access_mode::read_write>(h);
      h.parallel_for(lf::range<2>(n, n), [=](lf::id<2> i) { b[{i[1], i[0]}] += a[{i[1], i[0]}]; });
    });
    told.wait();
    return testing::internal::GetCapturedStderr();
  };
  lf::buffer<int, 2> x{lf::range<2>(n, n)}, y{lf::range<2>(n, n)};
  q.submit([&](lf::handler& h) { h.fill(x.get_access<lf::access_mode::write>(h), 1); });
  q.submit([&](lf::handler& h) { h.fill(y.get_access<lf::access_mode::write>(h), 1); });
  for (int launch = 0; launch < 6; ++launch) {
    explained(x, y);
    EXPECT_EQ(explained(x, x).find("in tiles"), std::string::npos);
  }
  EXPECT_EQ(x.get_host_access()[1][2], 64);
}

TEST(range_order, of_columns_in_few_places_of_a_cache_is_found_out_by_itself) {
  order_findings found[2];
  decide_for_tiles(found, 0);
  found[0].score = 0;
  EXPECT_EQ(range_order(1000, 1000, found).chosen(), range_order::kind::trial);
  EXPECT_EQ(range_order(1000, 1024, found).chosen(), range_order::kind::tiles);
}

TEST(range_order, is_that_of_tiles_behind_a_trial_if_others_were_for_them) {
  constexpr std::size_t rows = 400, places = 65;
  for (const int score : {0, 1, decided}) {
    all_findings found;
    found[0].score = score;
    range_order order(rows, places, found);
    ASSERT_EQ(order.chosen(), range_order::kind::trial);
    bool in_tiles = false;
    walk(order, 0, rows * places, [&](const range_strip& strip) { in_tiles = is_in_tiles(strip, places); });
    EXPECT_EQ(in_tiles, score > 0) << score;
  }
}

/// Launches a transposition until its order is decided, and beyond.
template <int D>
void transpose_often(const lf::range<D>& extents) {
  const std::size_t last = extents[D - 1];
  const std::size_t others = extents.size() / last;
  std::vector<unsigned> from(extents.size()), to(extents.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    from[i] = static_cast<unsigned>(i) * 2654435761U;
  }
  lf::queue q;
  for (int launch = 0; launch < 12; ++launch) {
    std::fill(to.begin(), to.end(), 0U);
    q.parallel_for(extents, [=, in = from.data(), out = to.data()](lf::item<D> it) {
       const std::size_t row = it.get_linear_id() / last;
       out[it[D - 1] * others + row] = in[it.get_linear_id()] + 1;
     }).wait();
    for (std::size_t i = 0; i < from.size(); ++i) {
      ASSERT_EQ(to[i % last * others + i / last], from[i] + 1) << i << " in launch " << launch;
    }
  }
}

TEST(range_order, does_not_change_results) {
  transpose_often<2>({512, 512});
  transpose_often<2>({2000, 33});
  transpose_often<3>({9, 65, 130});
  transpose_often<4>({3, 4, 33, 127});
}

TEST(range_order, is_chosen_for_each_replay_of_a_graph) {
  constexpr std::size_t n = 400;
  std::vector<int> counts(n * n);
  lf::queue q;
  namespace graph = lf::ext::oneapi::experimental;
  graph::command_graph recorded(q);
  recorded.add([&](lf::handler& h) {
    h.parallel_for(lf::range<2>(n, n), [=, out = counts.data()](lf::id<2> i) { ++out[i[1] * n + i[0]]; });
  });
  auto replay = recorded.finalize();
  constexpr int launches = 10;
  for (int i = 0; i < launches; ++i) {
    q.ext_oneapi_graph(replay).wait();
  }
  EXPECT_EQ(counts, std::vector<int>(n * n, launches));
}

/// Takes time where a thread has called it for more work-items of one row than a tile has.
void wait_in_long_rows(std::size_t row) {
  static thread_local std::size_t last = 0;
  static thread_local int of_row = 0;
  of_row = row == last ? of_row + 1 : 1;
  last = row;
  if (of_row > 4) {
    std::atomic<int> k = 0; // so that the loop stays
    while (++k < 300) {
    }
  }
}

TEST(range_order, is_explained) {
  setenv("LANEFOLD_EXPLAIN", "1", 1);
  testing::internal::CaptureStderr();
  lf::queue q;
  for (int launch = 0; launch < 12; ++launch) {
    q.parallel_for<class quick_in_tiles>(lf::range<2>(256, 128), [](lf::id<2> i) { wait_in_long_rows(i[0]); }).wait();
  }
  unsetenv("LANEFOLD_EXPLAIN");
  const std::string text = testing::internal::GetCapturedStderr();
  const bool in_tiles = text.find("; in tiles, in which earlier launches were faster") != std::string::npos;
  EXPECT_EQ(in_tiles, !lf::detail::checked_build) << text; // which walk row by row
}

TEST(range_order, names_the_work_item_that_fails) {
  constexpr std::size_t n = 300;
  lf::queue q;
  std::vector<float> to(n * n);
  for (int launch = 0; launch < 8; ++launch) {
    const auto run = [&](bool fails) {
      q.parallel_for(lf::range<2>(n, n), [=, out = to.data()](lf::id<2> i) {
         if (fails && i == lf::id<2>(217, 123)) {
           throw std::runtime_error("no luck");
         }
         out[i[1] * n + i[0]] = 1;
       }).wait();
    };
    run(false);
    const std::string text = text_thrown_by([&] { run(true); });
    EXPECT_NE(text.find("work-item (217, 123)"), std::string::npos) << text;
  }
}

} // namespace
