// SPDX-License-Identifier: Apache-2.0
/// Hierarchical kernels: parallel_for_work_group, parallel_for_work_item, h_item, private_memory.
#include "testing.hpp"

namespace {

template <class Strategy>
class hierarchical_of : public ::testing::Test {};
TYPED_TEST_SUITE(hierarchical_of, strategies, strategy_names);

TYPED_TEST(hierarchical_of, physical_items) {
  lf::queue q;
  for (const std::size_t size : {1, 7, 32, 65, 256}) {
    std::vector<std::uint32_t> seen(3 * size);
    const lf::view<std::uint32_t> s(seen.data(), seen.size());
    q.submit([&](lf::handler& h) {
       h.parallel_for_work_group(lf::range<1>(3), lf::range<1>(size), how<TypeParam>(), [=](auto group) {
         const std::size_t shared = group.get_group_id(0) + 1; // one for the group
         group.parallel_for_work_item([&](auto it) {
           s[it.get_global_id(0)] += lf::convert<std::uint32_t>(it.get_local_id(0) + it.get_physical_local_id(0)) +
                                     static_cast<std::uint32_t>(shared * 1000 + it.get_local_range(0));
         });
       });
     }).wait();
    for (std::size_t i = 0; i < seen.size(); ++i) {
      ASSERT_EQ(seen[i], 2 * (i % size) + (i / size + 1) * 1000 + size);
    }
  }
}

TYPED_TEST(hierarchical_of, flexible_ranges) {
  lf::queue q;
  for (const std::size_t physical : {1, 8, 20}) {
    for (const std::size_t logical : {1, 5, 20, 50, 64}) {
      std::vector<std::uint32_t> seen(2 * logical), global(2 * logical);
      const lf::view<std::uint32_t> s(seen.data(), seen.size()), w(global.data(), global.size());
      q.submit([&](lf::handler& h) {
         h.parallel_for_work_group(lf::range<1>(2), lf::range<1>(physical), how<TypeParam>(), [=](auto group) {
           const std::size_t first = group.get_group_id(0) * logical;
           group.parallel_for_work_item(lf::range<1>(logical), [&](auto it) {
             const auto i = it.get_logical_local_id(0) + first;
             s[i] += lf::convert<std::uint32_t>(it.get_physical_local_id(0)) + 1;
             w[i] += lf::convert<std::uint32_t>(it.get_global_id(0));
           });
         });
       }).wait();
      for (std::size_t i = 0; i < seen.size(); ++i) {
        ASSERT_EQ(seen[i], i % logical % physical + 1) << physical << ' ' << logical;
        ASSERT_EQ(global[i], i / logical * physical + i % logical % physical) << physical << ' ' << logical;
      }
    }
  }
}

TYPED_TEST(hierarchical_of, without_a_work_group_size) {
  lf::queue q;
  std::vector<std::uint32_t> seen(64 * 16);
  const lf::view<std::uint32_t> s(seen.data(), seen.size());
  q.submit([&](lf::handler& h) {
     h.parallel_for_work_group(lf::range<1>(64), how<TypeParam>(), [=](auto group) {
       group.parallel_for_work_item(lf::range<1>(16), [&](auto it) {
         s[it.get_global_id(0)] += lf::convert<std::uint32_t>(it.get_local_id(0));
       });
       group.parallel_for_work_item([&](auto) { s[group.get_group_id(0) * 16] += 100; }); // one item
     });
   }).wait();
  for (std::size_t i = 0; i < seen.size(); ++i) {
    ASSERT_EQ(seen[i], i % 16 + (i % 16 == 0 ? 100 : 0));
  }
}

TYPED_TEST(hierarchical_of, private_memory_belongs_to_physical_items) {
  lf::queue q;
  std::vector<int> out(3 * 20);
  const lf::view<int> y(out.data(), out.size());
  q.submit([&](lf::handler& h) {
     h.parallel_for_work_group(lf::range<1>(3), lf::range<1>(20), how<TypeParam>(), [=](auto group) {
       lf::private_memory<int> own(group);
       group.parallel_for_work_item([&](auto it) { own(it) = 1; });
       group.parallel_for_work_item(lf::range<1>(50),
                                    [&](auto it) { own(it) += lf::convert<int>(it.get_local_id(0)); });
       group.parallel_for_work_item([&](auto it) { y[it.get_global_id(0)] = own(it); });
     });
   }).wait();
  for (int i = 0; i < 60; ++i) {
    const int l = i % 20;
    ASSERT_EQ(out[static_cast<std::size_t>(i)], 1 + l + (l + 20) + (l < 10 ? l + 40 : 0)) << i;
  }
}

template <class Strategy>
class hierarchical_of_planes : public ::testing::Test {};
TYPED_TEST_SUITE(hierarchical_of_planes, strategies_2d, strategy_names);

#if !defined(LANEFOLD_CHECKED) // nine loops: ten seconds with sanitizers, which see them below with static sizes
TYPED_TEST(hierarchical_of_planes, physical_and_logical_ranges) {
  lf::queue q;
  for (const lf::range<2> physical : {lf::range<2>(1, 1), lf::range<2>(3, 8), lf::range<2>(5, 20)}) {
    for (const lf::range<2> logical : {physical, lf::range<2>(2, 3), lf::range<2>(4, 33)}) {
      std::vector<std::uint32_t> seen(2 * logical.size());
      const lf::view<std::uint32_t, 2> s(seen.data(), {2 * logical[0], logical[1]});
      q.submit([&](lf::handler& h) {
         h.parallel_for_work_group(lf::range<2>(2, 1), physical, how<TypeParam>(), [=](auto group) {
           const std::size_t first = group.get_group_id(0) * logical[0];
           group.parallel_for_work_item(logical, [&](auto it) {
             const auto [row, column] = it.get_logical_local_id();
             const auto [y, x] = it.get_physical_local_id();
             s[row + first][column] += lf::convert<std::uint32_t>(y) * 100 + lf::convert<std::uint32_t>(x) + 1;
           });
         });
       }).wait();
      for (std::size_t i = 0; i < seen.size(); ++i) {
        const std::size_t y = i / logical[1] % logical[0] % physical[0], x = i % logical[1] % physical[1];
        ASSERT_EQ(seen[i], y * 100 + x + 1) << i;
      }
    }
  }
}
#endif

TYPED_TEST(hierarchical_of_planes, matrix_product_in_tiles) {
  constexpr std::size_t n = 24, tile = 8;
  lf::queue q;
  std::vector<double> a(n * n), b(n * n), c(n * n);
  for (std::size_t i = 0; i < n * n; ++i) {
    a[i] = static_cast<double>(mixed(i) % 9) - 4.0;
    b[i] = static_cast<double>(mixed(i + 1000) % 7) - 3.0;
  }
  const lf::range<2> all(n, n);
  const lf::view<const double, 2> va(a.data(), all), vb(b.data(), all);
  const lf::view<double, 2> vc(c.data(), all);
  q.submit([&](lf::handler& h) {
     h.parallel_for_work_group(
         lf::range<2>(n / tile, n / tile), lf::static_range<tile, tile>(), how<TypeParam>(), [=](auto group) {
           double memory_a[tile * tile], memory_b[tile * tile];
           const lf::view<double, 2> tile_a(memory_a, {tile, tile}), tile_b(memory_b, {tile, tile});
           lf::private_memory<double, 2> sum(group);
           group.parallel_for_work_item([&](auto it) { sum(it) = 0.0; });
           for (std::size_t first = 0; first < n; first += tile) {
             group.parallel_for_work_item([&](auto it) {
               const auto [row, column] = it.get_global_id();
               const auto [y, x] = it.get_local_id();
               tile_a[y][x] = va[row][first + x];
               tile_b[y][x] = vb[first + y][column];
             });
             group.parallel_for_work_item([&](auto it) {
               const auto [y, x] = it.get_local_id();
               auto of_tile = it.var(sum(it));
               for (std::size_t k = 0; k < tile; ++k) {
                 of_tile = lf::fma(tile_a[y][k], tile_b[k][x], of_tile);
               }
               sum(it) = of_tile;
             });
           }
           group.parallel_for_work_item([&](auto it) { vc[it.get_global_id()] = sum(it); });
         });
   }).wait();
  for (std::size_t i = 0; i < n * n; ++i) {
    double right = 0;
    for (std::size_t k = 0; k < n; ++k) {
      right += a[i / n * n + k] * b[k * n + i % n];
    }
    ASSERT_EQ(c[i], right) << i;
  }
}

TYPED_TEST(hierarchical_of_planes, static_sizes) {
  lf::queue q;
  std::vector<int> out(2 * 4 * 24);
  const lf::view<int, 2> y(out.data(), {8, 24});
  q.submit([&](lf::handler& h) {
     h.parallel_for_work_group(lf::range<2>(2, 1), lf::static_range<4, 24>(), how<TypeParam>(), [=](auto group) {
       const std::size_t first = group.get_group_id(0) * 4;
       group.parallel_for_work_item([&](auto it) { y[it.get_global_id()] = 1; });
       group.parallel_for_work_item(lf::static_range<2, 8>(), [&](auto it) {
         const auto [row, column] = it.get_local_id();
         y[row + first][column] += 10;
       });
       group.parallel_for_work_item(lf::static_range<8, 24>(), [&](auto it) { y[it.get_global_id()] += 100; });
     });
   }).wait();
  for (std::size_t i = 0; i < out.size(); ++i) {
    ASSERT_EQ(out[i], 201 + (i / 24 % 4 < 2 && i % 24 < 8 ? 10 : 0)) << i;
  }
}

TEST(hierarchical, as_in_the_specification) {
  lf::queue q;
  std::vector<int> out(64);
  int* const a = out.data();
  q.submit([&](lf::handler& h) {
     h.parallel_for_work_group<class listing>(lf::range<1>{64}, [=](lf::group<1> g) {
       int shared[16];
       g.parallel_for_work_item(lf::range<1>{16}, [&](lf::h_item<1> it) {
         const auto i = static_cast<int>(it.get_global_id(0));
         shared[it.get_local_id(0)] = i;
       });
       if (g.leader()) {
         int t = 0;
         for (const int each : shared) {
           t += each;
         }
         a[g.get_group_id(0)] = t;
       }
     });
   }).wait();
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(out[static_cast<std::size_t>(i)], 16 * 16 * i + 120);
  }
}

TEST(hierarchical, queries_of_h_items) {
  lf::queue q;
  bool good = true;
  q.submit([&](lf::handler& h) {
     h.parallel_for_work_group(lf::range<2>(2, 3), lf::range<2>(4, 5), how<lf::scalar>(), [&good](auto group) {
       group.parallel_for_work_item(lf::range<2>(8, 3), [&](lf::h_item<2> it) {
         const lf::id<2> logical = it.get_logical_local_id(), physical = it.get_physical_local_id();
         good = good && logical % lf::id<2>(4, 5) == physical && it.get_local() == it.get_logical_local() &&
                it.get_logical_local().get_id() == logical && it.get_physical_local().get_id() == physical &&
                it.get_physical_local().get_range() == lf::range<2>(4, 5) &&
                it.get_local_range() == lf::range<2>(8, 3) && it.get_logical_local_range(0) == 8 &&
                it.get_physical_local_range(1) == 5 && it.get_global_range() == lf::range<2>(8, 15) &&
                it.get_global().get_id() == it.get_global_id() && it.get_global_range(1) == 15 &&
                it.get_global_id(1) == group.get_group_id(1) * 5 + physical[1];
       });
     });
   }).wait();
  EXPECT_TRUE(good);
}

} // namespace
