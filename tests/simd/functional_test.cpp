// SPDX-License-Identifier: Apache-2.0
#include "math_testing.hpp"

#include <lanefold/simd/functional.hpp>
#include <lanefold/simd/variable.hpp>

namespace lf = lanefold;

namespace {

using v_int = lf::varying<int, 8>;
using v_short = lf::varying<short, 8>;
using v_float = lf::varying<float, 8>;
using v_double = lf::varying<double, 8>;

template <class Expected, class Got>
constexpr bool is(const Got&) {
  return std::is_same_v<Expected, Got>;
}

TEST(functional, plain_values) {
  static_assert(lf::plus<>{}(2, 3) == 5);
  static_assert(lf::plus<int>{}(2, 3) == 5);
  static_assert(lf::multiplies<>{}(2, 2.5) == 5.0);
  static_assert(lf::bit_and<>{}(6, 3) == 2);
  static_assert(lf::bit_or<unsigned>{}(6, 3) == 7);
  static_assert(lf::bit_xor<>{}(6, 3) == 5);
  static_assert(lf::minimum<>{}(6, 3) == 3);
  static_assert(lf::maximum<short>{}(6, 3) == 6);
  static_assert(lf::logical_and<>{}(2, 1));
  static_assert(!lf::logical_or<int>{}(0, 0));
  EXPECT_TRUE(is<short>(lf::plus<short>{}(short(1), short(2))));
  EXPECT_TRUE(is<int>(lf::plus<>{}(short(1), short(2))));
  EXPECT_TRUE(is<double>(lf::minimum<>{}(1, 2.0)));
  EXPECT_TRUE(is<bool>(lf::logical_and<int>{}(1, 2)));
}

TEST(functional, varyings) {
  const v_int i(6);
  const v_short s(short(3));
  EXPECT_TRUE(is<v_int>(lf::plus<>{}(i, s)));
  EXPECT_TRUE(is<v_int>(lf::plus<>{}(s, s)));
  EXPECT_TRUE(is<v_short>(lf::plus<short>{}(s, s)));
  EXPECT_TRUE(is<v_double>(lf::plus<>{}(i, 2.5)));
  EXPECT_TRUE(is<v_float>(lf::plus<float>{}(i, 2.5)));
  EXPECT_TRUE(is<lf::mask<8>>(lf::logical_and<>{}(i, s)));
  EXPECT_EQ(lf::plus<>{}(i, s)[4], 9);
  EXPECT_EQ(lf::plus<float>{}(i, 2.5)[4], 8.5F);
  EXPECT_EQ(lf::multiplies<>{}(i, s)[7], 18);
  EXPECT_EQ(lf::bit_and<>{}(i, s)[0], 2);
  EXPECT_EQ(lf::bit_or<int>{}(i, s)[1], 7);
  EXPECT_EQ(lf::bit_xor<>{}(i, 3)[2], 5);
  EXPECT_EQ(lf::minimum<>{}(i, s)[3], 3);
  EXPECT_EQ(lf::maximum<int>{}(i, s)[3], 6);
  EXPECT_TRUE(lf::logical_and<>{}(i, s).all());
  EXPECT_TRUE(lf::logical_and<>{}(i, v_int(0)).none());
  EXPECT_TRUE(lf::logical_or<int>{}(i, 0).all());
  EXPECT_TRUE(lf::plus<short>{}(v_short(short(30000)), short(10000))[1] == static_cast<short>(40000));
}

TEST(functional, masks) {
  const auto a = lf::mask<8>::from_bits(0b1100), b = lf::mask<8>::from_bits(0b1010);
  EXPECT_EQ(lf::bit_and<>{}(a, b).bits(), 0b1000U);
  EXPECT_EQ(lf::bit_or<>{}(a, b).bits(), 0b1110U);
  EXPECT_EQ(lf::bit_xor<>{}(a, b).bits(), 0b0110U);
  EXPECT_EQ(lf::logical_and<>{}(a, b).bits(), 0b1000U);
  EXPECT_EQ(lf::logical_or<>{}(a, b).bits(), 0b1110U);
}

TEST(functional, variables) {
  using shape = lf::simd<8>;
  lf::detail::lane_context<shape> context{lf::mask<8>(true), true, false};
  const lf::variable<float, shape> x(&context, v_float(2.0F));
  EXPECT_TRUE(is<v_float>(lf::plus<>{}(x, x)));
  EXPECT_TRUE(is<v_float>(lf::plus<float>{}(x, 1)));
  EXPECT_TRUE(is<v_float>(lf::maximum<>{}(x, x)));
  EXPECT_EQ(lf::maximum<>{}(x, 3.0F)[6], 3.0F);
}

/// A minimal type of a user.
struct money {
  int cents;
  friend constexpr money operator+(money a, money b) { return {a.cents + b.cents}; }
  friend constexpr bool operator<(money a, money b) { return a.cents < b.cents; }
};

TEST(functional, user_types) {
  static_assert(lf::plus<>{}(money{1}, money{2}).cents == 3);
  static_assert(lf::plus<money>{}(money{1}, money{2}).cents == 3);
  static_assert(lf::minimum<>{}(money{1}, money{2}).cents == 1);
  static_assert(lf::maximum<money>{}(money{1}, money{2}).cents == 2);
}

TEST(functional, commutative) {
  static_assert(lf::is_commutative_v<lf::plus<>> && lf::is_commutative_v<lf::plus<float>>);
  static_assert(lf::is_commutative_v<const lf::minimum<>> && lf::is_commutative_v<std::bit_xor<>>);
  const auto subtract = [](auto a, auto b) { return a - b; };
  static_assert(!lf::is_commutative_v<decltype(subtract)> && !lf::is_commutative_v<std::minus<>>);
}

} // namespace
