// SPDX-License-Identifier: Apache-2.0
/// Broadcasts and votes for every strategy and engine.
#include "testing.hpp"

namespace {

template <class Strategy>
class broadcast : public seeded {};
TYPED_TEST_SUITE(broadcast, few_strategies, strategy_names);
template <class Strategy>
class votes : public seeded {};
TYPED_TEST_SUITE(votes, few_strategies, strategy_names);

TYPED_TEST(broadcast, work_group) {
  for (const std::size_t local : group_sizes) {
    for (const auto engine : engines) {
      const std::size_t n = 3 * local, from = this->random() % local, other = this->random() % local;
      const auto in = this->template values<int>(n, -1000, 1000);
      std::vector<int> a(n), b(n), c(n);
      const lf::view<const int> x(in.data(), n);
      const lf::view<int> leader(a.data(), n), linear(b.data(), n), by_id(c.data(), n);
      run_groups<TypeParam>(
          3, local,
          [=](auto it) {
            const auto g = it.get_group();
            const auto i = it.get_global_id(0);
            leader[i] = lf::group_broadcast(g, x[i]);
            linear[i] = lf::group_broadcast(g, x[i], from);
            by_id[i] = lf::group_broadcast(g, x[i], lf::id<1>(other));
          },
          engine);
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t group = i / local * local;
        ASSERT_EQ(a[i], in[group]) << local << " " << to_string(engine);
        ASSERT_EQ(b[i], in[group + from]) << local << " from " << from << " " << to_string(engine);
        ASSERT_EQ(c[i], in[group + other]) << local << " from " << other << " " << to_string(engine);
      }
    }
  }
}

TYPED_TEST(broadcast, two_dimensions) {
  lf::queue q;
  const lf::range<2> local(5, 19);
  std::vector<int> out(2 * local.size());
  const lf::view<int> o(out.data(), out.size());
  q.parallel_for(lf::nd_range<2>({10, 19}, local), how<TypeParam>(), [=](auto it) {
     const auto linear = it.get_local_linear_id();
     o[it.get_global_linear_id()] = lf::group_broadcast(it.get_group(), lf::convert<int>(linear), lf::id<2>(3, 17));
   }).wait();
  for (const int value : out) {
    ASSERT_EQ(value, 3 * 19 + 17);
  }
}

TYPED_TEST(broadcast, sub_group) {
  const std::size_t local = 44;
  std::vector<int> out(local), last(local);
  const lf::view<int> o(out.data(), local), l(last.data(), local);
  run_groups<TypeParam>(1, local, [=](auto it) {
    const auto sg = it.get_sub_group();
    const auto i = lf::convert<int>(it.get_local_id(0));
    o[it.get_local_id(0)] = lf::group_broadcast(sg, i, 3);
    l[it.get_local_id(0)] = lf::group_broadcast(sg, i, static_cast<std::uint32_t>(sg.get_local_linear_range() - 1));
  });
  const std::size_t size = std::is_same_v<TypeParam, lf::scalar> ? lf::detail::native_lanes : TypeParam::size;
  for (std::size_t i = 0; i < local; ++i) {
    const std::size_t first = i / size * size;
    ASSERT_EQ(out[i], static_cast<int>(first + 3));
    ASSERT_EQ(last[i], static_cast<int>(std::min(first + size, local) - 1));
  }
}

/// Any type that can be copied byte by byte, in work-item kernels.
TEST(broadcast_work_items, large_types) {
  struct large {
    double values[40];
  };
  std::vector<double> out(24);
  const lf::view<double> o(out.data(), out.size());
  run_groups<lf::scalar>(2, 12, [=](lf::nd_item<1> it) {
    large mine{};
    mine.values[39] = static_cast<double>(it.get_global_id(0));
    o[it.get_global_id(0)] = lf::group_broadcast(it.get_group(), mine, 5).values[39];
  });
  for (std::size_t i = 0; i < out.size(); ++i) {
    ASSERT_EQ(out[i], i < 12 ? 5 : 17);
  }
}

TYPED_TEST(broadcast, id_outside_of_the_group_is_an_error) {
  EXPECT_NE(texts_thrown_by([] {
              run_groups<TypeParam>(2, 40, [](auto it) { lf::group_broadcast(it.get_group(), 1, 40); });
            }).find("work-item 40 is not in the group, which has 40"),
            std::string::npos);
  EXPECT_NE(texts_thrown_by([] {
              run_groups<TypeParam>(2, 40, [](auto it) { lf::group_broadcast(it.get_group(), 1, lf::id<1>(77)); });
            }).find("work-item 77"),
            std::string::npos);
  EXPECT_NE(texts_thrown_by([] {
              run_groups<TypeParam>(1, 2, [](auto it) { lf::group_broadcast(it.get_sub_group(), 1, 2); });
            }).find("work-item 2 is not in the group, which has 2"),
            std::string::npos);
}

TYPED_TEST(votes, any_all_none) {
  for (const std::size_t local : group_sizes) {
    // Group 0: no one; group 1: one of them; group 2: everyone; group 3: all but one.
    const std::size_t n = 4 * local, chosen = this->random() % local;
    std::vector<int> in(n), out(n);
    for (std::size_t i = 0; i < local; ++i) {
      in[local + i] = i == chosen;
      in[2 * local + i] = 1;
      in[3 * local + i] = i != chosen;
    }
    const lf::view<const int> x(in.data(), n);
    const lf::view<int> y(out.data(), n);
    run_groups<TypeParam>(4, local, [=](auto it) {
      const auto g = it.get_group();
      const auto i = it.get_global_id(0);
      const bool any = lf::any_of_group(g, x[i] == 1);
      const bool all = lf::all_of_group(g, x[i], [](const auto& v) { return v == 1; });
      const bool none = lf::none_of_group(g, x[i] == 1);
      const bool same = any == lf::any_of_group(g, x[i], [](const auto& v) { return v == 1; }) &&
                        all == lf::all_of_group(g, x[i] == 1) &&
                        none == lf::none_of_group(g, x[i], [](const auto& v) { return v == 1; });
      y[i] = any + 2 * all + 4 * none + 8 * same;
    });
    for (std::size_t i = 0; i < n; ++i) {
      const bool one = local == 1; // then one is all, and all but one is none
      const int right[4] = {4, one ? 3 : 1, 3, one ? 4 : 1};
      ASSERT_EQ(out[i], 8 + right[i / local]) << "group size " << local << ", item " << i;
    }
  }
}

TYPED_TEST(votes, sub_group) {
  const std::size_t local = 44;
  std::vector<int> out(local);
  const lf::view<int> y(out.data(), local);
  run_groups<TypeParam>(1, local, [=](auto it) {
    const auto sg = it.get_sub_group();
    const auto l = it.get_local_id(0);
    y[l] = lf::any_of_group(sg, l == 43) + 2 * lf::all_of_group(sg, l < 44) + 4 * lf::none_of_group(sg, l == 0);
  });
  const std::size_t size = std::is_same_v<TypeParam, lf::scalar> ? lf::detail::native_lanes : TypeParam::size;
  for (std::size_t i = 0; i < local; ++i) {
    ASSERT_EQ(out[i], (i / size == 43 / size) + 2 + 4 * (i >= size)) << i;
  }
}

} // namespace
