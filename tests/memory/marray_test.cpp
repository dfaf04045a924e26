// SPDX-License-Identifier: Apache-2.0
/// marray: layout, construction, every operator, against the same with single numbers.
#include <lanefold/memory/marray.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <numeric>

namespace {

namespace lf = lanefold;

template <class T>
struct marrays : ::testing::Test {};
using types = ::testing::Types<std::uint8_t, std::int16_t, int, std::uint64_t, lf::half, float, double>;
TYPED_TEST_SUITE(marrays, types);

TYPED_TEST(marrays, layout_and_construction) {
  using T = TypeParam;
  using A = lf::marray<T, 5>;
  static_assert(sizeof(A) == 5 * sizeof(T) && alignof(A) == alignof(T) && A::size() == 5);
  static_assert(std::is_trivially_copyable_v<A> && std::is_same_v<typename A::value_type, T>);
  const A zero, same(T(3)), each(T(1), T(2), T(3), T(4), T(5)),
      joined(lf::marray<T, 2>(T(1), T(2)), 3, lf::marray<T, 2>(T(4), T(5)));
  int sum = 0;
  for (const T& x : each) {
    sum += static_cast<int>(x);
  }
  EXPECT_EQ(sum, 15);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(zero[i], T(0));
    EXPECT_EQ(same[i], T(3));
    EXPECT_EQ(each[i], static_cast<T>(i + 1));
    EXPECT_EQ(joined[i], each[i]);
  }
  A copy = each;
  copy = 7;
  EXPECT_EQ(copy[4], T(7));
  copy = each;
  copy[2] = T(9);
  EXPECT_EQ(copy.begin()[2], T(9));
  EXPECT_EQ(copy.end() - copy.begin(), 5);
  const T one = lf::marray<T, 1>(T(4));
  EXPECT_EQ(one, T(4));
  const lf::marray deduced(T(1), T(2));
  static_assert(std::is_same_v<decltype(deduced), const lf::marray<T, 2>>);
}

/// `op` between arrays, and with a number on either side, is op of the elements.
template <class R, class T, class Op>
void check(Op op) {
  const lf::marray<T, 3> a(T(6), T(5), T(4)), b(T(1), T(2), T(3));
  const lf::marray<R, 3> both = op(a, b), right = op(a, T(2)), left = op(T(7), b), mixed = op(a, 3);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(both[i], static_cast<R>(op(a[i], b[i])));
    EXPECT_EQ(right[i], static_cast<R>(op(a[i], T(2))));
    EXPECT_EQ(left[i], static_cast<R>(op(T(7), b[i])));
    EXPECT_EQ(mixed[i], static_cast<R>(op(a[i], T(3))));
  }
}

TYPED_TEST(marrays, operators) {
  using T = TypeParam;
  check<T, T>(std::plus<>{});
  check<T, T>(std::minus<>{});
  check<T, T>(std::multiplies<>{});
  check<T, T>(std::divides<>{});
  check<bool, T>(std::equal_to<>{});
  check<bool, T>(std::not_equal_to<>{});
  check<bool, T>(std::less<>{});
  check<bool, T>(std::less_equal<>{});
  check<bool, T>(std::greater<>{});
  check<bool, T>(std::greater_equal<>{});
  check<bool, T>(std::logical_and<>{});
  check<bool, T>(std::logical_or<>{});
  if constexpr (std::is_integral_v<T>) {
    check<T, T>(std::modulus<>{});
    check<T, T>(std::bit_and<>{});
    check<T, T>(std::bit_or<>{});
    check<T, T>(std::bit_xor<>{});
    check<T, T>([](const auto& x, const auto& y) { return x << y; });
    check<T, T>([](const auto& x, const auto& y) { return x >> y; });
    EXPECT_EQ((~lf::marray<T, 2>(T(5)))[1], static_cast<T>(~T(5)));
  }
}

TYPED_TEST(marrays, assignments_and_signs) {
  using T = TypeParam;
  lf::marray<T, 2> a(T(6), T(8));
  const lf::marray<T, 2> b(T(1), T(2));
  a += b;
  a -= 1;
  a *= T(3);
  a /= b;
  EXPECT_EQ(a[0], T(18));
  EXPECT_EQ(a[1], static_cast<T>(T(27) / T(2)));
  EXPECT_EQ((a++)[0], T(18));
  EXPECT_EQ((++a)[0], T(20));
  EXPECT_EQ((a--)[0], T(20));
  EXPECT_EQ((--a)[0], T(18));
  EXPECT_EQ((-b)[1], static_cast<T>(-T(2)));
  EXPECT_EQ((+b)[1], T(2));
  const lf::mbool2 none = !b;
  EXPECT_FALSE(none[0]);
  if constexpr (std::is_integral_v<T>) {
    lf::marray<T, 2> c(T(6), T(5));
    c %= T(4);
    c <<= 1;
    c |= T(1);
    c ^= T(3);
    c &= T(6);
    c >>= 1;
    EXPECT_EQ(c[0], T(3));
    EXPECT_EQ(c[1], T(0));
  }
}

TEST(marray, aliases) {
  static_assert(std::is_same_v<lf::mfloat3, lf::marray<float, 3>>);
  static_assert(std::is_same_v<lf::mint16, lf::marray<std::int32_t, 16>>);
  static_assert(std::is_same_v<lf::mulong8, lf::marray<std::uint64_t, 8>>);
  static_assert(std::is_same_v<lf::mhalf2, lf::marray<lf::half, 2>>);
  constexpr lf::mint3 a(1, 2, 3);
  static_assert((a + 1)[2] == 4, "marray computes at compile time");
}

} // namespace
