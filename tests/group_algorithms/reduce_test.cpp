// SPDX-License-Identifier: Apache-2.0
/// reduce_over_group for every strategy, engine, group size and implementation.
#include "testing.hpp"

namespace {

template <class Strategy>
class reduce : public seeded {};
TYPED_TEST_SUITE(reduce, few_strategies, strategy_names);

template <class Strategy, class T, class Op>
void check_work_group(const std::vector<T>& in, std::size_t local, Op op, lf::fiber_engine engine) {
  const std::size_t groups = in.size() / local;
  std::vector<T> out(in.size()), twice(groups);
  const lf::view<const T> x(in.data(), in.size());
  const lf::view<T> y(out.data(), out.size());
  const lf::view<T> z(twice.data(), groups);
  run_groups<Strategy>(
      groups, local,
      [=](auto it) {
        const auto g = it.get_group();
        const auto i = it.get_global_id(0);
        const T total = lf::reduce_over_group(g, x[i], op);
        const T again = lf::reduce_over_group(g, x[i], T(3), op); // the next slot
        const T third = lf::reduce_over_group(g, x[i], op);       // and the first again
        y[i] = total;
        it.if_(it.get_local_id(0) == 0, [&] { z[it.get_group(0)] = third == total ? again : T(99); });
      },
      engine);
  for (std::size_t g = 0; g < groups; ++g) {
    T total = in[g * local];
    for (std::size_t i = 1; i < local; ++i) {
      total = static_cast<T>(op(total, in[g * local + i]));
    }
    for (std::size_t i = 0; i < local; ++i) {
      ASSERT_EQ(out[g * local + i], total) << "group size " << local << ", item " << i << ", " << to_string(engine);
    }
    ASSERT_EQ(twice[g], static_cast<T>(op(T(3), total))) << "group size " << local << ", " << to_string(engine);
  }
}

TYPED_TEST(reduce, work_group_plus) {
  for (const std::size_t local : group_sizes) {
    for (const auto engine : engines) {
      check_work_group<TypeParam>(this->template values<int>(5 * local), local, lf::plus<>{}, engine);
    }
    check_work_group<TypeParam>(this->template values<float>(5 * local), local, lf::plus<float>{}, engines[0]);
  }
}

/// Logical operators on numbers give 0 or 1, of one work-item, too.
TYPED_TEST(reduce, logical_operators_on_numbers) {
  for (const std::size_t local : {1, 2, 16, 17, 33}) {
    for (const int value : {0, 5}) {
      const std::vector<int> in(local, value);
      std::vector<int> out(8 * local, -1);
      const lf::view<const int> x(in.data(), local);
      const lf::view<int> y(out.data(), out.size());
      run_groups<TypeParam>(1, local, [=](auto it) {
        const auto g = it.get_group();
        const auto sg = it.get_sub_group();
        const auto i = it.get_global_id(0);
        y[i * 8] = lf::reduce_over_group(g, x[i], lf::logical_and<>{});
        y[i * 8 + 1] = lf::reduce_over_group(g, x[i], std::logical_or<int>{});
        y[i * 8 + 2] = lf::reduce_over_group(sg, x[i], lf::logical_and<int>{});
        y[i * 8 + 3] = lf::reduce_over_group<lf::algorithm::serial>(g, x[i], lf::logical_or<>{});
        y[i * 8 + 4] = lf::reduce_over_group(lf::chunked_partition<4>(sg), x[i], lf::logical_and<>{});
        y[i * 8 + 5] = lf::reduce_over_group(lf::chunked_partition<1>(sg), x[i], lf::logical_and<>{});
        y[i * 8 + 6] = lf::joint_reduce(g, x.data(), x.data() + local, lf::logical_and<>{});
        y[i * 8 + 7] = lf::joint_reduce<lf::algorithm::serial>(g, x.data(), x.data() + local, lf::logical_or<>{});
      });
      EXPECT_EQ(out, std::vector<int>(8 * local, value != 0 ? 1 : 0)) << local << " times " << value;
    }
  }
}

TYPED_TEST(reduce, work_group_operators) {
  for (const std::size_t local : {7, 33, 1000}) {
    check_work_group<TypeParam>(this->template values<double>(2 * local), local, lf::minimum<>{}, engines[0]);
    check_work_group<TypeParam>(this->template values<std::uint8_t>(2 * local), local, lf::bit_xor<>{}, engines[0]);
#if defined(LANEFOLD_TEST_THOROUGH)
    check_work_group<TypeParam>(this->template values<std::int64_t>(2 * local), local, lf::maximum<std::int64_t>{},
                                engines[0]);
    check_work_group<TypeParam>(this->template values<std::uint32_t>(2 * local), local, lf::multiplies<>{}, engines[0]);
    check_work_group<TypeParam>(this->template values<std::uint16_t>(2 * local), local, std::bit_and<>{}, engines[0]);
#endif
  }
}

/// x op y = y: associative, not commutative; of two plain values or of two of anything.
TYPED_TEST(reduce, order_is_kept) {
  for (const std::size_t local : {7, 33, 1000}) {
    const auto in = this->template values<int>(2 * local);
    check_work_group<TypeParam>(in, local, [](int, int b) { return b; }, engines[0]);
#if defined(LANEFOLD_TEST_THOROUGH)
    check_work_group<TypeParam>(in, local, [](int a, int) { return a; }, engines[0]);
#endif
    check_work_group<TypeParam>(in, local, [](const auto&, const auto& b) { return b; }, engines[0]);
  }
}

TYPED_TEST(reduce, sub_group_plus) {
  for (const std::size_t local : group_sizes) {
    const auto in = this->template values<int>(3 * local);
    std::vector<int> out(in.size()), first(in.size());
    const lf::view<const int> x(in.data(), in.size());
    const lf::view<int> y(out.data(), out.size()), f(first.data(), first.size());
    run_groups<TypeParam>(3, local, [=](auto it) {
      const auto sg = it.get_sub_group();
      const auto i = it.get_global_id(0);
      const int total = lf::reduce_over_group(sg, x[i], lf::plus<>{});
      y[i] = lf::reduce_over_group(sg, x[i], 0, lf::plus<>{}) + total;
      f[i] = lf::group_broadcast(sg, lf::convert<int>(it.get_local_id(0)));
    });
    for (std::size_t i = 0; i < in.size(); ++i) {
      const std::size_t group = i / local * local;
      const std::size_t size = std::is_same_v<TypeParam, lf::scalar> ? lf::detail::native_lanes : TypeParam::size;
      const std::size_t begin = (i - group) / size * size;
      int total = 0;
      for (std::size_t k = begin; k < std::min(begin + size, local); ++k) {
        total += in[group + k];
      }
      ASSERT_EQ(out[i], 2 * total) << "group size " << local << ", item " << i;
      ASSERT_EQ(first[i], static_cast<int>(begin)) << "group size " << local << ", item " << i;
    }
  }
}

} // namespace
