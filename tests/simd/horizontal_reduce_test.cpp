// SPDX-License-Identifier: Apache-2.0
#include "horizontal_testing.hpp"

#include <lanefold/simd/variable.hpp>

namespace lf = lanefold;
using namespace math_testing;

namespace {

/// Reductions against a loop, n lanes at a time.
template <class T>
struct reduction_check {
  const char* name;
  T (*make)();
  T (*plain)(T, T);

  [[gnu::noinline]] void operator()(std::size_t n, T (*reduce)(const T*)) const {
    alignas(64) T a[256];
    for (int round = 0; round < 8; ++round) {
      const auto f = make;
      fill(a, n, f);
      T expected = a[0];
      for (std::size_t i = 1; i < n; ++i)
        expected = plain(expected, a[i]);
      ASSERT_EQ(reduce(a), expected) << name << " of " << n << " lanes";
    }
  }
};

template <class T, bool AllPacks = true>
constexpr auto check_reduction = []<class Op>(Op, const char* name, auto make) {
  const reduction_check<T> check{name, make, as_plain<T, Op>};
  for_packs<T, AllPacks>([&]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    check(N, [](const T* a) { return lf::reduce(lf::varying<T, N, Isa>::load(a), Op{}); });
  });
};

template <class T>
class horizontal_reduce : public testing::Test {};
using all_elements =
    testing::Types<std::uint8_t, std::int16_t, std::uint32_t, std::uint64_t, long long, float, double, long double>;
TYPED_TEST_SUITE(horizontal_reduce, all_elements);
TYPED_TEST(horizontal_reduce, some_operators) { for_some_operators<TypeParam>(check_reduction<TypeParam>); }

TEST(horizontal_reduce_of, every_operator) {
  for_operators<std::int32_t>(check_reduction<std::int32_t, false>);
#if defined(LANEFOLD_TEST_THOROUGH)
  for_operators<std::uint8_t>(check_reduction<std::uint8_t, false>);
  for_operators<float>(check_reduction<float, false>);
#endif
}

TEST(horizontal_reduce_of, lambdas_and_variables) {
  using shape = lf::simd<32>;
  lf::detail::lane_context<shape> context{lf::mask<32>(true), true, false};
  lf::variable<int, shape> v(&context, lf::varying<int, 32>::iota(1));
  EXPECT_EQ(lf::reduce(v, lf::plus<>{}), 33 * 16);
  EXPECT_EQ(lf::reduce(v, [](auto a, auto b) { return a + b; }), 33 * 16);
  EXPECT_EQ(lf::reduce(v, [](int a, int b) { return a + b; }), 33 * 16);
  EXPECT_EQ(lf::reduce(v, [](const auto& a, const auto& b) { return lf::max(a, b); }), 32);
  EXPECT_TRUE((std::is_same_v<decltype(lf::reduce(v, lf::plus<double>{})), int>));
  EXPECT_EQ(lf::reduce(v, lf::plus<double>{}), 33 * 16);
}

TEST(horizontal_reduce_of, small_integers_wrap) {
  const lf::varying<std::uint8_t, 64> v(std::uint8_t(5));
  EXPECT_EQ(lf::reduce(v, lf::plus<>{}), std::uint8_t(320));
}

} // namespace
