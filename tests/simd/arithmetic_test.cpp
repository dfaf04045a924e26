// SPDX-License-Identifier: Apache-2.0
#include "math_testing.hpp"

#include <lanefold/simd/variable.hpp>

#include <algorithm>

namespace lf = lanefold;
using namespace math_testing;

namespace {

template <class T>
class arithmetic : public testing::Test {};
using elements = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                                std::int64_t, std::uint64_t, long long, char, float, double, long double>;
TYPED_TEST_SUITE(arithmetic, elements);

TYPED_TEST(arithmetic, min) {
  expect_as_plain<TypeParam, 2>(
      "min", [](auto a, auto b) { return lf::min(a, b); }, [](auto a, auto b) { return std::min(a, b); });
}

TYPED_TEST(arithmetic, max) {
  expect_as_plain<TypeParam, 2>(
      "max", [](auto a, auto b) { return lf::max(a, b); }, [](auto a, auto b) { return std::max(a, b); });
}

TYPED_TEST(arithmetic, clamp) {
  using T = TypeParam;
  expect_as_plain<T, 1>(
      "clamp", [](auto a) { return lf::clamp(a, T(3), T(60)); },
      [](auto a) { return std::min(std::max(a, T(3)), T(60)); });
}

TYPED_TEST(arithmetic, abs) {
  using T = TypeParam;
  expect_as_plain<T, 1>(
      "abs", [](auto a) { return lf::abs(a); },
      [](T a) {
        if constexpr (std::is_floating_point_v<T>)
          return std::fabs(a);
        else
          return a < 0 ? static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(a)) : a;
      });
}

using v_float = lf::varying<float, 8>;
using v_double = lf::varying<double, 8>;
using v_int = lf::varying<int, 8>;
using variable = lf::variable<float, lf::simd<8>>;

template <class Expected, class Got>
constexpr bool is(const Got&) {
  return std::is_same_v<Expected, Got>;
}

TEST(arithmetic_mixed, result_types) {
  const v_float f(1.5F);
  const v_double d(2.5);
  const v_int i(3);
  EXPECT_TRUE(is<v_float>(lf::fma(f, 2.0F, f)));
  EXPECT_TRUE(is<v_float>(lf::fma(2.0F, 3.0F, f)));
  EXPECT_TRUE(is<v_double>(lf::fma(f, 2.0, f)));
  EXPECT_TRUE(is<v_double>(lf::fma(f, f, d)));
  EXPECT_TRUE(is<v_double>(lf::fma(i, f, 1.0F)));
  EXPECT_TRUE(is<float>(lf::fma(1.0F, 2.0F, 3.0F)));
  EXPECT_TRUE(is<double>(lf::fma(1, 2.0F, 3.0F)));
  EXPECT_TRUE(is<long double>(lf::fma(1, 2.0L, 3.0F)));
  EXPECT_TRUE(is<v_double>(lf::sqrt(i)));
  EXPECT_TRUE(is<double>(lf::sqrt(2)));
  EXPECT_TRUE(is<float>(lf::rsqrt(2.0F)));
  EXPECT_TRUE(is<v_int>(lf::min(i, 2)));
  EXPECT_TRUE(is<v_float>(lf::min(i, 2.0F)));
  EXPECT_TRUE(is<v_double>(lf::max(2.0, f)));
  EXPECT_TRUE((is<lf::varying<short, 8>>(lf::min(lf::varying<short, 8>(1), short(2)))));
  EXPECT_TRUE((is<v_int>(lf::min(lf::varying<short, 8>(1), static_cast<signed char>(2)))));
  EXPECT_TRUE(is<v_float>(lf::clamp(f, 0.0F, 1.0F)));
  EXPECT_TRUE(is<lf::mask<8>>(lf::isnan(f)));
  EXPECT_TRUE(is<bool>(lf::isnan(1.0)));
  EXPECT_TRUE(is<v_int>(lf::rotate(i, 3UL)));
  EXPECT_TRUE(is<v_float>(lf::ldexp(f, 3)));
  EXPECT_TRUE(is<v_float>(lf::ldexp(2.0F, i)));
}

TEST(arithmetic_mixed, values) {
  const v_float f(1.5F);
  const v_int i(3);
  EXPECT_EQ(lf::fma(f, 2.0, i)[5], 6.0);
  EXPECT_EQ(lf::fma(2, 3, 4), 10.0);
  EXPECT_EQ(lf::max(i, 3.5F)[7], 3.5F);
  EXPECT_EQ(lf::min(-1, 2U), 2U); // C++ converts in this way
  EXPECT_EQ(lf::sqrt(i * i)[0], 3.0);
  EXPECT_EQ(lf::ldexp(f, i)[2], 12.0F);
  EXPECT_EQ(lf::clamp(2, 3, 5), 3);
}

TEST(arithmetic_mixed, variables_and_lane_indices) {
  using shape = lf::simd<8>;
  lf::detail::lane_context<shape> context{lf::mask<8>(true), true, false};
  variable x(&context, v_float(2.0F));
  const v_float f(3.0F);
  EXPECT_TRUE(is<v_float>(lf::fma(x, x, x)));
  EXPECT_EQ(lf::fma(x, f, x)[1], 8.0F);
  EXPECT_EQ(lf::fma(1.0F, x, f)[1], 5.0F);
  x = lf::rsqrt(lf::fma(x, x, lf::fma(x, x, x + 6.0F)));
  EXPECT_FLOAT_EQ(x[3], 0.25F);
  const lf::lane_index<shape, lf::stride::zero, lf::stride::one> i(&context, 4, 0, 1);
  EXPECT_EQ(lf::min(i, std::size_t(6))[7], 6U);
  EXPECT_EQ(lf::sqrt(i)[5], 3.0);
  EXPECT_EQ(lf::fma(x, i, 1.0F)[0], 2.0);
}

} // namespace
