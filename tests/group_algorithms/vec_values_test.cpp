// SPDX-License-Identifier: Apache-2.0
/// Vectors by value, on every kind of kernel.
#include "testing.hpp"

namespace {

template <class Strategy>
class vec_values : public seeded {
public:
  template <class V>
  std::vector<V> vectors(std::size_t n) {
    using T = typename V::element_type;
    const auto numbers = this->template values<T>(n * V::size());
    std::vector<V> all(n);
    for (std::size_t i = 0; i < n; ++i) {
      all[i].load(i, numbers.data());
    }
    return all;
  }
};
#if defined(LANEFOLD_TEST_THOROUGH)
using vec_strategies = ::testing::Types<lf::scalar, lf::simd<4>, lf::simd<16>, lf::simd<64>>;
inline constexpr std::size_t vec_groups[] = {1, 7, 33, 256};
#else
using vec_strategies = ::testing::Types<lf::scalar, lf::simd<16>>;
inline constexpr std::size_t vec_groups[] = {7, 33};
#endif
TYPED_TEST_SUITE(vec_values, vec_strategies, strategy_names);

template <class V>
bool same(const V& a, const V& b) {
  for (int i = 0; i < static_cast<int>(V::size()); ++i) {
    if (a[i] != b[i]) {
      return false;
    }
  }
  return true;
}

/// Reduction and scans with `op`, which `right` does, too.
template <class Strategy, class V, class Op, class Right>
void check_scans(const std::vector<V>& in, std::size_t local, Op op, Right right) {
  const std::size_t n = in.size();
  std::vector<V> out[4];
  for (auto& each : out) {
    each.resize(n);
  }
  const lf::view<const V> x(in.data(), n);
  const lf::view<V> total(out[0].data(), n), inclusive(out[1].data(), n), exclusive(out[2].data(), n),
      serial(out[3].data(), n);
  const V init = in[0];
  run_groups<Strategy>(n / local, local, [=](auto it) {
    const auto g = it.get_group();
    const auto i = it.get_global_id(0);
    total[i] = lf::reduce_over_group(g, x[i], op);
    inclusive[i] = lf::inclusive_scan_over_group(g, x[i], op);
    exclusive[i] = lf::exclusive_scan_over_group(g, x[i], init, op);
    serial[i] = lf::inclusive_scan_over_group<lf::algorithm::serial>(g, x[i], op);
  });
  for (std::size_t first = 0; first < n; first += local) {
    V sum = in[first], before = init;
    for (std::size_t i = first; i < first + local; ++i) {
      sum = i == first ? sum : right(sum, in[i]);
      ASSERT_TRUE(same(out[1][i], sum)) << local << " " << i;
      ASSERT_TRUE(same(out[3][i], sum)) << local << " " << i;
      ASSERT_TRUE(same(out[2][i], before)) << local << " " << i;
      before = right(before, in[i]);
    }
    for (std::size_t i = first; i < first + local; ++i) {
      ASSERT_TRUE(same(out[0][i], sum)) << local << " " << i;
    }
  }
}

TYPED_TEST(vec_values, reduce_and_scan) {
  const auto plus = [](const auto& a, const auto& b) { return a + b; };
  for (const std::size_t local : vec_groups) {
    check_scans<TypeParam>(this->template vectors<lf::float4>(2 * local), local, lf::plus<>{}, plus);
#if defined(LANEFOLD_TEST_THOROUGH)
    check_scans<TypeParam>(this->template vectors<lf::int3>(2 * local), local, lf::maximum<>{},
                           [](const auto& a, const auto& b) { return max(a, b); });
    check_scans<TypeParam>(this->template vectors<lf::uchar4>(2 * local), local, lf::plus<lf::uchar4>{}, plus);
    check_scans<TypeParam>(this->template vectors<lf::vec<double, 1>>(2 * local), local, std::plus<>{}, plus);
#endif
  }
}

/// Neither commutative nor element by element.
TYPED_TEST(vec_values, own_operators) {
  const auto first_of_both = [](const lf::int2& a, const lf::int2& b) {
    return lf::int2(a.x(), a.y() * b.x() + b.y() - b.x() * a.y() + 0 * a.x()); // (first x, last y)
  };
  for (const std::size_t local : vec_groups) {
    check_scans<TypeParam>(this->template vectors<lf::int2>(2 * local), local, first_of_both, first_of_both);
  }
}

TYPED_TEST(vec_values, moved) {
  constexpr std::size_t lanes = std::is_same_v<TypeParam, lf::scalar> ? lf::detail::native_lanes : TypeParam::size;
  for (const std::size_t local : vec_groups) {
    const auto in = this->template vectors<lf::float3>(local);
    std::vector<lf::float3> out[4];
    for (auto& each : out) {
      each.resize(local);
    }
    const lf::view<const lf::float3> x(in.data(), local);
    const lf::view<lf::float3> left(out[0].data(), local), exchanged(out[1].data(), local),
        selected(out[2].data(), local), from(out[3].data(), local);
    const std::size_t last = local - 1;
    run_groups<TypeParam>(1, local, [=](auto it) {
      const auto sg = it.get_sub_group();
      const auto i = it.get_local_linear_id();
      left[i] = lf::shift_group_left(sg, x[i], 1);
      exchanged[i] = lf::permute_group_by_xor(sg, x[i], 2);
      selected[i] = lf::select_from_group(sg, x[i], lf::convert<std::uint32_t>(sg.get_local_linear_id()) / 2U);
      from[i] = lf::group_broadcast(it.get_group(), x[i], last);
    });
    for (std::size_t i = 0; i < local; ++i) {
      const std::size_t first = i / lanes * lanes, end = std::min(first + lanes, local);
      const auto check = [&](int k, std::size_t source) {
        ASSERT_TRUE(source >= end || same(out[k][i], in[source])) << local << " " << i << " " << k;
      };
      check(0, i + 1);
      check(1, first + ((i - first) ^ 2));
      check(2, first + (i - first) / 2);
      ASSERT_TRUE(same(out[3][i], in[last]));
    }
  }
}

/// Elements, operators, variables and memory of varying vectors; the same source for every strategy.
TYPED_TEST(vec_values, in_kernels) {
  const std::size_t local = 33, n = 2 * local;
  const auto in = this->template vectors<lf::float4>(n);
  const auto factor = this->template values<float>(n);
  std::vector<lf::float4> out(n), even(n / 2 + 1);
  std::vector<int> same_count(n);
  const lf::view<const lf::float4> x(in.data(), n);
  const lf::view<const float> f(factor.data(), n);
  const lf::view<lf::float4> y(out.data(), n), e(even.data(), even.size());
  const lf::view<int> count(same_count.data(), n);
  run_groups<TypeParam>(2, local, [=](auto it) {
    const auto i = it.get_global_id(0);
    const auto v = x[i];
    auto sum = it.var(lf::float4(1));
    it.if_(v.x() > 0.f, [&] {
      sum += v * f[i] - lf::float4(0, 1, 2, 3);
      it.if_(v.y() > 0.f, [&] { sum = v.template swizzle<3, 2, 1, 0>(); });
    });
    y[i] = sum;
    it.if_(i % 2 == 0, [&] { e[i / 2] = sum; });
    count[i] = lf::convert<int>((v < lf::float4(2))[1]) + lf::convert<int>(lf::minimum<>{}(v, 2.f * v).w());
  });
  for (std::size_t i = 0; i < n; ++i) {
    lf::float4 right(1);
    const lf::float4 v = in[i];
    if (v.x() > 0) {
      right += v * factor[i] - lf::float4(0, 1, 2, 3);
      if (v.y() > 0) {
        right = v.swizzle<3, 2, 1, 0>();
      }
    }
    ASSERT_TRUE(same(out[i], right)) << i;
    ASSERT_TRUE(i % 2 == 1 || same(even[i / 2], right)) << i;
    ASSERT_EQ(same_count[i], (v[1] < 2 ? -1 : 0) + static_cast<int>(std::min(v[3], 2 * v[3]))) << i;
  }
}

/// Swizzles are the vectors that they stand for.
TEST(vec_values_swizzled, are_vectors) {
  const lf::int4 v(1, 2, 3, 4);
  lf::int2 total, *t = &total;
  run_groups<lf::scalar>(1, 10, [=](lf::nd_item<1> it) {
    const lf::int2 sum = lf::reduce_over_group(it.get_group(), v.hi(), lf::plus<>{});
    const lf::int2 moved = lf::shift_group_left(it.get_sub_group(), v.lo());
    *t = sum + lf::group_broadcast(it.get_group(), v.lo()) + (moved - moved);
  });
  EXPECT_TRUE(same(total, lf::int2(31, 42)));
}

} // namespace
