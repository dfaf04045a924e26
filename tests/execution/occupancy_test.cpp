// SPDX-License-Identifier: Apache-2.0
// The tables of Intel's guide "Thread Hierarchy and Mapping" for Tiger Lake, line by line.
#include <lanefold/exception.hpp>
#include <lanefold/execution/occupancy.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace lf = lanefold;

namespace {

const lf::occupancy_limits& tgl() { return lf::occupancy_limits_of("TGL"); }

TEST(occupancy, a_device_has_the_threads_of_the_table) {
  EXPECT_EQ(tgl().threads(), 672u);
  EXPECT_EQ(tgl().threads_per_sub_slice, 112u);
}

/// "Occupancy": VectorAdd2 of 1 to 48 groups of 512 work-items, sub-groups of 32, no barrier. The guide cuts some of
/// its percentages off and rounds others.
TEST(occupancy, groups_without_a_barrier_share_the_device) {
  struct line {
    std::size_t groups;
    std::size_t full_rounds;
    double percent;
  };
  const line lines[] = {{1, 0, 2.4},   {2, 0, 4.8},   {3, 0, 7.1},   {4, 0, 9.5},   {5, 0, 11.9},
                        {6, 0, 14.3},  {7, 0, 16.7},  {8, 0, 19.0},  {12, 0, 28.6}, {16, 0, 38.1},
                        {20, 0, 47.7}, {24, 0, 57.1}, {28, 0, 66.7}, {32, 0, 76.2}, {36, 0, 85.7},
                        {40, 0, 95.2}, {42, 1, 0},    {44, 1, 4.7},  {48, 1, 14.3}};
  for (const line& expected : lines) {
    const lf::occupancy_result found = lf::occupancy(tgl(), {512, 32, expected.groups});
    EXPECT_EQ(found.threads_per_group, 16u);
    EXPECT_EQ(found.full_rounds, expected.full_rounds) << expected.groups;
    EXPECT_NEAR(100 * found.last_occupancy, expected.percent, 0.1) << expected.groups;
    EXPECT_DOUBLE_EQ(found.round_occupancy, 1);
  }
  const lf::occupancy_result many = lf::occupancy(tgl(), {512, 32, 53760});
  EXPECT_EQ(many.full_rounds, 1280u);
  EXPECT_DOUBLE_EQ(many.last_occupancy, 0);
}

/// "Utilization for various configurations": groups of 128 R work-items, sub-groups of 8, a barrier.
TEST(occupancy, groups_with_a_barrier_stay_on_a_sub_slice) {
  struct line {
    std::size_t rows, threads, groups;
    double utilisation, occupancy;
  };
  const line lines[] = {{1, 16, 7, 14.3, 100}, {2, 32, 3, 28.6, 85.7}, {3, 48, 2, 42.9, 85.7}, {4, 64, 1, 57.1, 57.1}};
  for (const line& expected : lines) {
    const lf::occupancy_result found =
        lf::occupancy(tgl(), {.work_group_size = 128 * expected.rows, .sub_group_size = 8, .barrier = true});
    EXPECT_EQ(found.threads_per_group, expected.threads);
    EXPECT_EQ(found.groups_per_sub_slice, expected.groups);
    EXPECT_NEAR(100 * found.utilisation, expected.utilisation, 0.1);
    EXPECT_NEAR(100 * found.sub_slice_occupancy, expected.occupancy, 0.1);
    EXPECT_NEAR(100 * found.round_occupancy, expected.occupancy, 0.1);
  }
  try {
    lf::occupancy(tgl(), {.work_group_size = 640, .sub_group_size = 8, .barrier = true});
    FAIL() << "640 work-items fit";
  } catch (const lf::exception& e) {
    EXPECT_EQ(e.code(), lf::errc::nd_range);
    EXPECT_NE(std::string(e.what()).find("1 to 512"), std::string::npos);
  }
}

/// "Configurations to ensure full occupancy": 8 to 64 threads, sub-groups of 8 to 32; without a barrier 7 threads do,
/// which the guide leaves out because it counts by powers of two.
TEST(occupancy, sizes_that_fill_a_sub_slice) {
  const auto fills = [](const lf::occupancy_launch& launch, std::size_t threads, std::size_t size) {
    const auto all = lf::full_occupancy_choices(tgl(), launch);
    return std::any_of(all.begin(), all.end(), [&](const lf::occupancy_choice& c) {
      return c.threads_per_group == threads && c.sub_group_size == size && c.work_group_size == threads * size;
    });
  };
  const lf::occupancy_launch plain{};
  for (const std::size_t size : {8u, 16u, 32u}) {
    for (const std::size_t threads : {8u, 16u, 64u}) {
      EXPECT_EQ(fills(plain, threads, size), threads * size <= 512) << threads << " threads of " << size;
    }
    EXPECT_FALSE(fills(plain, 6, size));
    EXPECT_TRUE(fills(plain, 7, size));
  }
  const lf::occupancy_launch barrier{.work_group_size = 0, .sub_group_size = 0, .barrier = true};
  EXPECT_TRUE(fills(barrier, 16, 8));
  EXPECT_TRUE(fills(barrier, 28, 16));
  EXPECT_FALSE(fills(barrier, 32, 8));
  // 7 groups of 16 threads, each with 16 KiB: a sub-slice holds 4.
  EXPECT_FALSE(fills({.work_group_size = 0, .sub_group_size = 0, .local_memory_bytes = 16 << 10}, 16, 8));
  EXPECT_TRUE(fills({.work_group_size = 0, .sub_group_size = 0, .local_memory_bytes = 16 << 10}, 28, 16));
}

TEST(occupancy, local_memory_limits_groups) {
  const lf::occupancy_result found =
      lf::occupancy(tgl(), {.work_group_size = 128, .sub_group_size = 8, .local_memory_bytes = 20 << 10});
  EXPECT_EQ(found.groups_per_sub_slice, 3u);
  EXPECT_THROW(lf::occupancy(tgl(), {.work_group_size = 128, .sub_group_size = 8, .local_memory_bytes = 65 << 10}),
               lf::exception);
}

TEST(occupancy, what_a_device_lacks_is_named) {
  const auto message = [](auto call) {
    try {
      call();
    } catch (const lf::exception& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  EXPECT_NE(message([] { lf::occupancy_limits_of("nonsense"); }).find("there are: tgl"), std::string::npos);
  EXPECT_NE(message([] { lf::occupancy(tgl(), {128, 4}); }).find("8, 16, 32"), std::string::npos);
  EXPECT_NE(message([] { lf::occupancy(tgl(), {128, 8, ~std::size_t{0}}); }).find("more than can be counted"),
            std::string::npos);
  EXPECT_NE(message([] { lf::occupancy(tgl(), {0, 8}); }).find("1 to 512"), std::string::npos);
}

} // namespace
