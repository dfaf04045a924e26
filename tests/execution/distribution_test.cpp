// SPDX-License-Identifier: Apache-2.0
/// How the groups of a launch are handed out to threads.
#include "../../modules/execution/graph/src/executor_distribution.hpp"
#include "launches.hpp"

#include <lanefold/execution/kernels.hpp>
#include <lanefold/execution/queue.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace lf = lanefold;
using launch_testing::busy;
using launch_testing::function_launch;

namespace {

struct has_shares {
  explicit has_shares(std::size_t threads) : own_shares(std::make_unique<lf::detail::distribution::share[]>(threads)) {}
  std::unique_ptr<lf::detail::distribution::share[]> own_shares;
};
/// Owns its shares, which launches take from their slot.
class distribution : has_shares, public lf::detail::distribution {
public:
  distribution(lf::detail::launch& work, std::size_t first, std::size_t last, std::size_t threads,
               lf::detail::group_cost cost = {})
      : has_shares(threads), lf::detail::distribution(work, first, last, own_shares.get(), threads, cost) {}
};

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

constexpr lf::detail::group_cost heavy{.nanoseconds = 200000};
using groups_in_order = std::vector<std::size_t>;

/// Returns the groups in the order in which one participant runs them that begins with share `preferred`.
groups_in_order order_of_groups(std::size_t first, std::size_t count, std::size_t preferred,
                                const lf::detail::group_cost& cost = heavy) {
  piecewise_launch work(first + count, 1, std::chrono::microseconds(10));
  distribution shared(work, first, first + count, 4, cost);
  std::size_t groups = 0;
  EXPECT_TRUE(shared.participate(preferred, groups));
  EXPECT_EQ(groups, count);
  groups_in_order order;
  for (const auto& [begin, end] : work.pieces) {
    for (std::size_t group = begin; group != end; ++group) {
      order.push_back(group);
    }
  }
  groups_in_order sorted = order;
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(sorted.at(i), first + i);
  }
  return order;
}

TEST(distribution_test, a_few_heavy_groups_are_shared_from_both_ends) {
  const auto share = [](groups_in_order order, std::size_t size) {
    order.resize(size);
    return order;
  };
  EXPECT_EQ(share(order_of_groups(1, 8, 1), 2), (groups_in_order{2, 7})); // the second of four shares
  EXPECT_EQ(share(order_of_groups(0, 16, 3), 4), (groups_in_order{6, 7, 8, 9}));
  EXPECT_EQ(share(order_of_groups(0, 16, 0), 4), (groups_in_order{0, 1, 14, 15}));
}

TEST(distribution_test, other_groups_are_shared_as_neighbours) {
  EXPECT_EQ(order_of_groups(0, 8, 0)[1], 7U);
  EXPECT_EQ(order_of_groups(0, 8, 0, {})[1], 1U);                     // nothing is known
  EXPECT_EQ(order_of_groups(0, 8, 0, {.nanoseconds = 30000})[1], 1U); // not heavy
  EXPECT_EQ(order_of_groups(0, 8, 0, {.nanoseconds = 200000, .vectorised = true})[1], 1U);
  EXPECT_EQ(order_of_groups(0, 9, 0)[1], 1U);  // not as many for each thread
  EXPECT_EQ(order_of_groups(0, 12, 0)[2], 2U); // nor in two halves
  EXPECT_EQ(order_of_groups(0, 24, 0)[1], 1U); // many
}

TEST(distribution_test, thieves_run_heavy_groups_once) {
  for (int round = 0; round < 20; ++round) {
    std::vector<std::atomic<int>> runs(16);
    function_launch work(16, 1, [&](std::size_t group) {
      ++runs[group];
      busy(std::chrono::microseconds(10 * group));
    });
    distribution shared(work, 0, 16, 8, heavy);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 3; ++t) {
      threads.emplace_back([&, t] {
        std::size_t groups = 0;
        shared.participate(2 * t, groups);
      });
    }
    for (std::thread& t : threads) {
      t.join();
    }
    for (const std::atomic<int>& each : runs) {
      EXPECT_EQ(each, 1);
    }
  }
}

TEST(distribution_test, a_heavy_group_that_fails_is_the_last_one_to_begin) {
  std::atomic<int> runs{0};
  function_launch work(8, 1, [&](std::size_t group) {
    ++runs;
    if (group == 7) {
      throw 1;
    }
  });
  distribution shared(work, 0, 8, 4, heavy);
  std::size_t groups = 0;
  EXPECT_TRUE(shared.participate(0, groups));
  EXPECT_NE(shared.take_error(), nullptr);
  EXPECT_EQ(runs, 2); // groups 0 and 7
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

/// The thread that waits has finished its groups before a worker, long before or at about the same time, and is told of
/// what the worker threw.
TEST(distribution_test, the_last_groups_of_a_worker_are_waited_for) {
  using namespace std::chrono_literals;
  for (const bool in_order : {true, false}) {
    lf::queue q = in_order ? lf::queue(lf::property_list{lf::property::in_order(), lf::property::threads(2)})
                           : lf::queue(lf::property::threads(2));
    const std::thread::id host = std::this_thread::get_id();
    int failures = 0;
    int expected = 0;
    for (int round = 0; round < 300; ++round) {
      const auto longer = round % 3 == 0 ? 0us : round % 3 == 1 ? 10us : 100us;
      std::atomic<int> runs{0}, by_worker{0};
      const bool fails = round % 5 == 0;
      try {
        q.parallel_for(lf::nd_range<1>(2, 1), [&](lf::nd_item<1>) {
          const bool is_worker = std::this_thread::get_id() != host;
          const auto end = std::chrono::steady_clock::now() + 10us + (is_worker ? longer : 0us);
          while (std::chrono::steady_clock::now() < end) {
          }
          ++runs;
          if (is_worker && fails) {
            ++by_worker;
            throw std::runtime_error("a worker's");
          }
        });
        q.wait_and_throw();
      } catch (const std::exception&) {
        ++failures;
      }
      expected += by_worker != 0 ? 1 : 0;
      ASSERT_TRUE(runs == 2 || by_worker != 0) << round;
      ASSERT_EQ(failures, expected) << round;
    }
  }
}

} // namespace
