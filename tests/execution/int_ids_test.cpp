// SPDX-License-Identifier: Apache-2.0
/// Index spaces on both sides of the limit up to which loops over work-items count in int: the last work-items of
/// launches that are too large to run get their ids.
#include <lanefold/lanefold.hpp>

#include <gtest/gtest.h>

#include <climits>
#include <cstddef>
#include <vector>

namespace {

namespace lf = lanefold;
using namespace lf::detail;

constexpr std::size_t beyond = std::size_t{1} << 33;

/// Sizes of which the last ids are the greatest that loops in int have, and the smallest that they have not.
const std::size_t sizes[] = {1000, most_int_base, most_int_base + 1, std::size_t{INT_MAX} + 1, beyond};

TEST(int_ids, of_ranges) {
  for (const std::size_t size : sizes) {
    std::vector<std::size_t> seen;
    const auto run = make_launch<16>(lf::range<1>(size), launch_settings(), lf::properties{},
                                     [&](lf::item<1> it) { seen.push_back(it.get_id(0)); });
    run->run(run->size() - 100, run->size());
    ASSERT_EQ(seen.size(), 100U);
    for (std::size_t i = 0; i < 100; ++i) {
      ASSERT_EQ(seen[i], size - 100 + i) << size;
    }
  }
}

TEST(int_ids, of_ranges_of_two_dimensions) {
  for (const bool wide : {false, true}) {
    const lf::range<2> extents = wide ? lf::range<2>(3, beyond) : lf::range<2>(beyond, 3);
    std::vector<lf::id<2>> seen;
    const auto run =
        make_launch<16>(extents, launch_settings(), lf::properties{}, [&](lf::id<2> at) { seen.push_back(at); });
    run->run(run->size() - 5, run->size());
    ASSERT_EQ(seen.size(), 5U);
    EXPECT_EQ(seen.back(), lf::id<2>(extents[0] - 1, extents[1] - 1));
    EXPECT_EQ(seen.front(), wide ? lf::id<2>(2, beyond - 5) : lf::id<2>(beyond - 2, 1));
  }
}

TEST(int_ids, of_nd_ranges) {
  for (const std::size_t size : sizes) {
    const std::size_t groups = size / 64;
    std::vector<std::size_t> seen;
    const auto run =
        make_launch<16>(lf::nd_range<1>(groups * 64, 64), launch_settings(), lf::properties{}, [&](lf::nd_item<1> it) {
          ASSERT_EQ(it.get_global_id(0), it.get_group(0) * 64 + it.get_local_id(0));
          ASSERT_EQ(it.get_global_linear_id(), it.get_global_id()[0]);
          seen.push_back(it.get_global_id(0));
        });
    run->run(groups - 2, groups);
    ASSERT_EQ(seen.size(), 128U);
    for (std::size_t i = 0; i < 128; ++i) {
      ASSERT_EQ(seen[i], groups * 64 - 128 + i) << size;
    }
  }
}

TEST(int_ids, of_groups_of_one_and_of_three_dimensions) {
  std::vector<lf::id<3>> seen;
  const auto single = make_launch<16>(lf::nd_range<3>({2, 3, beyond}, {1, 1, 1}), launch_settings(), lf::properties{},
                                      [&](lf::nd_item<3> it) { seen.push_back(it.get_global_id()); });
  single->run(single->size() - 2, single->size());
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[1], lf::id<3>(1, 2, beyond - 1));
  seen.clear();
  const auto deep = make_launch<16>(lf::nd_range<3>({beyond, 2, 8}, {1, 1, 4}), launch_settings(), lf::properties{},
                                    [&](lf::nd_item<3> it) { seen.push_back(it.get_global_id()); });
  deep->run(deep->size() - 1, deep->size());
  ASSERT_EQ(seen.size(), 4U);
  EXPECT_EQ(seen[3], lf::id<3>(beyond - 1, 1, 7));
}

TEST(int_ids, barriers_beyond_int) {
  const std::size_t groups = beyond / 8;
  std::vector<std::size_t> seen;
  const auto run =
      make_launch<16>(lf::nd_range<1>(beyond, 8), launch_settings(), lf::properties{}, [&](lf::nd_item<1> it) {
        lf::group_barrier(it.get_group());
        seen.push_back(it.get_global_id(0));
      });
  run->run(groups - 3, groups);
  ASSERT_EQ(seen.size(), 24U);
  EXPECT_EQ(seen.front(), beyond - 24);
  EXPECT_EQ(seen.back(), beyond - 1);
}

TEST(int_ids, of_reductions) {
  for (const std::size_t size : sizes) {
    long sum = 0;
    std::size_t least = size, greatest = 0, calls = 0;
    const auto run = make_reduction_launch<16>(
        lf::range<1>(size), launch_settings(), lf::properties{},
        [&](lf::id<1> i, auto& total) {
          least = std::min(least, i[0]), greatest = std::max(greatest, i[0]), ++calls;
          total += 1;
        },
        lf::reduction(&sum, std::plus<>()));
    run->run(run->size() - 1, run->size());
    EXPECT_EQ(greatest, size - 1);
    EXPECT_EQ(least, size - calls);
  }
}

TEST(int_ids, offsets_beyond_int) {
  std::vector<std::size_t> seen;
  for (const std::size_t offset : {most_int_base - 64, most_int_base - 63, beyond}) {
    seen.clear();
    const auto run = make_launch<16>(lf::nd_range<1>(64, 16, offset), launch_settings(), lf::properties{},
                                     [&](lf::nd_item<1> it) { seen.push_back(it.get_global_id(0)); });
    run->run(3, 4);
    ASSERT_EQ(seen.size(), 16U);
    EXPECT_EQ(seen.front(), offset + 48);
    EXPECT_EQ(seen.back(), offset + 63);
  }
}

TEST(int_ids, offsets) {
  std::vector<int> seen(64, -1);
  lf::queue q;
  int* const at = seen.data();
  q.submit([&](lf::handler& h) {
     h.parallel_for(lf::nd_range<1>(64, 16, 1000), [=](lf::nd_item<1> it) {
       const int i = static_cast<int>(it.get_global_id(0));
       at[i - 1000] = i;
     });
   }).wait();
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(seen[static_cast<std::size_t>(i)], 1000 + i);
  }
}

} // namespace
