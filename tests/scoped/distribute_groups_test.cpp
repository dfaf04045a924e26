// SPDX-License-Identifier: Apache-2.0
/// distribute_groups: tiles of many shapes, nested to depth 4, against ids computed by hand.
#include "testing.hpp"

namespace {

template <class Strategy>
class distribute_groups_of : public ::testing::Test {};
TYPED_TEST_SUITE(distribute_groups_of, strategies, strategy_names);

TYPED_TEST(distribute_groups_of, tiles_that_do_not_divide_the_group) {
  lf::queue q;
  for (const std::size_t size : {1, 7, 32, 65, 256}) {
    for (const std::size_t tile : {1, 5, 16, 100}) {
      std::vector<std::uint32_t> seen(2 * size), place(2 * size);
      const lf::view<std::uint32_t> s(seen.data(), seen.size()), p(place.data(), place.size());
      q.parallel(lf::range<1>(2), lf::range<1>(size), how<TypeParam>(), [=](auto group) {
         lf::distribute_groups_and_wait(group, lf::range<1>(tile), [&](auto part) {
           const std::size_t rest = size - part.get_group_id(0) * tile;
           const bool right = part.get_local_range(0) == std::min(rest, tile) &&
                              part.get_group_linear_range() == (size + tile - 1) / tile &&
                              part.fence_scope == lf::memory_scope::sub_group;
           lf::distribute_items(part, [&](auto it) {
             const auto i = it.get_global_id(0);
             s[i] += right ? 1 : 1000;
             p[i] = lf::convert<std::uint32_t>(it.get_local_id(group, 0)) * 1000 +
                    lf::convert<std::uint32_t>(it.get_local_id(part, 0));
           });
         });
       }).wait();
      for (std::size_t i = 0; i < seen.size(); ++i) {
        ASSERT_EQ(seen[i], 1U) << size << ' ' << tile << ' ' << i;
        ASSERT_EQ(place[i], i % size * 1000 + i % size % tile) << size << ' ' << tile;
      }
    }
  }
}

TYPED_TEST(distribute_groups_of, the_library_divides_down_to_items) {
  lf::queue q;
  for (const std::size_t size : {1, 7, 40, 64, 100}) {
    std::vector<std::uint32_t> seen(size);
    const lf::view<std::uint32_t> s(seen.data(), seen.size());
    q.parallel(lf::range<1>(1), lf::range<1>(size), how<TypeParam>(), [=](auto group) {
       static_assert(decltype(group)::fence_scope == lf::memory_scope::work_group);
       lf::distribute_groups(group, [&](auto unit) {
         static_assert(decltype(unit)::fence_scope == lf::memory_scope::sub_group);
         lf::distribute_groups(unit, [&](auto single) {
           static_assert(decltype(single)::fence_scope == lf::memory_scope::work_item);
           lf::distribute_groups(single, [&](auto still) {
             static_assert(decltype(still)::fence_scope == lf::memory_scope::work_item);
             lf::distribute_items(still, [&](auto it) {
               s[it.get_global_id(0)] +=
                   lf::convert<std::uint32_t>(it.get_local_id(unit, 0) + it.get_local_id(group, 0));
             });
           });
         });
         lf::distribute_items(unit, [&](auto it) { s[it.get_global_id(0)] += 1000; });
       });
     }).wait();
    std::size_t unit = 0; // the size of the library's units, found from the second of them
    for (std::size_t i = 1; i < size && unit == 0; ++i) {
      unit = seen[i] == 1000 + i ? i : 0;
    }
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_EQ(seen[i], 1000 + i + (unit == 0 ? i : i % unit)) << size;
    }
  }
}

TYPED_TEST(distribute_groups_of, four_static_levels) {
  lf::queue q;
  std::vector<std::uint32_t> seen(2 * 128), path(2 * 128);
  const lf::view<std::uint32_t> s(seen.data(), seen.size()), p(path.data(), path.size());
  q.parallel(lf::range<1>(2), lf::static_range<128>(), how<TypeParam>(), [=](auto a) {
     lf::distribute_groups(a, lf::static_range<64>(), [&](auto b) {
       lf::distribute_groups(b, lf::static_range<24>(), [&](auto c) {
         lf::distribute_groups(c, lf::static_range<8>(), [&](auto d) {
           lf::distribute_items(d, [&](auto it) {
             const auto i = it.get_global_id(0);
             s[i] += 1;
             p[i] = static_cast<std::uint32_t>(((b.get_group_id(0) * 10 + c.get_group_id(0)) * 10 + d.get_group_id(0)) *
                                               100) +
                    lf::convert<std::uint32_t>(it.get_local_id(d, 0) + it.get_local_id(b, 0));
           });
         });
       });
     });
   }).wait();
  for (std::size_t i = 0; i < seen.size(); ++i) {
    ASSERT_EQ(seen[i], 1U);
    const std::size_t in_a = i % 128, in_b = in_a % 64, in_c = in_b % 24;
    ASSERT_EQ(path[i], (in_a / 64 * 100 + in_b / 24 * 10 + in_c / 8) * 100 + in_c % 8 + in_b) << i;
  }
}

/// No tile divides the group that it is a part of.
TYPED_TEST(distribute_groups_of, four_levels_of_tiles_that_do_not_divide) {
  lf::queue q;
  std::vector<std::uint32_t> seen(2 * 131), place(2 * 131);
  const lf::view<std::uint32_t> s(seen.data(), seen.size()), p(place.data(), place.size());
  q.parallel(lf::range<1>(2), lf::range<1>(131), how<TypeParam>(), [=](auto a) {
     lf::distribute_groups(a, lf::range<1>(50), [&](auto b) {
       lf::distribute_groups(b, lf::range<1>(21), [&](auto c) {
         lf::distribute_groups(c, lf::range<1>(10), [&](auto d) {
           lf::distribute_items(d, [&](auto it) {
             const auto i = it.get_global_id(0);
             s[i] += 1;
             p[i] = lf::convert<std::uint32_t>(it.get_local_id(a, 0)) * 1000000 +
                    lf::convert<std::uint32_t>(it.get_local_id(b, 0)) * 10000 +
                    lf::convert<std::uint32_t>(it.get_local_id(c, 0)) * 100 +
                    lf::convert<std::uint32_t>(it.get_local_id(d, 0));
           });
         });
       });
     });
   }).wait();
  for (std::size_t i = 0; i < seen.size(); ++i) {
    ASSERT_EQ(seen[i], 1U) << i;
    const std::size_t in_a = i % 131, in_b = in_a % 50, in_c = in_b % 21;
    ASSERT_EQ(place[i], in_a * 1000000 + in_b * 10000 + in_c * 100 + in_c % 10) << i;
  }
}

template <class Strategy>
class distribute_groups_of_planes : public ::testing::Test {};
TYPED_TEST_SUITE(distribute_groups_of_planes, strategies_2d, strategy_names);

TYPED_TEST(distribute_groups_of_planes, nested_tiles) {
  lf::queue q;
  for (const lf::range<2> size : {lf::range<2>(16, 16), lf::range<2>(7, 20), lf::range<2>(1, 9)}) {
    const lf::range<2> global = size * lf::range<2>(2, 1);
    std::vector<std::uint32_t> seen(global.size());
    const lf::view<std::uint32_t, 2> s(seen.data(), global);
    q.parallel(lf::range<2>(2, 1), size, how<TypeParam>(), [=](auto group) {
       lf::distribute_groups(group, lf::range<2>(5, 8), [&](auto outer) {
         lf::distribute_groups(outer, lf::static_range<2, 8>(), [&](auto inner) {
           lf::distribute_items(inner, [&](auto it) {
             const auto [row, column] = it.get_global_id();
             s[row][column] += lf::convert<std::uint32_t>(it.get_local_linear_id(outer)) * 100 +
                               lf::convert<std::uint32_t>(it.get_innermost_local_linear_id()) + 1;
           });
         });
       });
     }).wait();
    for (std::size_t y = 0; y < global[0]; ++y) {
      for (std::size_t x = 0; x < global[1]; ++x) {
        const std::size_t oy = y % size[0] % 5, ox = x % 8;
        const std::size_t width = std::min<std::size_t>(8, size[1] - x / 8 * 8);
        ASSERT_EQ(seen[y * global[1] + x], (oy * width + ox) * 100 + oy % 2 * width + ox + 1) << y << ' ' << x;
      }
    }
  }
}

#if !defined(LANEFOLD_CHECKED) // sanitizers see three dimensions in distribute_items_test.cpp
TYPED_TEST(distribute_groups_of_planes, three_dimensions) {
  lf::queue q;
  const lf::range<3> size(3, 6, 10);
  std::vector<std::uint32_t> seen(size.size());
  const lf::view<std::uint32_t, 3> s(seen.data(), size);
  q.parallel(lf::range<3>(1, 1, 1), size, how<TypeParam>(), [=](auto group) {
     lf::distribute_groups(group, lf::range<3>(2, 4, 8), [&](auto tile) {
       lf::distribute_groups(tile, [&](auto unit) {
         lf::distribute_items(unit, [&](auto it) {
           s[it.get_global_id()] += lf::convert<std::uint32_t>(it.get_local_linear_id(group)) + 1;
         });
       });
     });
   }).wait();
  for (std::size_t i = 0; i < seen.size(); ++i) {
    ASSERT_EQ(seen[i], i + 1);
  }
}

TYPED_TEST(distribute_groups_of_planes, three_static_dimensions) {
  lf::queue q;
  std::vector<std::uint32_t> seen(2 * 4 * 8);
  const lf::view<std::uint32_t, 3> s(seen.data(), {2, 4, 8});
  q.parallel(lf::range<3>(1, 1, 1), lf::static_range<2, 4, 8>(), how<TypeParam>(), [=](auto group) {
     lf::distribute_groups(group, lf::static_range<1, 2, 8>(), [&](auto tile) {
       lf::distribute_items(tile, [&](auto it) {
         s[it.get_global_id()] += lf::convert<std::uint32_t>(it.get_local_linear_id(group)) * 100 +
                                  lf::convert<std::uint32_t>(it.get_innermost_local_linear_id());
       });
     });
   }).wait();
  for (std::size_t i = 0; i < seen.size(); ++i) {
    ASSERT_EQ(seen[i], i * 100 + i % 16);
  }
}
#endif

TEST(single_item, runs_once_in_its_place) {
  lf::queue q;
  std::vector<int> order(8);
  int* const o = order.data();
  q.parallel(lf::range<1>(1), lf::range<1>(32), [=](auto group) {
     int at = 0;
     lf::single_item(group, [&] { o[at++] = 1; });
     lf::distribute_groups(group, lf::range<1>(16), [&](auto part) {
       lf::single_item_and_wait(part, [&] { o[at++] = 2; });
       lf::group_barrier(part);
     });
     lf::group_barrier(group, lf::memory_scope::device);
     lf::single_item_and_wait(group, [&] { o[at++] = 3; });
   }).wait();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 2, 3, 0, 0, 0, 0}));
}

TEST(scoped_groups, logical_and_physical_queries) {
  lf::queue q;
  bool good = false;
  q.parallel(lf::range<2>(3, 1), lf::range<2>(4, 8), how<lf::scalar>(), [&good](auto group) {
     if (group.get_group_id(0) == 2) {
       good = group.get_group_id() == lf::id<2>(2, 0) && group[0] == 2 && group.get_group_linear_id() == 2 &&
              group.get_group_range() == lf::range<2>(3, 1) && group.get_group_linear_range() == 3 &&
              group.get_logical_local_range() == lf::range<2>(4, 8) && group.get_logical_local_range(1) == 8 &&
              group.get_logical_local_linear_range() == 32 && group.get_physical_local_range() == lf::range<2>(1, 1) &&
              group.get_physical_local_linear_range() == 1 && group.get_physical_local_id() == lf::id<2>(0, 0) &&
              group.get_physical_local_linear_id() == 0 && group.leader() && group == group &&
              group.get_global_range() == lf::range<2>(12, 8) && group.get_max_local_range() == lf::range<2>(4, 8);
       lf::distribute_items(group, [&](lf::s_item<2> it) {
         good = good && group.get_local_id(it) == it.get_local_id(group) && it.get_global_range(1) == 8 &&
                it.get_global_linear_range() == 96 && it.get_local_range(group) == lf::range<2>(4, 8) &&
                it.get_innermost_local_linear_range() == 32 &&
                group.get_logical_local_linear_id(it) == it.get_innermost_local_linear_id();
       });
     }
   }).wait();
  EXPECT_TRUE(good);
}

TEST(launches, by_handler_queue_events_and_properties) {
  lf::queue q;
  std::vector<int> data(64);
  int* const d = data.data();
  const lf::event first = q.submit([&](lf::handler& h) {
    lf::local_accessor<int> shared(4, h);
    h.parallel<class named>(lf::range<1>(8), lf::range<1>(8), lf::property::work_group_size<8>{}, [=](auto group) {
      static_assert(lf::detail::is_static_range_v<std::remove_cvref_t<decltype(group.size())>>);
      shared[0] = 5;
      lf::distribute_items(group, [&](lf::s_item<1> it) { d[it.get_global_id(0)] = shared[0]; });
    });
  });
  const lf::event second =
      q.parallel(lf::range<1>(8), lf::range<1>(8), first, lf::property::walk(lf::walk_order::linear), [=](auto group) {
        lf::distribute_items(group, [&](lf::s_item<1> it) { d[it.get_global_id(0)] *= 2; });
      });
  q.parallel(lf::range<1>(8), lf::range<1>(8), std::vector<lf::event>{second}, [=](auto group) {
     lf::distribute_items(group, [&](lf::s_item<1> it) { d[it.get_global_id(0)] += 1; });
   }).wait();
  EXPECT_EQ(data, std::vector<int>(64, 11));
}

} // namespace
