// SPDX-License-Identifier: Apache-2.0
/// Joint algorithms called by groups of several units, with iterators of several kinds and types of the user.
#include "testing.hpp"

#include <deque>
#include <numeric>

namespace {

template <class Strategy>
class joint_groups : public seeded {};
TYPED_TEST_SUITE(joint_groups, few_strategies, strategy_names);

/// The algorithms see what each work-item has written before: the group waits for all of them.
TYPED_TEST(joint_groups, see_what_was_written) {
  lf::queue q;
  for (const auto engine : engines) {
    for (const std::size_t local : {1, 33, 256}) {
      std::vector<int> out(4 * local), total(4 * local);
      const lf::view<int> o(out.data(), out.size()), t(total.data(), total.size());
      q.submit([&](lf::handler& h) {
         lf::local_accessor<int> tile(lf::range<1>(local), h);
         h.parallel_for(lf::nd_range<1>(out.size(), local), how<TypeParam>(engine), [=](auto it) {
           const auto g = it.get_group();
           const auto l = it.get_local_id(0);
           tile[l] = lf::convert<int>(l) + 1;
           const int sum = lf::joint_reduce(g, tile.begin(), tile.end(), lf::plus<>{});
           lf::joint_inclusive_scan(g, tile.begin(), tile.end(), tile.begin(), lf::plus<>{});
           const bool last = lf::joint_any_of(g, tile.begin(), tile.end(), [=](const auto& x) { return x == sum; });
           o[it.get_global_id(0)] = tile[l];
           t[it.get_global_id(0)] = last ? sum : -1;
         });
       }).wait();
      for (std::size_t i = 0; i < out.size(); ++i) {
        const int l = static_cast<int>(i % local) + 1, n = static_cast<int>(local);
        ASSERT_EQ(out[i], l * (l + 1) / 2) << to_string(engine);
        ASSERT_EQ(total[i], n * (n + 1) / 2) << to_string(engine);
      }
    }
  }
}

/// 2 × 2 matrices under multiplication: associative, not commutative.
struct matrix {
  std::uint32_t a = 1, b = 0, c = 0, d = 1;
  friend matrix operator*(const matrix& x, const matrix& y) {
    return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
  }
  friend bool operator==(const matrix&, const matrix&) = default;
};

TYPED_TEST(joint_groups, matrices_keep_their_order) {
  const std::size_t n = 100;
  std::vector<matrix> in(n), out(n), right(n);
  for (matrix& m : in) {
    for (std::uint32_t* x : {&m.a, &m.b, &m.c, &m.d}) {
      *x = static_cast<std::uint32_t>(this->random());
    }
  }
  matrix product, *p = &product;
  const matrix* from = in.data();
  matrix* to = out.data();
  run_groups<TypeParam>(1, 40, [=](auto it) {
    *p = lf::joint_reduce(it.get_group(), from, from + n, std::multiplies<>{});
    lf::joint_inclusive_scan(it.get_group(), from, from + n, to, std::multiplies<>{});
  });
  std::inclusive_scan(in.begin(), in.end(), right.begin(), std::multiplies<>{});
  EXPECT_EQ(product, right.back());
  EXPECT_EQ(out, right);
}

TEST(joint_groups_work_items, matrices_by_value) {
  const std::size_t local = 50;
  std::mt19937 random{7};
  std::vector<matrix> in(local), inclusive(local), exclusive(local), right(local);
  for (matrix& m : in) {
    m = {static_cast<std::uint32_t>(random()), 1, static_cast<std::uint32_t>(random()), 3};
  }
  const matrix* x = in.data();
  matrix *i = inclusive.data(), *e = exclusive.data();
  std::vector<int> same(local);
  int* s = same.data();
  run_groups<lf::scalar>(1, local, [=](lf::nd_item<1> it) {
    const auto g = it.get_group();
    const std::size_t l = it.get_local_id(0);
    i[l] = lf::inclusive_scan_over_group(g, x[l], std::multiplies<>{});
    e[l] = lf::exclusive_scan_over_group(g, x[l], matrix{}, std::multiplies<>{});
    const matrix total = lf::reduce_over_group(g, x[l], std::multiplies<>{});
    const auto op = std::multiplies<>{};
    s[l] = (total == lf::reduce_over_group<lf::algorithm::serial>(g, x[l], op)) +
           (total == lf::reduce_over_group<lf::algorithm::serial_heap>(g, x[l], op)) +
           (total == lf::group_broadcast(g, i[l], local - 1)) +
           (i[l] == lf::inclusive_scan_over_group<lf::algorithm::serial>(g, x[l], op)) +
           (e[l] == lf::exclusive_scan_over_group<lf::algorithm::serial_heap>(g, x[l], matrix{}, op));
  });
  std::inclusive_scan(in.begin(), in.end(), right.begin(), std::multiplies<>{});
  EXPECT_EQ(inclusive, right);
  std::exclusive_scan(in.begin(), in.end(), right.begin(), matrix{}, std::multiplies<>{});
  EXPECT_EQ(exclusive, right);
  EXPECT_EQ(same, std::vector<int>(local, 5));
}

TEST(implementations, agree) {
  const std::size_t local = 300;
  std::vector<int> same(local);
  int* s = same.data();
  run_groups<lf::scalar>(1, local, [=](lf::nd_item<1> it) {
    const auto g = it.get_group();
    const auto op = lf::plus<>{};
    const int x = static_cast<int>(it.get_local_id(0)) * 3 - 100;
    const int total = lf::reduce_over_group(g, x, op), prefix = lf::inclusive_scan_over_group(g, x, op);
    s[it.get_local_id(0)] = (lf::reduce_over_group<lf::algorithm::omp_simd>(g, x, op) == total) +
                            (lf::reduce_over_group<lf::algorithm::simd>(g, x, op) == total) +
                            (lf::inclusive_scan_over_group<lf::algorithm::simd>(g, x, op, 0) == prefix) +
                            (lf::exclusive_scan_over_group<lf::algorithm::simd>(g, x, op) + x == prefix);
  });
  EXPECT_EQ(same, std::vector<int>(local, 4));
}

/// `serial` on lanes: floats to the last bit as one after the other.
TYPED_TEST(joint_groups, serial_values_in_order) {
  for (const std::size_t local : {7, 33, 1000}) {
    std::uniform_real_distribution<float> distribution(0, 1);
    std::vector<float> in(local), inclusive(local), exclusive(local), total(local), right(local);
    for (float& x : in) {
      x = distribution(this->random);
    }
    const lf::view<const float> x(in.data(), local);
    const lf::view<float> i(inclusive.data(), local), e(exclusive.data(), local), t(total.data(), local);
    run_groups<TypeParam>(1, local, [=](auto it) {
      constexpr auto serial = lf::algorithm::serial;
      const auto g = it.get_group();
      const auto k = it.get_global_id(0);
      i[k] = lf::inclusive_scan_over_group<serial>(g, x[k], lf::plus<>{});
      e[k] = lf::exclusive_scan_over_group<serial>(g, x[k], 2.f, lf::plus<>{});
      t[k] = lf::reduce_over_group<serial>(g, x[k], lf::plus<>{});
    });
    std::inclusive_scan(in.begin(), in.end(), right.begin());
    EXPECT_EQ(inclusive, right) << local;
    EXPECT_EQ(total, std::vector<float>(local, right.back())) << local;
    std::exclusive_scan(in.begin(), in.end(), right.begin(), 2.f);
    EXPECT_EQ(exclusive, right) << local;
  }
}

TEST(iterators, of_other_kinds) {
  std::deque<int> in(500);
  std::iota(in.begin(), in.end(), 1);
  std::vector<long> out(500);
  long sum = 0, *total = &sum;
  const auto first = in.begin(), last = in.end();
  const auto to = out.begin();
  run_groups<lf::simd<16>>(1, 16, [=](auto it) {
    *total = lf::joint_reduce(it.get_group(), first, last, 0L, lf::plus<>{});
    lf::joint_exclusive_scan(it.get_group(), first, last, to, 0L, lf::plus<>{});
  });
  EXPECT_EQ(sum, 500 * 501 / 2);
  EXPECT_EQ(out[499], 499 * 500 / 2);
}

} // namespace
