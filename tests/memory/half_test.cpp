// SPDX-License-Identifier: Apache-2.0
/// half and bfloat16: every value, rounding of every kind of number, arithmetic, limits.
#include "memory/small_real_bits.hpp"

#include <lanefold/memory/bfloat16_functions.hpp>
#include <lanefold/memory/half.hpp>
#include <lanefold/memory/math_functions.hpp>
#include <lanefold/memory/relational_functions.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <type_traits>
#include <unordered_set>

namespace {

namespace lf = lanefold;
using lf::half;
using lf::ext::oneapi::bfloat16;

static_assert(sizeof(half) == 2 && alignof(half) == 2 && std::is_trivially_copyable_v<half>);
static_assert(sizeof(bfloat16) == 2 && std::is_trivially_copyable_v<bfloat16>);
static_assert(half(1.5F) + half(2) == 3.5F, "half computes at compile time");

/// Returns what the bits of a 16-bit number with a number of bits for the fraction mean, from the definition in IEEE
/// 754.
double meaning(unsigned b, int fraction_bits, int bias) {
  const unsigned exponent_mask = (0x7fffU >> fraction_bits);
  const unsigned exponent = b >> fraction_bits & exponent_mask, fraction = b & ((1U << fraction_bits) - 1);
  const double sign = (b & 0x8000U) != 0 ? -1 : 1;
  if (exponent == exponent_mask) {
    return fraction == 0 ? sign * HUGE_VAL : NAN;
  }
  const double mantissa = std::ldexp(fraction, -fraction_bits) + (exponent == 0 ? 0 : 1);
  return sign * std::ldexp(mantissa, static_cast<int>(exponent == 0 ? 1 : exponent) - bias);
}

template <class T>
struct small_reals : ::testing::Test {};
using types = ::testing::Types<half, bfloat16>;
TYPED_TEST_SUITE(small_reals, types);

template <class T>
constexpr int fraction_bits = std::is_same_v<T, half> ? 10 : 7;
template <class T>
constexpr int bias = std::is_same_v<T, half> ? 15 : 127;
template <class T>
constexpr unsigned infinite = std::is_same_v<T, half> ? 0x7c00U : 0x7f80U;

TYPED_TEST(small_reals, every_value_is_a_float_and_back) {
  for (unsigned b = 0; b < 65536; ++b) {
    const auto x = of_bits<TypeParam>(b);
    const float value = x;
    const double right = meaning(b, fraction_bits<TypeParam>, bias<TypeParam>);
    if (std::isnan(right)) {
      ASSERT_TRUE(std::isnan(value)) << b;
      ASSERT_TRUE(std::isnan(static_cast<float>(TypeParam(value)))) << b;
    } else {
      ASSERT_EQ(value, right) << b;
      ASSERT_EQ(std::signbit(value), (b & 0x8000U) != 0) << b;
      ASSERT_EQ(bits(TypeParam(value)), b);
      ASSERT_EQ(bits(TypeParam(static_cast<double>(value))), b);
    }
  }
}

/// Numbers on, just below and just above the middle of neighbours round to the nearest, ties to even: also those that
/// are near it only as doubles, which rounding to float first would put there.
TYPED_TEST(small_reals, rounds_once) {
  for (unsigned b = 0; b < infinite<TypeParam>; ++b) {
    const double low = meaning(b, fraction_bits<TypeParam>, bias<TypeParam>);
    const double next = b + 1 == infinite<TypeParam> ? std::ldexp(1, bias<TypeParam> + 1)
                                                     : meaning(b + 1, fraction_bits<TypeParam>, bias<TypeParam>);
    const double middle = (low + next) / 2;
    const unsigned even = b % 2 == 0 ? b : b + 1;
    for (const double sign : {1.0, -1.0}) {
      const unsigned s = sign < 0 ? 0x8000U : 0;
      ASSERT_EQ(bits(TypeParam(sign * middle)), s | even) << b;
      ASSERT_EQ(bits(TypeParam(sign * std::nextafter(middle, 0.0))), s | b) << b;
      ASSERT_EQ(bits(TypeParam(sign * std::nextafter(middle, HUGE_VAL))), s | (b + 1)) << b;
      ASSERT_EQ(bits(TypeParam(static_cast<float>(sign * middle))), s | even) << b;
      if (std::fabs(middle) <= std::numeric_limits<float>::max()) {
        ASSERT_EQ(bits(TypeParam(std::nextafterf(static_cast<float>(sign * middle), 0.F))), s | b) << b;
      }
    }
  }
  EXPECT_EQ(bits(TypeParam(HUGE_VAL)), infinite<TypeParam>);
  EXPECT_EQ(bits(TypeParam(1e300)), infinite<TypeParam>);
  EXPECT_EQ(bits(TypeParam(1e-300)), 0U);
  EXPECT_EQ(bits(TypeParam(-1e-300)), 0x8000U);
  EXPECT_TRUE(std::isnan(static_cast<float>(TypeParam(NAN))));
}

TYPED_TEST(small_reals, integers) {
  for (const long x : {0L, 1L, -1L, 2047L, 2049L, 2051L, 65504L, 65519L, 65520L, -70000L, 16777217L, 33685505L,
                       (1L << 40) + 1, 4647714815446351873L}) {
    EXPECT_EQ(bits(TypeParam(x)), bits(TypeParam(static_cast<long double>(x)))) << x;
    EXPECT_EQ(bits(TypeParam(static_cast<int>(x))), bits(TypeParam(static_cast<double>(static_cast<int>(x))))) << x;
  }
  EXPECT_EQ(static_cast<float>(TypeParam(true)), 1.F);
}

/// The instructions of the processor and the code for those without them round alike.
TEST(half, hardware_and_software) {
  const std::uint32_t seed = std::random_device{}();
  const ::testing::ScopedTrace trace(__FILE__, __LINE__, "seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int i = 0; i < 2'000'000; ++i) {
    auto b = static_cast<std::uint32_t>(random());
    b = i % 2 == 0 ? b : (b & 0x8fffffffU) | 0x30000000U; // the exponents of half
    const auto x = std::bit_cast<float>(b);
    ASSERT_EQ(lf::detail::computed_half_bits(x), lf::detail::half_bits(x)) << x;
  }
  for (unsigned b = 0; b < 65536; ++b) {
    const auto h = static_cast<std::uint16_t>(b);
    ASSERT_EQ(std::bit_cast<std::uint32_t>(lf::detail::computed_half_value(h)),
              std::bit_cast<std::uint32_t>(lf::detail::half_value(h)))
        << b;
  }
}

TYPED_TEST(small_reals, arithmetic) {
  using T = TypeParam;
  const T a(3.5F), b(-1.25F);
  static_assert(std::is_same_v<decltype(a + b), T> && std::is_same_v<decltype(a * 2), T> &&
                std::is_same_v<decltype(2 - a), T>);
  static_assert(std::is_same_v<decltype(a + 1.F), float> && std::is_same_v<decltype(1.0 / a), double>);
  EXPECT_EQ(a + b, 2.25F);
  EXPECT_EQ(a - b, 4.75F);
  EXPECT_EQ(a * b, -4.375F);
  EXPECT_EQ(a / T(-0.5F), -7.F);
  EXPECT_EQ(-a, -3.5F);
  EXPECT_EQ(+a, 3.5F);
  EXPECT_EQ(a * 2, 7.F);
  EXPECT_EQ(1 - a, -2.5F);
  T x = a;
  x += 1;
  x -= T(0.5F);
  x *= 2.F;
  x /= 4.0;
  EXPECT_EQ(x, 2.F);
  EXPECT_EQ(x++, 2.F);
  EXPECT_EQ(++x, 4.F);
  EXPECT_EQ(x--, 4.F);
  EXPECT_EQ(--x, 2.F);
  EXPECT_TRUE(b < a && a > b && a <= a && a >= b && a == a && a != b && a > 3 && 3.5 == a);
  EXPECT_FALSE(T(NAN) == T(NAN));
  x = 7;
  EXPECT_EQ(x, 7.F);
  x = 0.5;
  EXPECT_EQ(x, 0.5F);
}

/// + - * / in float, rounded to half, are what one rounding of the exact result is.
TEST(half, arithmetic_is_correctly_rounded) {
  const std::uint32_t seed = std::random_device{}();
  const ::testing::ScopedTrace trace(__FILE__, __LINE__, "seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int i = 0; i < 300'000; ++i) {
    const auto a = of_bits<half>(random() & 0xffffU), b = of_bits<half>(random() & 0xffffU);
    const double x = static_cast<float>(a), y = static_cast<float>(b);
    if (std::isnan(x) || std::isnan(y)) {
      continue;
    }
    const auto same = [](half got, double exact) {
      return bits(got) == bits(half(exact)) || (std::isnan(static_cast<float>(got)) && std::isnan(exact));
    };
    ASSERT_TRUE(same(a + b, x + y) && same(a - b, x - y) && same(a * b, x * y)) << x << ' ' << y;
    ASSERT_TRUE(same(a / b, x / y)) << x << ' ' << y;
  }
}

/// In a template, where g++ 12 is stricter.
template <class T>
inline constexpr T most_of = std::numeric_limits<T>::infinity();

TEST(half, limits) {
  using limits = std::numeric_limits<half>;
  static_assert(limits::is_specialized && limits::is_iec559 && limits::digits == 11 && limits::max_exponent == 16);
  static_assert(limits::digits10 == 3 && limits::max_digits10 == 5 && limits::min_exponent == -13);
  static_assert(limits::min_exponent10 == -4 && limits::max_exponent10 == 4);
  static_assert(most_of<half> == HUGE_VALF);
  EXPECT_EQ(limits::max(), 65504.F);
  EXPECT_EQ(limits::lowest(), -65504.F);
  EXPECT_EQ(limits::min(), 0x1p-14F);
  EXPECT_EQ(limits::denorm_min(), 0x1p-24F);
  EXPECT_EQ(limits::epsilon(), 0x1p-10F);
  EXPECT_EQ(limits::round_error(), 0.5F);
  EXPECT_EQ(limits::infinity(), HUGE_VALF);
  EXPECT_TRUE(std::isnan(static_cast<float>(limits::quiet_NaN())));
  EXPECT_TRUE(std::isnan(static_cast<float>(limits::signaling_NaN())));
}

TEST(bfloat16, limits) {
  using limits = std::numeric_limits<bfloat16>;
  static_assert(limits::is_specialized && limits::is_iec559 && limits::digits == 8 && limits::max_exponent == 128);
  static_assert(limits::digits10 == 2 && limits::max_digits10 == 4 && limits::min_exponent == -125);
  static_assert(limits::min_exponent10 == -37 && limits::max_exponent10 == 38);
  static_assert(most_of<bfloat16> == HUGE_VALF);
  EXPECT_EQ(limits::max(), 0x1.FEp127F);
  EXPECT_EQ(limits::lowest(), -0x1.FEp127F);
  EXPECT_EQ(limits::min(), 0x1p-126F);
  EXPECT_EQ(limits::denorm_min(), 0x1p-133F);
  EXPECT_EQ(limits::epsilon(), 0x1p-7F);
  EXPECT_EQ(limits::round_error(), 0.5F);
  EXPECT_TRUE(std::isnan(static_cast<float>(limits::quiet_NaN())));
  EXPECT_TRUE(std::isnan(static_cast<float>(limits::signaling_NaN())));
}

TEST(small_reals, are_read_from_streams) {
  std::istringstream in("1.5 -2e3 word");
  half h;
  bfloat16 b;
  in >> h >> b;
  EXPECT_EQ(h, 1.5F);
  EXPECT_EQ(b, -2000.F);
  in >> h;
  EXPECT_TRUE(in.fail());
  EXPECT_EQ(h, 1.5F);
}

TEST(small_reals, are_keys_of_unordered_containers) {
  const std::unordered_set<half> halves{half(1), half(2), half(0.F), half(-0.F)};
  EXPECT_EQ(halves.size(), 3U);
  EXPECT_TRUE(halves.contains(half(-0.F)));
  EXPECT_EQ((std::unordered_set<bfloat16>{bfloat16(1), bfloat16(1), bfloat16(3)}).size(), 2U);
}

TEST(small_reals, convert_to_each_other) {
  static_assert(std::is_convertible_v<half, bfloat16> && std::is_convertible_v<bfloat16, half>);
  static_assert(std::is_same_v<decltype(half() * bfloat16()), float>, "half times bfloat16 loses nothing");
  static_assert(std::is_same_v<decltype(bfloat16() - half()), float>);
  const half h = 1.0F + 0x1p-10F;
  bfloat16 b = 7;
  b = h;
  EXPECT_EQ(static_cast<float>(b), 1.F); // of fewer bits
  EXPECT_EQ(h - b, 0x1p-10F);
  EXPECT_EQ(b + h, 2.F + 0x1p-10F);
  EXPECT_TRUE(b < h && h != b);
  const bfloat16 large = 0x1p20F;
  const half beyond = large;
  EXPECT_EQ(static_cast<float>(beyond), HUGE_VALF);
}

TEST(bfloat16, is_a_float_for_functions_of_numbers) {
  static_assert(std::is_same_v<decltype(lf::sqrt(bfloat16(4))), float>);
  EXPECT_EQ(lf::sqrt(bfloat16(4)), 2.F);
  EXPECT_EQ(lf::fmax(bfloat16(3), 1.F), 3.F);
  EXPECT_FALSE(lf::isnan(bfloat16(3)));
}

TEST(bfloat16, functions) {
  namespace functions = lf::ext::oneapi::experimental;
  const std::uint32_t seed = std::random_device{}();
  const ::testing::ScopedTrace trace(__FILE__, __LINE__, "seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int i = 0; i < 10'000; ++i) {
    const auto a = of_bits<bfloat16>(random() & 0xffffU);
    const float x = a;
    ASSERT_EQ(functions::isnan(a), std::isnan(x)) << x;
    if (std::isnan(x)) { // maxima of signalling NaNs differ between C libraries
      continue;
    }
    const auto same = [](bfloat16 got, float wanted) {
      return bits(got) == bits(bfloat16(wanted)) || (std::isnan(static_cast<float>(got)) && std::isnan(wanted));
    };
    ASSERT_TRUE(same(functions::sqrt(a), std::sqrt(x)) && same(functions::fabs(a), std::fabs(x))) << x;
    ASSERT_TRUE(same(functions::floor(a), std::floor(x)) && same(functions::fmax(a, bfloat16(1)), std::fmax(x, 1.F)))
        << x;
  }
  const lf::marray<bfloat16, 2> two(bfloat16(2), bfloat16(3));
  const lf::marray<bfloat16, 2> sums = functions::fma(two, two, two);
  EXPECT_EQ(static_cast<float>(sums[0]), 6.F);
  EXPECT_EQ(static_cast<float>(sums[1]), 12.F);
  EXPECT_FALSE(functions::isnan(two)[1]);
}

} // namespace
