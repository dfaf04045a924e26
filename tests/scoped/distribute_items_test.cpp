// SPDX-License-Identifier: Apache-2.0
/// distribute_items over work-groups of many sizes: every item once, with the right ids.
#include "testing.hpp"

namespace {

template <class Strategy>
class distribute_items_of : public ::testing::Test {};
TYPED_TEST_SUITE(distribute_items_of, strategies, strategy_names);

TYPED_TEST(distribute_items_of, one_dimension) {
  lf::queue q;
  for (const std::size_t size : {1, 7, 16, 32, 65, 256, 1024}) {
    constexpr std::size_t groups = 3;
    std::vector<std::uint32_t> seen(groups * size), local(groups * size);
    const lf::view<std::uint32_t> s(seen.data(), seen.size()), l(local.data(), local.size());
    q.parallel(lf::range<1>(groups), lf::range<1>(size), how<TypeParam>(), [=](auto group) {
       lf::distribute_items(group, [&](auto it) {
         const auto i = it.get_global_id(0);
         s[i] += 1 + lf::convert<std::uint32_t>(it.get_global_linear_id()) * 2;
         l[i] = lf::convert<std::uint32_t>(it.get_local_id(group, 0)) * 3 +
                lf::convert<std::uint32_t>(it.get_innermost_local_id(lf::dim<0>));
       });
     }).wait();
    for (std::size_t i = 0; i < seen.size(); ++i) {
      ASSERT_EQ(seen[i], 1 + 2 * i) << size;
      ASSERT_EQ(local[i], 4 * (i % size)) << size;
    }
  }
}

TYPED_TEST(distribute_items_of, spelled_items_run_one_by_one) {
  lf::queue q;
  std::vector<int> seen(3 * 50);
  int* const s = seen.data();
  q.parallel(lf::range<1>(3), lf::range<1>(50), how<TypeParam>(), [=](auto group) {
     lf::distribute_items_and_wait(group, [&](lf::s_item<1> it) {
       s[it.get_global_id(0)] += static_cast<int>(it.get_local_id(group, 0) + it.get_global_range(0));
     });
   }).wait();
  for (std::size_t i = 0; i < seen.size(); ++i) {
    ASSERT_EQ(seen[i], static_cast<int>(i % 50 + 150));
  }
}

TYPED_TEST(distribute_items_of, divergent_control_flow) {
  lf::queue q;
  std::vector<int> out(100);
  const lf::view<int> v(out.data(), out.size());
  q.parallel(lf::range<1>(1), lf::range<1>(100), how<TypeParam>(), [=](auto group) {
     lf::distribute_items(group, [&](auto it) {
       const auto i = it.get_global_id(0);
       auto n = it.var(0);
       it.for_(0, lf::convert<int>(i % 7), [&](auto) { ++n; });
       it.if_(n == 3, [&] { v[i] = n * 10; }, [&] { v[i] = n; });
     });
   }).wait();
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(out[static_cast<std::size_t>(i)], i % 7 == 3 ? 30 : i % 7);
  }
}

TYPED_TEST(distribute_items_of, other_logical_ranges) {
  lf::queue q;
  for (const std::size_t items : {1, 5, 16, 40, 1000}) {
    std::vector<std::uint32_t> seen(4 * items);
    const lf::view<std::uint32_t> s(seen.data(), seen.size());
    q.parallel(lf::range<1>(4), lf::range<1>(16), how<TypeParam>(), [=](auto group) {
       lf::distribute_items(group, lf::range<1>(items), [&](auto it) {
         s[it.get_global_id(0)] += lf::convert<std::uint32_t>(it.get_local_id(group, 0)) + 1;
       });
     }).wait();
    for (std::size_t i = 0; i < seen.size(); ++i) {
      ASSERT_EQ(seen[i], i % items + 1) << items;
    }
  }
}

TYPED_TEST(distribute_items_of, static_logical_ranges) {
  lf::queue q;
  std::vector<std::uint32_t> seen(4 * 24 + 4 * 100);
  const lf::view<std::uint32_t> s(seen.data(), seen.size());
  q.parallel(lf::range<1>(4), lf::static_range<16>(), how<TypeParam>(), [=](auto group) {
     lf::distribute_items(group, lf::static_range<24>(), [&](auto it) { s[it.get_global_id(0)] += 1; });
     lf::distribute_items(group, lf::static_range<100>(), [&](auto it) { s[it.get_global_id(0) + 96] += 1; });
   }).wait();
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1U), static_cast<std::ptrdiff_t>(seen.size()));
}

template <class Strategy>
class distribute_items_of_planes : public ::testing::Test {};
TYPED_TEST_SUITE(distribute_items_of_planes, strategies_2d, strategy_names);

TYPED_TEST(distribute_items_of_planes, two_dimensions) {
  lf::queue q;
  for (const lf::range<2> size :
       {lf::range<2>(1, 1), lf::range<2>(3, 8), lf::range<2>(5, 7), lf::range<2>(16, 16), lf::range<2>(2, 33)}) {
    const lf::range<2> groups(2, 3), global = groups * size;
    std::vector<std::uint32_t> seen(global.size());
    const lf::view<std::uint32_t, 2> s(seen.data(), global);
    q.parallel(groups, size, how<TypeParam>(), [=](auto group) {
       lf::distribute_items(group, [&](auto it) {
         const auto [row, column] = it.get_global_id();
         s[row][column] += lf::convert<std::uint32_t>(it.get_local_linear_id(group)) * 5 + 1;
       });
     }).wait();
    for (std::size_t y = 0; y < global[0]; ++y) {
      for (std::size_t x = 0; x < global[1]; ++x) {
        ASSERT_EQ(seen[y * global[1] + x], (y % size[0] * size[1] + x % size[1]) * 5 + 1) << y << ' ' << x;
      }
    }
  }
}

TYPED_TEST(distribute_items_of_planes, two_static_dimensions) {
  lf::queue q;
  std::vector<std::uint32_t> seen(12 * 16), ids(12 * 16);
  const lf::view<std::uint32_t, 2> s(seen.data(), {12, 16}), l(ids.data(), {12, 16});
  q.parallel(lf::range<2>(2, 2), lf::static_range<6, 8>(), how<TypeParam>(), [=](auto group) {
     lf::distribute_items(group, [&](auto it) {
       const auto [row, column] = it.get_global_id();
       s[row][column] += 1;
       l[row][column] = lf::convert<std::uint32_t>(it.get_innermost_local_linear_id());
     });
   }).wait();
  for (std::size_t i = 0; i < seen.size(); ++i) {
    ASSERT_EQ(seen[i], 1U) << i;
    ASSERT_EQ(ids[i], i / 16 % 6 * 8 + i % 8) << i;
  }
}

/// A shape of two rows of four: groups with rows of four run by it, longer rows of a static size by as many lanes.
TEST(distribute_items_of_shapes, static_rows_of_other_lengths) {
  lf::queue q;
  std::vector<int> sums(3 * 20), runs(3);
  const lf::view<int, 2> s(sums.data(), {3, 20});
  const lf::view<int> of(runs.data(), 3);
  const auto shape = how<lf::simd<2, 4>>();
  q.parallel(lf::range<2>(1, 1), lf::static_range<2, 4>(), shape, [=](auto group) {
     int square = 0;
     int whole = 0;
     int rest = 0;
     lf::distribute_items(group,
                          [&](auto it) { square += static_cast<int>(it.get_sub_group().get_max_local_range()[0]); });
     lf::distribute_items_and_wait(group, lf::static_range<3, 16>(), [&](auto it) {
       whole += static_cast<int>(it.get_sub_group().get_max_local_range()[0]);
       s[it.get_global_id(0)][it.get_global_id(1)] += 1;
     });
     lf::distribute_items(group, lf::static_range<3, 20>(), [&](auto it) {
       rest += static_cast<int>(it.get_sub_group().get_local_range()[0]);
       s[it.get_global_id(0)][it.get_global_id(1)] += 10;
     });
     lf::single_item(group, [&] {
       of[0] = square;
       of[1] = whole;
       of[2] = rest;
     });
   }).wait();
  EXPECT_EQ(runs, (std::vector<int>{8, 6 * 8, 3 * 20})); // one unit; two for each row; all items once
  for (std::size_t i = 0; i < sums.size(); ++i) {
    EXPECT_EQ(sums[i], i % 20 < 16 ? 11 : 10) << i;
  }
}

TYPED_TEST(distribute_items_of_planes, three_dimensions) {
  lf::queue q;
  const lf::range<3> groups(2, 1, 2), size(3, 5, 8), global = groups * size;
  std::vector<std::uint32_t> seen(global.size());
  const lf::view<std::uint32_t, 3> s(seen.data(), global);
  q.parallel(groups, size, how<TypeParam>(), [=](auto group) {
     lf::distribute_items(
         group, [&](auto it) { s[it.get_global_id()] += lf::convert<std::uint32_t>(it.get_global_linear_id()); });
   }).wait();
  for (std::size_t i = 0; i < seen.size(); ++i) {
    ASSERT_EQ(seen[i], i);
  }
}

} // namespace
