// SPDX-License-Identifier: Apache-2.0
/// Group algorithms in scoped and hierarchical kernels, outside and inside of the code of items.
#include "testing.hpp"

#include <lanefold/group_algorithms.hpp>

#include <array>
#include <functional>
#include <numeric>

namespace {

template <class Strategy>
class algorithms_of : public ::testing::Test {};
TYPED_TEST_SUITE(algorithms_of, strategies, strategy_names);

TYPED_TEST(algorithms_of, joint_algorithms_outside_of_items) {
  lf::queue q;
  std::vector<int> in(1000), scanned(2 * 1000), out(2 * 4), tiles(2);
  std::iota(in.begin(), in.end(), 1);
  const int* const x = in.data();
  int *const y = out.data(), *const s = scanned.data(), *const t = tiles.data();
  const auto compute = [=](const auto& group) {
    const std::size_t g = group.get_group_id(0);
    y[g * 4] = lf::joint_reduce(group, x, x + 1000, lf::plus<>());
    y[g * 4 + 1] = lf::joint_reduce(group, x, x + 10, 5, lf::plus<int>());
    y[g * 4 + 2] = lf::joint_any_of(group, x, x + 1000, [](auto v) { return v == 999; }) ? 1 : 0;
    lf::joint_inclusive_scan(group, x, x + 1000, s + g * 1000, lf::plus<>());
    y[g * 4 + 3] = lf::joint_all_of(group, x, x + 1000, [](auto v) { return v > 1; }) ? 1 : 0;
  };
  const auto check = [&] {
    EXPECT_EQ(out, (std::vector<int>{500500, 60, 1, 0, 500500, 60, 1, 0}));
    for (int i = 0; i < 2000; ++i) {
      const int n = i % 1000 + 1;
      ASSERT_EQ(scanned[static_cast<std::size_t>(i)], n * (n + 1) / 2);
    }
    std::fill(out.begin(), out.end(), 0);
    std::fill(scanned.begin(), scanned.end(), 0);
  };
  q.parallel(lf::range<1>(2), lf::range<1>(100), how<TypeParam>(), [=](auto group) {
     lf::distribute_groups(group, lf::range<1>(100), [&](auto tile) {
       t[group.get_group_id(0)] = lf::joint_reduce(tile, x, x + 1000, lf::plus<>());
     });
     compute(group);
   }).wait();
  EXPECT_EQ(tiles, std::vector<int>(2, 500500));
  check();
  q.submit([&](lf::handler& h) {
     h.parallel_for_work_group(lf::range<1>(2), lf::range<1>(100), how<TypeParam>(),
                               [=](auto group) { compute(group); });
   }).wait();
  check();
}

/// Runs algorithms on what the items of a group hold, 1, 2, 3, …, in private memory.
template <class Group, class Memory>
void reduce_and_scan(const Group& group, Memory& values, int* out) {
  const int n = static_cast<int>(values.size());
  const int total = n * (n + 1) / 2;
  int good = 0;
  good += lf::reduce_over_group(group, values, lf::plus<>()) == total;
  good += lf::reduce_over_group(group, values, 7, lf::plus<>()) == total + 7;
  good += lf::reduce_over_group(group, values, lf::maximum<>()) == n;
  good += lf::any_of_group(group, values, [=](auto x) { return x == n; });
  good += lf::all_of_group(group, values, [=](auto x) { return x <= n; });
  good += lf::none_of_group(group, values, [=](auto x) { return x > n; });
  good += lf::group_broadcast(group, values) == 1;
  good += lf::group_broadcast(group, values, static_cast<std::size_t>(n - 1)) == n;
  lf::inclusive_scan_over_group(group, values, lf::plus<>());
  good += values.begin()[n - 1] == total;
  lf::exclusive_scan_over_group(group, values, 100, lf::plus<>());
  good += values.begin()[0] == 100 && (n == 1 || values.begin()[1] == 101);
  *out = good;
}

TYPED_TEST(algorithms_of, values_in_private_memory) {
  lf::queue q;
  for (const std::size_t size : {1, 7, 32, 65, 256}) {
    std::vector<int> good(3);
    int* const out = good.data();
    q.parallel(lf::range<1>(3), lf::range<1>(size), how<TypeParam>(), [=](auto group) {
       lf::memory_environment(group, lf::require_private_mem<int>(), [&](auto& values) {
         lf::distribute_items(group, [&](auto it) { values(it) = lf::convert<int>(it.get_local_id(group, 0)) + 1; });
         reduce_and_scan(group, values, out + group.get_group_id(0));
       });
     }).wait();
    EXPECT_EQ(good, std::vector<int>(3, 10)) << size;
    std::fill(good.begin(), good.end(), 0);
    q.submit([&](lf::handler& h) {
       h.parallel_for_work_group(lf::range<1>(3), lf::range<1>(size), how<TypeParam>(), [=](auto group) {
         lf::private_memory<int> values(group);
         group.parallel_for_work_item([&](auto it) { values(it) = lf::convert<int>(it.get_local_id(0)) + 1; });
         reduce_and_scan(group, values, out + group.get_group_id(0));
       });
     }).wait();
    EXPECT_EQ(good, std::vector<int>(3, 10)) << size;
  }
}

TYPED_TEST(algorithms_of, items_that_run_together) {
  lf::queue q;
  constexpr std::size_t size = 100;
  std::vector<int> sums(size), scans(size), units(size), next(size), firsts(size), sizes(size), divergent(size);
  const lf::view<int> s(sums.data(), size), c(scans.data(), size), u(units.data(), size), n(next.data(), size),
      f(firsts.data(), size), z(sizes.data(), size), d(divergent.data(), size);
  q.parallel(lf::range<1>(1), lf::range<1>(size), how<TypeParam>(), [=](auto group) {
     lf::distribute_groups(group, [&](auto unit) {
       lf::distribute_groups(unit, [&](auto single) { // one item at a time, whatever the strategy
         lf::distribute_items(single, [&](auto it) {
           const int one = lf::reduce_over_group(single, 1, lf::plus<>());
           u[it.get_global_id(0)] = one * static_cast<int>(unit.get_group_id(0));
         });
       });
     });
     lf::distribute_items(group, [&](auto it) {
       const auto i = it.get_global_id(0);
       const auto together = it.get_sub_group();
       const auto value = it.var(lf::convert<int>(i));
       s[i] = lf::reduce_over_group(together, value, lf::plus<>());
       c[i] = lf::inclusive_scan_over_group(together, value, lf::plus<>());
       n[i] = lf::shift_group_left(together, value, 1U);
       f[i] = lf::group_broadcast(together, value);
       z[i] = static_cast<int>(together.get_local_linear_range());
       it.if_(value % 2 == 1, [&] { d[i] = static_cast<int>(it.get_sub_group().get_local_linear_range()); });
     });
   }).wait();
  for (std::size_t i = 0; i < size;) {
    std::size_t end = i + 1; // of those that ran together
    while (end < size && firsts[end] == firsts[i]) {
      ++end;
    }
    int sum = 0;
    for (std::size_t k = i; k < end; ++k) {
      sum += static_cast<int>(k);
      ASSERT_EQ(scans[k], sum) << k;
      if (k + 1 < end) {
        ASSERT_EQ(next[k], static_cast<int>(k + 1)) << k;
      }
    }
    for (std::size_t k = i; k < end; ++k) {
      ASSERT_EQ(sizes[k], static_cast<int>(end - i)) << k;
      ASSERT_EQ(divergent[k], k % 2 == 1 ? sizes[k] : 0) << k;
      ASSERT_EQ(sums[k], sum) << k;
    }
    i = end;
  }
}

/// Units of the library are groups whose items run together; so are small tiles under lanes.
TEST(algorithms, on_scoped_groups_inside_of_items) {
  lf::queue q;
  for (const std::size_t size : {16, 40, 64}) {
    std::vector<float> out(size);
    const lf::view<float> y(out.data(), size);
    q.parallel(lf::range<1>(1), lf::range<1>(size), how<lf::simd<16>>(), [=](auto group) {
       lf::distribute_groups(group, [&](auto unit) {
         lf::distribute_items(unit, [&](auto it) {
           const auto i = it.get_global_id(0);
           const auto v = it.var(lf::convert<float>(i));
           const float most = lf::reduce_over_group(unit, v, lf::maximum<>());
           const bool any = lf::any_of_group(unit, v > 20.F);
           y[i] = most + (any ? 1000.F : 0.F) + lf::exclusive_scan_over_group(unit, it.var(1.F), lf::plus<>());
         });
       });
     }).wait();
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t last = std::min(size, i / 16 * 16 + 16) - 1;
      ASSERT_EQ(out[i], static_cast<float>(last + (last > 20 ? 1000 : 0) + i % 16)) << size << ' ' << i;
    }
  }
}

template <class Kernel>
std::string thrown_by(Kernel kernel) {
  lf::queue q;
  return text_thrown_by([&] { q.parallel(lf::range<1>(1), lf::range<1>(40), how<lf::simd<16>>(), kernel).wait(); });
}

TEST(algorithms, of_larger_groups_inside_of_items_are_refused) {
  const char* const what = "called by items of a group of 40, of which";
  expect_says(thrown_by([](auto group) {
                lf::distribute_items(group, [&](auto it) { lf::reduce_over_group(group, it.var(1), lf::plus<>()); });
              }),
              what);
  expect_says(thrown_by([](auto group) {
                static const int values[3] = {};
                lf::distribute_items(group, [&](auto) { lf::joint_reduce(group, values, values + 3, lf::plus<>()); });
              }),
              what);
  lf::queue q;
  const std::string scalar = text_thrown_by([&] {
    q.parallel(lf::range<1>(1), lf::range<1>(40), how<lf::scalar>(), [](auto group) {
       lf::distribute_items(group, [&](auto) { lf::reduce_over_group(group, 1, lf::plus<>()); });
     }).wait();
  });
  expect_says(scalar, what);
}

TEST(algorithms, in_divergent_code_are_refused) {
  const std::string text = thrown_by([](auto group) {
    lf::distribute_groups(group, [&](auto unit) {
      lf::distribute_items(unit, [&](auto it) {
        it.if_(it.get_local_id(unit, 0) < 3, [&] { lf::reduce_over_group(unit, it.var(1), lf::plus<>()); });
      });
    });
  });
  expect_says(text, "divergent");
}

TEST(algorithms, broadcast_of_no_item_is_refused) {
  const std::string text = thrown_by([](auto group) {
    lf::memory_environment(group, lf::require_private_mem<int>(1),
                           [&](auto& values) { lf::group_broadcast(group, values, 40U); });
  });
  expect_says(text, "group_broadcast");
}

/// Values in private memory are sorted where they lie, loaded and stored; loops are shared.
template <class Group, class Memory, class Pairs>
void sort_and_copy(const Group& group, Memory& values, Pairs& pairs, const int* from, int* const* to, std::size_t n) {
  lf::sort_over_group(group, values, std::greater<>());
  lf::group_store(group, values, to[0]);
  lf::group_load(group, from, values);
  lf::group_store(group, values, to[1]);
  lf::group_load<lf::data_placement::striped>(group, from, pairs);
  lf::group_store(group, pairs, to[2]);
  const lf::view<int> loop(to[3], 2 * n);
  lf::joint_for(group, 3, 2 * n - 1, [&](auto i) { loop[i] += lf::convert<int>(i); });
  lf::joint_for(group, 0, n, [&](std::size_t i) { loop[i] += 1; });
}

void expect_sorted_and_copied(const std::vector<int>* results, const std::vector<int>& in, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(results[0][i], static_cast<int>(n - i)) << n;
    ASSERT_EQ(results[1][i], in[i]) << n;
    ASSERT_EQ(results[2][2 * i], in[i]) << n; // item i had elements i and i + n, and stores them as 2 i, 2 i + 1
    ASSERT_EQ(results[2][2 * i + 1], in[i + n]) << n;
  }
  for (std::size_t i = 0; i < 2 * n; ++i) {
    ASSERT_EQ(results[3][i], (i >= 3 && i + 1 < 2 * n ? static_cast<int>(i) : 0) + (i < n ? 1 : 0)) << n;
  }
}

TYPED_TEST(algorithms_of, sorting_copies_and_loops_outside_of_items) {
  lf::queue q;
  for (const std::size_t size : {1, 7, 65}) {
    std::vector<int> in(2 * size), results[4];
    std::iota(in.begin(), in.end(), 5);
    std::array<int*, 4> to{};
    const auto clear = [&] {
      for (std::size_t k = 0; k < 4; ++k) {
        results[k].assign(2 * size, 0);
        to[k] = results[k].data();
      }
    };
    const int* const from = in.data();
    clear();
    q.parallel(lf::range<1>(1), lf::range<1>(size), how<TypeParam>(), [=](auto group) {
       lf::memory_environment(group, lf::require_private_mem<int>(), lf::require_private_mem<std::array<int, 2>>(),
                              [&](auto& values, auto& pairs) {
                                lf::distribute_items(group, [&](auto it) {
                                  values(it) = lf::convert<int>(it.get_local_id(group, 0)) + 1;
                                });
                                sort_and_copy(group, values, pairs, from, to.data(), size);
                              });
     }).wait();
    expect_sorted_and_copied(results, in, size);
    clear();
    q.submit([&](lf::handler& h) {
       h.parallel_for_work_group(lf::range<1>(1), lf::range<1>(size), how<TypeParam>(), [=](auto group) {
         lf::private_memory<int> values(group);
         lf::private_memory<std::array<int, 2>> pairs(group);
         group.parallel_for_work_item([&](auto it) { values(it) = lf::convert<int>(it.get_local_id(0)) + 1; });
         sort_and_copy(group, values, pairs, from, to.data(), size);
       });
     }).wait();
    expect_sorted_and_copied(results, in, size);
  }
}

/// A tile whose items run together is a group for sorting, loads and stores in their code.
TYPED_TEST(algorithms_of, sorting_and_copies_inside_of_items) {
  lf::queue q;
  constexpr std::size_t size = 45;
  std::vector<int> in(2 * size), sorted(size), copied(2 * size), in_tile(2 * size);
  std::iota(in.begin(), in.end(), 1);
  const int* const from = in.data();
  const lf::view<int> s(sorted.data(), size);
  int *const c = copied.data(), *const d = in_tile.data();
  q.parallel(lf::range<1>(1), lf::range<1>(size), how<TypeParam>(), [=](auto group) {
     lf::distribute_groups(group, [&](auto unit) {
       lf::distribute_items(unit, [&](auto it) {
         const auto i = it.get_global_id(0);
         const auto together = it.get_sub_group();
         s[i] = lf::sort_over_group(together, it.var(-lf::convert<int>(i)));
         const std::size_t first = 2 * (unit.first_item()[0]);
         if (unit.get_logical_local_linear_range() == together.get_local_linear_range()) {
           lf::group_store(together, lf::group_load<2>(together, from, first), c, first);
           lf::group_store<lf::data_placement::striped>(
               unit, lf::group_load<2, lf::data_placement::striped>(unit, from, first), d, first);
         }
       });
     });
   }).wait();
  for (std::size_t i = 0; i < size; ++i) {
    // Those that ran together: the values go down from one to the next, in registers of lanes they come sorted.
    ASSERT_TRUE(i == 0 || sorted[i] == sorted[i - 1] + 1 || sorted[i] < sorted[i - 1]) << i;
  }
  for (std::size_t i = 0; i < 2 * size; ++i) {
    ASSERT_TRUE(copied[i] == in[i] || copied[i] == 0) << i;
    ASSERT_EQ(copied[i], in_tile[i]) << i;
  }
  if (std::is_same_v<TypeParam, lf::simd<8>>) {
    EXPECT_EQ(copied, in);
  }
}

TEST(algorithms, shared_loops_inside_of_items_are_refused) {
  expect_says(thrown_by([](auto group) {
                lf::distribute_items(group, [&](auto) { lf::joint_for(group, 0, 3, [](auto) {}); });
              }),
              "joint_for");
}

static_assert(lf::is_group_v<lf::work_group<2, lf::scalar>>);

} // namespace
