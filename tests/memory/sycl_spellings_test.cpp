// SPDX-License-Identifier: Apache-2.0
/// Data types and functions as SYCL programs spell them.
#include <lanefold/memory.hpp>

#include <gtest/gtest.h>

/// A program's own, which unqualified calls with a half find together with ours.
template <class T>
T clamp(T x, T low, T high) {
  return x < low ? low : x > high ? high : x;
}

namespace {

namespace sycl = lanefold;
using sycl::half;

template <class T>
struct converts {
  T value = 4;
  operator T() const { return value; }
};

// Functions of numbers take what converts to one, as overloads would.
static_assert(std::is_same_v<decltype(sycl::ceil(converts<float>())), float>);
static_assert(std::is_same_v<decltype(sycl::ceil(converts<half>())), half>);
static_assert(std::is_same_v<decltype(sycl::fmax(converts<double>(), converts<double>())), double>);
static_assert(std::is_same_v<decltype(sycl::fma(converts<float>(), 1.F, converts<float>())), float>);
static_assert(std::is_same_v<decltype(sycl::max(converts<unsigned char>(), converts<unsigned char>())), unsigned char>);
static_assert(std::is_same_v<decltype(sycl::isgreater(converts<float>(), converts<float>())), bool>);
static_assert(std::is_same_v<decltype(sycl::native::divide(converts<float>(), converts<float>())), float>);
static_assert(std::is_same_v<decltype(sycl::any(sycl::vec<std::int8_t, 4>(1))), int>);
static_assert(std::is_same_v<decltype(sycl::any(sycl::marray<bool, 4>())), bool>);
static_assert(std::is_same_v<decltype(sycl::mfloat2(1) * half(1)), sycl::mfloat2>);

TEST(sycl_spellings, functions_of_what_converts) {
  EXPECT_EQ(sycl::sqrt(converts<float>()), 2.F);
  EXPECT_EQ(sycl::fmax(converts<double>(), 5.0), 5.0);
  EXPECT_EQ(sycl::popcount(converts<unsigned>()), 1U);
}

TEST(sycl_spellings, functions_of_the_program) { EXPECT_EQ(static_cast<float>(clamp<half>(half(3), 0, 1)), 1.F); }

TEST(sycl_spellings, steps_of_swizzles) {
  sycl::float4 v(1, 2, 3, 4);
  const sycl::float2 before = v.swizzle<0, 3>()++;
  EXPECT_EQ(before[1], 4.F);
  EXPECT_EQ(v[0], 2.F);
  EXPECT_EQ(v[3], 5.F);
  --v.swizzle<1>();
  EXPECT_EQ(v[1], 1.F);
  const auto x = v.swizzle<0>();
  static_assert(std::is_same_v<decltype(x + x), sycl::vec<float, 1>>);
  EXPECT_EQ(static_cast<float>(x + x), 4.F);
}

TEST(sycl_spellings, operators_of_swizzles_of_one_element) {
  using v1 = sycl::vec<int, 1>;
  v1 v(5);
  static_assert(std::is_same_v<decltype(-v.swizzle<0>()), v1>);
  static_assert(std::is_same_v<decltype(v.swizzle<0>() == 5), v1>);
  EXPECT_EQ(-v.swizzle<0>(), -5);
  EXPECT_EQ(~v.swizzle<0>(), ~5);
  EXPECT_EQ(!v.swizzle<0>(), 0);
  EXPECT_EQ(v.swizzle<0>() == 5, -1);
  EXPECT_EQ(7 - v.swizzle<0>(), 2);
  EXPECT_EQ(v.swizzle<0>() && 1, -1);
}

TEST(sycl_spellings, operators_of_bools) {
  const sycl::bool4 a(true, true, false, false), b(true, false, true, false);
  sycl::bool4 sum = a + b;
  EXPECT_TRUE(sum[0] && sum[1] && sum[2] && !sum[3]);
  sum *= b;
  EXPECT_TRUE(sum[0] && !sum[1] && sum[2] && !sum[3]);
  EXPECT_TRUE((~a)[0] && (-a)[1] && !(-a)[2] && (a << b)[1]);
  const sycl::marray<bool, 1> one(true);
  static_assert(std::is_same_v<decltype(one + true), sycl::marray<bool, 1>>);
  static_assert(std::is_same_v<decltype(~one), sycl::marray<bool, 1>>);
  sycl::mbool3 m(true, false, true);
  m -= true;
  EXPECT_TRUE(!m[0] && m[1] && !m[2]);
}

TEST(sycl_spellings, pointers_of_accessors) {
  static_assert(std::is_same_v<decltype(sycl::multi_ptr(sycl::local_accessor<int>())), sycl::raw_local_ptr<int>>);
  static_assert(sycl::is_device_copyable_v<std::array<std::pair<int, float>, 2>>);
  static_assert(!sycl::is_device_copyable_v<std::pair<int, std::string>>);
  EXPECT_EQ(sycl::bit_cast<std::uint32_t>(1.F), 0x3f800000U);
}

} // namespace
