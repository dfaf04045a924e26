// SPDX-License-Identifier: Apache-2.0
/// How the groups of a launch are handed out to threads.
#include "../../modules/execution/graph/src/executor_distribution.hpp"
#include "launches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <thread>
#include <utility>
#include <vector>

namespace lf = lanefold;
using launch_testing::busy;
using launch_testing::function_launch;
using lf::detail::distribution;

namespace {

TEST(distribution_test, more_groups_than_a_word_counts) {
  class counting_launch final : public lf::detail::launch {
  public:
    explicit counting_launch(std::size_t size)
        : launch(size, 1000, 0, lf::fiber_engine::automatic, typeid(counting_launch)) {}
    void run(std::size_t first, std::size_t last) override { groups += last - first; }
    std::atomic<std::size_t> groups{0};
  };
  for (const std::size_t size : {std::size_t{1} << 31, (std::size_t{1} << 33) + 12345, (std::size_t{1} << 40) - 1}) {
    counting_launch work(size + 7);
    distribution shared(work, 7, work.size(), 3);
    std::atomic<int> last{0};
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 3; ++t) {
      threads.emplace_back([&, t] {
        std::size_t groups = 0;
        last += shared.participate(t, groups);
      });
    }
    for (std::thread& t : threads) {
      t.join();
    }
    EXPECT_EQ(work.groups, size);
    EXPECT_EQ(last, 1);
  }
}

TEST(distribution_test, a_late_or_surplus_participant_finds_nothing) {
  std::atomic<int> runs{0};
  function_launch work(10, 1, [&](std::size_t) { ++runs; });
  distribution shared(work, 0, 10, 2);
  std::size_t groups = 0;
  EXPECT_TRUE(shared.participate(1, groups));
  EXPECT_EQ(groups, 10u);
  EXPECT_FALSE(shared.participate(0, groups));
  EXPECT_EQ(groups, 0u);
  EXPECT_EQ(runs, 10);
}

/// Writes down the pieces in which its groups are run.
class piecewise_launch final : public lf::detail::launch {
public:
  piecewise_launch(std::size_t size, std::size_t grain, std::chrono::nanoseconds of_group)
      : launch(size, grain, 0, lf::fiber_engine::automatic, typeid(piecewise_launch)), m_of_group(of_group) {}
  void run(std::size_t first, std::size_t last) override {
    pieces.push_back({first, last});
    busy(m_of_group * (last - first));
  }
  std::vector<std::pair<std::size_t, std::size_t>> pieces;

private:
  std::chrono::nanoseconds m_of_group;
};

TEST(distribution_test, heavy_groups_are_pieces_of_their_own) {
  piecewise_launch work(50, 64, std::chrono::microseconds(100)); // too few to find out whether they are vectorised
  distribution shared(work, 0, 50, 2);
  std::size_t groups = 0;
  EXPECT_TRUE(shared.participate(0, groups));
  EXPECT_EQ(work.pieces.size(), 50u);
}

TEST(distribution_test, a_few_heavy_groups_are_shared_from_both_ends) {
  piecewise_launch work(9, 1, std::chrono::microseconds(50));
  distribution shared(work, 1, 9, 4, {.nanoseconds = 50000});
  std::size_t groups = 0;
  EXPECT_TRUE(shared.participate(1, groups));
  EXPECT_EQ(groups, 8u);
  ASSERT_EQ(work.pieces.size(), 8u);
  using piece = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(work.pieces[0], piece(2, 3)); // the share of the second of four threads
  EXPECT_EQ(work.pieces[1], piece(7, 8));
  std::ranges::sort(work.pieces);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(work.pieces[i], piece(i + 1, i + 2));
  }
}

/// Its groups are as those of a loop over registers: up to sixteen that begin a piece together take as long as one.
class vectorised_launch final : public lf::detail::launch {
public:
  explicit vectorised_launch(std::size_t size)
      : launch(size, 64, 0, lf::fiber_engine::automatic, typeid(vectorised_launch)) {}
  void run(std::size_t first, std::size_t last) override {
    const std::size_t size = last - first;
    const std::size_t registers = size / 16 + size % 16;
    all_registers += registers;
    ++pieces;
    busy(std::chrono::microseconds(40) * registers);
  }
  std::size_t all_registers = 0;
  std::size_t pieces = 0;
};

TEST(distribution_test, heavy_vectorised_groups_run_in_whole_registers) {
  constexpr std::size_t size = 4096;
  std::size_t best = size;
  for (int i = 0; i < 5 && best > size / 16 + 64; ++i) { // other programs may take the time of a piece
    vectorised_launch work(size);
    distribution shared(work, 0, size, 2);
    std::size_t groups = 0;
    EXPECT_TRUE(shared.participate(0, groups));
    EXPECT_EQ(groups, size);
    EXPECT_GT(work.pieces, 32u);
    best = std::min(best, work.all_registers);
  }
  EXPECT_LE(best, size / 16 + 64) << "registers, of which " << size / 16 << " would do";
}

TEST(distribution_test, groups_that_are_known_to_be_vectorised_are_shared_in_registers) {
  for (const auto& [size, threads] : std::vector<std::pair<std::size_t, std::size_t>>{
           {5, 4}, {16, 4}, {17, 2}, {31, 2}, {100, 4}, {100, 16}, {250, 16}, {1000, 4}, {1000, 63}, {4096, 4}}) {
    vectorised_launch work(size);
    distribution shared(work, 0, size, threads, {.nanoseconds = 2500, .vectorised = true});
    EXPECT_EQ(shared.shares(), std::clamp<std::size_t>(size / 16, 1, threads));
    std::size_t groups = 0;
    EXPECT_TRUE(shared.participate(0, groups));
    EXPECT_EQ(groups, size);
    EXPECT_EQ(work.all_registers, size / 16 + size % 16) << size;
  }
}

/// Of a piece that fails the rest has not run.
TEST(distribution_test, a_launch_that_fails_is_not_taken_for_vectorised) {
  function_launch work(400, 64, [](std::size_t group) {
    busy(std::chrono::microseconds(40));
    if (group == 2) {
      throw 1;
    }
  });
  distribution shared(work, 0, work.size(), 2);
  std::size_t groups = 0;
  EXPECT_TRUE(shared.participate(0, groups));
  EXPECT_NE(shared.take_error(), nullptr);
  EXPECT_FALSE(shared.vectorised());
}

TEST(distribution_test, heavy_groups_that_are_not_vectorised_stay_pieces_of_their_own) {
  bool vectorised = true;
  for (int i = 0; i < 5 && vectorised; ++i) {
    piecewise_launch work(400, 64, std::chrono::microseconds(40));
    distribution shared(work, 0, work.size(), 2);
    std::size_t groups = 0;
    EXPECT_TRUE(shared.participate(0, groups));
    EXPECT_EQ(groups, 400u);
    vectorised = shared.vectorised();
    if (!vectorised) {
      const auto more_than_one = [](const auto& piece) { return piece.second - piece.first > 1; };
      EXPECT_LE(std::count_if(work.pieces.begin(), work.pieces.end(), more_than_one), 1) << "it finds out";
    }
  }
  EXPECT_FALSE(vectorised);
}

TEST(distribution_test, cheap_groups_run_in_few_pieces_that_keep_to_the_grain) {
  constexpr std::size_t size = 1'000'000;
  piecewise_launch work(size, 64, std::chrono::nanoseconds(0));
  distribution shared(work, 0, size, 3);
  std::size_t groups = 0;
  EXPECT_TRUE(shared.participate(0, groups));
  EXPECT_EQ(groups, size);
  EXPECT_LT(work.pieces.size(), 500u);
  EXPECT_EQ(work.pieces.front().second - work.pieces.front().first, 1u) << "nothing is known of the first group";
  for (const auto& [first, last] : work.pieces) {
    if (last - first >= 64 && last != size) {
      EXPECT_EQ(last % 64, 0u) << first << " to " << last;
    }
  }
}

TEST(distribution_test, what_is_known_of_a_group_decides_how_many_are_the_first_piece) {
  piecewise_launch work(100'000, 1, std::chrono::nanoseconds(0));
  distribution shared(work, 0, work.size(), 1, {.nanoseconds = 10});
  std::size_t groups = 0;
  EXPECT_TRUE(shared.participate(0, groups));
  EXPECT_EQ(work.pieces.front(), (std::pair<std::size_t, std::size_t>(0, 400))) << "four microseconds";
}

TEST(distribution_test, a_rest_that_is_worth_no_piece_goes_with_the_last_one) {
  piecewise_launch work(64, 1, std::chrono::nanoseconds(0));
  distribution shared(work, 0, work.size(), 2, {.nanoseconds = 65});
  std::size_t groups = 0;
  EXPECT_TRUE(shared.participate(0, groups));
  EXPECT_EQ(groups, 64u);
  EXPECT_EQ(work.pieces.front(), (std::pair<std::size_t, std::size_t>(0, 32)))
      << "two microseconds are 31 of a share of 32";
}

} // namespace
