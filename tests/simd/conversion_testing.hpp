// SPDX-License-Identifier: Apache-2.0
/// Conversions of varyings from one element type to all others; the lists of types are in conversion_*_test.cpp.
#pragma once

#include "simd/lane_testing.hpp"

namespace lane_testing {

/// A value of From that To can hold (or, of integers, any: conversion is modulo 2^bits).
template <class To, class From>
From convertible_value() {
  auto& e = engine();
  if constexpr (std::is_integral_v<From>) {
    return static_cast<From>(e() >> (e() % 64));
  } else if constexpr (std::is_integral_v<To>) {
    // Both ends of To and everything between, with fractions.
    const int bits = std::min(std::numeric_limits<To>::digits, std::numeric_limits<From>::digits);
    const From x = std::ldexp(std::uniform_real_distribution<From>(From(0), From(1))(e),
                              static_cast<int>(e() % static_cast<unsigned>(bits + 1)));
    const From largest = std::ldexp(From(1), std::numeric_limits<To>::digits);
    const From y = x < largest ? x : largest / 2;
    return std::is_signed_v<To> && e() % 2 != 0 ? -y : y;
  } else {
    return std::ldexp(std::uniform_real_distribution<From>(From(-1), From(1))(e), static_cast<int>(e() % 200) - 100);
  }
}

template <class To, class From>
[[gnu::noinline]] void expect_conversion(std::size_t n, void (*convert)(const From*, To*)) {
  alignas(64) From from[256];
  alignas(64) To got[256];
  for (int round = 0; round < 32; ++round) {
    for (std::size_t i = 0; i < n; ++i)
      from[i] = convertible_value<To, From>();
    convert(from, got);
    for (std::size_t i = 0; i < n; ++i)
      if (!same<To>(got[i], static_cast<To>(from[i]))) {
        ADD_FAILURE() << typeid(From).name() << " to " << typeid(To).name() << " of " << +from[i] << " in lane " << i
                      << " of " << n << ": " << +got[i] << ", expected " << +static_cast<To>(from[i]);
        return;
      }
  }
}

template <class To, class From>
void expect_conversion() {
  const auto of_lanes = []<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    expect_conversion<To, From>(
        N, [](const From* from, To* to) { lf::convert<To>(lf::varying<From, N, Isa>::load(from)).store(to); });
  };
  for_each_n<lf::native_isa, 4, 16>(of_lanes);
  if constexpr (thorough)
    for_each_n<lf::native_isa, 2, 8, 64>(of_lanes);
}

template <class... To>
struct conversion_targets {
  template <class From>
  static void from() {
    (expect_conversion<To, From>(), ...);
  }
};

template <class T>
class conversion : public ::testing::Test {};
TYPED_TEST_SUITE_P(conversion);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(conversion);

TYPED_TEST_P(conversion, to_small_integers) {
  conversion_targets<char, signed char, unsigned char, short, unsigned short>::from<TypeParam>();
}
TYPED_TEST_P(conversion, to_large_integers) {
  conversion_targets<int, unsigned, long, unsigned long, unsigned long long>::from<TypeParam>();
}
TYPED_TEST_P(conversion, to_real_numbers) { conversion_targets<float, double>::from<TypeParam>(); }
REGISTER_TYPED_TEST_SUITE_P(conversion, to_small_integers, to_large_integers, to_real_numbers);

} // namespace lane_testing
