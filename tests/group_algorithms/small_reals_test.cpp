// SPDX-License-Identifier: Apache-2.0
/// half and bfloat16 in kernels: variables, masks, elements, and what group algorithms make of them, in lanes and one
/// work-item after the other.
#include "testing.hpp"

#include <lanefold/memory/bfloat16.hpp>
#include <lanefold/memory/math_functions.hpp>

#include <algorithm>
#include <numeric>

namespace {

using lf::half;
using lf::ext::oneapi::bfloat16;

template <class Pair>
class small_reals : public seeded {};
template <class T, class Strategy>
struct of_strategy {
  using type = T;
  using strategy = Strategy;
};
#ifdef LANEFOLD_TEST_THOROUGH
using kinds = ::testing::Types<of_strategy<half, lf::scalar>, of_strategy<half, lf::simd<16>>,
                               of_strategy<half, lf::simd<4>>, of_strategy<half, lf::simd<64>>,
                               of_strategy<bfloat16, lf::scalar>, of_strategy<bfloat16, lf::simd<16>>>;
#else // all of it takes 38 s to compile (g++, -O1)
using kinds = ::testing::Types<of_strategy<half, lf::scalar>, of_strategy<half, lf::simd<16>>,
                               of_strategy<bfloat16, lf::simd<16>>>;
#endif
TYPED_TEST_SUITE(small_reals, kinds);

/// `n` whole numbers of which every sum of up to 32 is a small real.
template <class T>
std::vector<T> small_values(std::mt19937& random, std::size_t n) {
  std::uniform_int_distribution<int> distribution(-4, 4);
  std::vector<T> all(n);
  std::generate(all.begin(), all.end(), [&] { return T(distribution(random)); });
  return all;
}

TYPED_TEST(small_reals, kernels_compute_as_plain_values) {
  using T = typename TypeParam::type;
  constexpr std::size_t groups = 3, local = 33, n = groups * local;
  auto in = small_values<T>(this->random, n);
  std::vector<T> out(n, T(1)), conditional(n, T(1));
  std::vector<float> wide(n);
  const lf::view<const T> x(in.data(), n);
  const lf::view<T> y(out.data(), n), z(conditional.data(), n);
  const lf::view<float> w(wide.data(), n);
  run_groups<typename TypeParam::strategy>(groups, local, [=](auto it) {
    const auto i = it.get_global_id(0);
    auto sum = it.var(T(0.5F));
    sum += x[i];
    sum = sum * x[i] + T(0.1F);
    sum /= T(3);
    it.if_(x[i] > T(0), [&] { sum = -sum * 2; });
    y[i] += sum;
    it.if_(x[i] < 0, [&] { z[i] = x[i]; });
    w[i] = lf::convert<float>(x[i]) + x[i] * 0.25F;
  });
  for (std::size_t i = 0; i < n; ++i) {
    T sum(0.5F);
    sum += in[i];
    sum = sum * in[i] + T(0.1F);
    sum /= T(3);
    if (in[i] > T(0)) {
      sum = -sum * 2;
    }
    ASSERT_EQ(out[i], T(1) + sum) << i;
    ASSERT_EQ(conditional[i], in[i] < 0 ? in[i] : T(1)) << i;
    ASSERT_EQ(wide[i], in[i] + in[i] * 0.25F) << i;
  }
}

template <class TypeParam, class Op>
void check_group(std::mt19937& random, Op op) {
  using T = typename TypeParam::type;
  constexpr std::size_t groups = 2, local = 24, n = groups * local;
  auto in = small_values<T>(random, n);
  if constexpr (std::is_same_v<Op, std::multiplies<T>> || std::is_same_v<Op, lf::multiplies<>>) {
    std::transform(in.begin(), in.end(), in.begin(), [](T x) { return x < 0 ? T(-1) : T(1); });
  }
  std::vector<T> totals(n), scans(n), before(n), moved(n);
  const lf::view<const T> x(in.data(), n);
  const lf::view<T> total(totals.data(), n), scan(scans.data(), n), exclusive(before.data(), n), next(moved.data(), n);
  run_groups<typename TypeParam::strategy>(groups, local, [=](auto it) {
    const auto i = it.get_global_id(0);
    const auto g = it.get_group();
    total[i] = lf::reduce_over_group(g, x[i], op);
    scan[i] = lf::inclusive_scan_over_group(g, x[i], op);
    exclusive[i] = lf::exclusive_scan_over_group(g, x[i], T(2), op);
    next[i] = lf::group_broadcast(g, x[i], 5);
  });
  for (std::size_t first = 0; first < n; first += local) {
    T sum = in[first], left = T(2);
    for (std::size_t i = first; i < first + local; ++i) {
      sum = i == first ? sum : T(op(sum, in[i]));
      ASSERT_EQ(scans[i], sum) << i;
      ASSERT_EQ(before[i], left) << i;
      ASSERT_EQ(moved[i], in[first + 5]) << i;
      left = T(op(left, in[i]));
    }
    for (std::size_t i = first; i < first + local; ++i) {
      ASSERT_EQ(totals[i], sum) << i;
    }
  }
}

TYPED_TEST(small_reals, group_algorithms) {
  using T = typename TypeParam::type;
  check_group<TypeParam>(this->random, std::plus<T>{});
  check_group<TypeParam>(this->random, lf::multiplies<>{});
  check_group<TypeParam>(this->random, lf::maximum<>{});
  check_group<TypeParam>(this->random, [](T a, T b) { return a < b ? b : a; }); // one of the program
#ifdef LANEFOLD_TEST_THOROUGH
  check_group<TypeParam>(this->random, std::plus<>{});
  check_group<TypeParam>(this->random, std::multiplies<T>{});
  check_group<TypeParam>(this->random, lf::minimum<T>{});
#endif
}

TYPED_TEST(small_reals, shuffles_and_joint_algorithms) {
  using T = typename TypeParam::type;
  constexpr std::size_t local = 16;
  auto in = small_values<T>(this->random, local);
  std::vector<T> left(local), flipped(local), total(local);
  const lf::view<const T> x(in.data(), local);
  const lf::view<T> a(left.data(), local), b(flipped.data(), local), c(total.data(), local);
  run_groups<typename TypeParam::strategy>(1, local, [=](auto it) {
    const auto i = it.get_global_id(0);
    const auto s = it.get_sub_group();
    a[i] = lf::shift_group_left(s, x[i], 1);
    b[i] = lf::permute_group_by_xor(s, x[i], 1);
    c[i] = lf::joint_reduce(it.get_group(), x.data(), x.data() + local, std::plus<T>{});
  });
  const T sum = std::accumulate(in.begin(), in.end(), T(0));
  for (std::size_t i = 0; i < local; ++i) {
    ASSERT_EQ(total[i], sum);
    if (TypeParam::strategy::size >= 2 && (i + 1) % TypeParam::strategy::size != 0 && i + 1 < local) {
      ASSERT_EQ(left[i], in[i + 1]) << i;
      ASSERT_EQ(flipped[i], in[i ^ 1]) << i;
    }
  }
}

} // namespace
