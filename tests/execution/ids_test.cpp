// SPDX-License-Identifier: Apache-2.0
/// Every work-item runs once and knows where it is.
#include "strategies.hpp"

#include <vector>

namespace {

template <class Strategy>
class ids_1d : public ::testing::Test {};
TYPED_TEST_SUITE(ids_1d, strategies_1d, strategy_names);

TYPED_TEST(ids_1d, nd_range_writes_each_id_once) {
  lf::queue q;
  for (const std::size_t local : {1, 7, 32, 65, 256, 1000}) {
    const std::size_t n = local * 5;
    std::vector<std::size_t> global(n, 99), in_group(n, 99), group(n, 99), count(n, 0);
    lf::view<std::size_t> g(global.data(), n), l(in_group.data(), n), w(group.data(), n), c(count.data(), n);
    q.parallel_for(lf::nd_range<1>(n, local), how<TypeParam>(), [=](auto it) {
       const auto i = it.get_global_id(0);
       g[i] = lf::convert<std::size_t>(it.get_global_linear_id());
       l[i] = lf::convert<std::size_t>(it.get_local_id(0));
       auto mine = it.var(it.get_group(0));
       w[i] = mine;
       c[i] += std::size_t(1);
     }).wait();
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(global[i], i) << "local size " << local;
      ASSERT_EQ(in_group[i], i % local) << "local size " << local;
      ASSERT_EQ(group[i], i / local) << "local size " << local;
      ASSERT_EQ(count[i], 1u) << "local size " << local;
    }
  }
}

TYPED_TEST(ids_1d, range_writes_each_id_once) {
  lf::queue q;
  for (const std::size_t n : {1, 15, 4096, 4097, 100003}) {
    std::vector<std::size_t> out(n, 0);
    lf::view<std::size_t> o(out.data(), n);
    q.parallel_for(lf::range<1>(n), how<TypeParam>(), [=](auto it) {
       o[it.get_id(0)] += lf::convert<std::size_t>(it.get_linear_id()) + std::size_t(1);
     }).wait();
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(out[i], i + 1) << "of " << n;
    }
  }
}

template <class Strategy>
class ids_2d : public ::testing::Test {};
TYPED_TEST_SUITE(ids_2d, strategies_16_columns, strategy_names);

TYPED_TEST(ids_2d, rows_and_columns) {
  lf::queue q;
  for (const std::size_t rows : {1, 3, 8, 16}) {
    for (const lf::walk_order order : {lf::walk_order::linear, lf::walk_order::columns, lf::walk_order::blocked}) {
      const lf::range<2> global(rows * 11, 16 * 9);
      std::vector<std::size_t> out(global.size(), 0), local(global.size(), 0);
      lf::view<std::size_t, 2> o(out.data(), global), l(local.data(), global);
      q.parallel_for(lf::nd_range<2>(global, {rows, 16}),
                     lf::properties{lf::property::strategy<TypeParam>{}, lf::property::walk{order}},
                     [=](auto it) {
                       const auto [y, x] = it.get_global_id();
                       o[y][x] += lf::convert<std::size_t>(it.get_global_linear_id()) + std::size_t(1);
                       l[it.get_global_id(0)][it.get_global_id(1)] = lf::convert<std::size_t>(it.get_local_linear_id());
                     })
          .wait();
      for (std::size_t y = 0; y < global[0]; ++y) {
        for (std::size_t x = 0; x < global[1]; ++x) {
          const std::size_t i = y * global[1] + x;
          ASSERT_EQ(out[i], i + 1) << y << "," << x << " rows " << rows;
          ASSERT_EQ(local[i], y % rows * 16 + x % 16);
        }
      }
    }
  }
}

template <class Strategy>
class ids_3d : public ::testing::Test {};
using strategies_8_columns =
    ::testing::Types<lf::scalar, lf::omp_simd, lf::simd<4>, lf::simd<16>, lf::simd<2, 8>, lf::simd<4, 8>>;
TYPED_TEST_SUITE(ids_3d, strategies_8_columns, strategy_names);

TYPED_TEST(ids_3d, planes_rows_and_columns) {
  lf::queue q;
  const lf::range<3> global(4, 9, 24);
  for (const lf::range<3> local : {lf::range<3>(1, 1, 8), lf::range<3>(2, 3, 8), lf::range<3>(4, 9, 8)}) {
    std::vector<std::size_t> out(global.size(), 0);
    lf::view<std::size_t, 3> o(out.data(), global);
    q.parallel_for(lf::nd_range<3>(global, local), how<TypeParam>(), [=](auto it) {
       const auto [z, y, x] = it.get_global_id();
       o[z][y][x] += lf::convert<std::size_t>(it.get_global_linear_id()) + std::size_t(1);
     }).wait();
    for (std::size_t i = 0; i < global.size(); ++i) {
      ASSERT_EQ(out[i], i + 1);
    }
  }
}

TEST(ids, work_item_kernels_are_plain_sycl) {
  lf::queue q;
  const std::size_t n = 192;
  std::vector<int> sub_group(n), lane(n), by_id(n), by_index(n);
  int* s = sub_group.data();
  int* l = lane.data();
  q.parallel_for(lf::nd_range<1>(n, 96), lf::properties{lf::property::sub_group_size{32}}, [=](lf::nd_item<1> it) {
     const lf::sub_group sg = it.get_sub_group();
     s[it.get_global_id(0)] = static_cast<int>(sg.get_group_linear_id());
     l[it.get_global_id(0)] = static_cast<int>(sg.get_local_linear_id());
   }).wait();
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(sub_group[i], static_cast<int>(i % 96 / 32));
    ASSERT_EQ(lane[i], static_cast<int>(i % 32));
  }
  int* a = by_id.data();
  int* b = by_index.data();
  q.parallel_for(lf::range<1>(n), [=](lf::id<1> i) { a[i] = static_cast<int>(i[0]); }).wait();
  q.parallel_for(lf::range<1>(n), [=](std::size_t i) { b[i] = static_cast<int>(i); }).wait();
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(by_id[i], static_cast<int>(i));
    ASSERT_EQ(by_index[i], static_cast<int>(i));
  }
}

/// A partial sub-group has as many work-items in divergent code as outside.
TEST(ids, sub_groups_keep_their_size_in_divergent_code) {
  lf::queue q;
  const auto sizes = [&](auto strategy, auto space) {
    std::vector<std::size_t> out(space.get_global_range().size() * 4);
    const lf::view<std::size_t> o(out.data(), out.size());
    q.parallel_for(space, lf::properties{lf::property::strategy<decltype(strategy)>{}}, [=](auto it) {
       const auto i = it.get_global_linear_id() * std::size_t(4);
       const auto note = [&](std::size_t k) { o[i + k] = it.get_sub_group().get_local_linear_range(); };
       note(0);
       it.if_(it.get_local_linear_id() % std::size_t(2) == 0, [&] { note(1); }, [&] { note(1); });
       auto left = it.var(lf::convert<int>(it.get_local_linear_id() % std::size_t(3)) + 1);
       it.while_([&] { return left > 0; },
                 [&] {
                   note(2);
                   it.if_(left == 1, [&] { note(3); });
                   --left;
                 });
     }).wait();
    return out;
  };
  const auto expect = [](const std::vector<std::size_t>& got, std::size_t items, std::size_t full, std::size_t last) {
    for (std::size_t i = 0; i < got.size(); ++i) {
      const std::size_t item = i / 4 % items;
      ASSERT_EQ(got[i], item < items / full * full ? full : last) << "work-item " << item << ", place " << i % 4;
    }
  };
  expect(sizes(lf::simd<16>{}, lf::nd_range<1>(48, 24)), 24, 16, 8);
  expect(sizes(lf::simd<16>{}, lf::nd_range<1>(64, 32)), 32, 16, 16);
  expect(sizes(lf::simd<64>{}, lf::nd_range<1>(10, 5)), 5, 64, 5);
  expect(sizes(lf::simd<2, 8>{}, lf::nd_range<2>({6, 8}, {3, 8})), 24, 16, 8);
}

TEST(ids, tiles_of_half_a_register_run_eight_rows_to_a_unit) {
  constexpr std::size_t columns = lf::detail::native_lanes / 2;
  if (columns < 4) {
    GTEST_SKIP() << "registers are short";
  }
  lf::queue q;
  for (const std::size_t rows : {4, 5, 8, 12, 16}) {
    const lf::range<3> all(3, 2 * rows, 3 * columns);
    std::vector<std::size_t> positions(all.size(), 0), sizes(all.size(), 0);
    const lf::view<std::size_t, 3> position(positions.data(), all), size(sizes.data(), all);
    q.parallel_for(lf::nd_range<3>(all, {1, rows, columns}), [=](auto it) {
       const auto z = it.get_global_id(0), y = it.get_global_id(1), x = it.get_global_id(2);
       position[z][y][x] = it.get_global_linear_id() + std::size_t(1);
       size[z][y][x] = it.get_sub_group().get_local_linear_range();
     }).wait();
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const std::size_t row = i / all[2] % rows, begin = row / 8 * 8;
      ASSERT_EQ(positions[i], i + 1) << rows << " rows";
      ASSERT_EQ(sizes[i], std::min<std::size_t>(8, rows - begin) * columns) << rows << " rows, row " << row;
    }
  }
}

TEST(ids, offsets_are_added) {
  lf::queue q;
  std::vector<int> out(64, 0);
  lf::view<int> o(out.data(), 64);
  q.parallel_for(lf::nd_range<1>(32, 16, lf::id<1>(8)), [=](auto it) { o[it.get_global_id(0)] = 1; }).wait();
  for (std::size_t i = 0; i < 64; ++i) {
    ASSERT_EQ(out[i], i >= 8 && i < 40 ? 1 : 0);
  }
}

TEST(ids, items_compare_and_copy) {
  static_assert(lf::is_device_copyable_v<lf::nd_item<2>> && lf::is_device_copyable_v<lf::nd_item<2, lf::simd<8>>>);
  static_assert(std::is_nothrow_copy_constructible_v<lf::nd_item<2>> && std::is_copy_assignable_v<lf::nd_item<2>>);
  static_assert(std::is_trivially_copyable_v<lf::nd_item<2, lf::simd<8>>>);
  static_assert(std::is_trivially_copyable_v<lf::group<2>>);
  static_assert(std::is_trivially_copyable_v<lf::sub_group>);
  static_assert(std::is_trivially_copyable_v<lf::item<3>>);
  lf::queue q;
  bool same = false;
  q.parallel_for(lf::nd_range<1>(1, 1), [&](lf::nd_item<1> it) {
     const auto copy = it;
     same = copy == it && copy.get_group() == it.get_group() && copy.get_sub_group() == it.get_sub_group();
   }).wait();
  EXPECT_TRUE(same);
}

} // namespace
