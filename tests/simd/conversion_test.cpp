// SPDX-License-Identifier: Apache-2.0
/// Conversions that round, wrap or change nothing, and those of long double.
#include "simd/conversion_testing.hpp"

namespace lane_testing {

TEST(conversion_exactly, long_double) {
  for_lanes<long double>([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    const auto a = make_lanes<long double, N>(moderate_value<long double>);
    const auto v = lf::varying<long double, N, Isa>::load(a.at);
    EXPECT_LANES(lf::convert<float>(v), [&](std::size_t i) { return static_cast<float>(a[i]); });
    EXPECT_LANES(lf::convert<long>(v), [&](std::size_t i) { return static_cast<long>(a[i]); });
    EXPECT_LANES(lf::convert<long double>(lf::convert<double>(v)),
                 [&](std::size_t i) { return static_cast<long double>(static_cast<double>(a[i])); });
  });
}

// Halves of the last place of a float, and their neighbours: one rounding, not two.
TEST(conversion_exactly, rounds_once) {
  for_registers<std::uint64_t>([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    for (int round = 0; round < 200; ++round) {
      lanes_of<std::uint64_t, N> a;
      for (std::size_t i = 0; i < N; ++i) {
        const int shift = static_cast<int>(engine()() % 40);
        a.at[i] = ((engine()() >> 40 | 1U << 23) << shift) + (std::uint64_t{1} << shift >> 1) + (engine()() % 3 - 1);
      }
      const auto v = lf::varying<std::uint64_t, N, Isa>::load(a.at);
      EXPECT_LANES(lf::convert<float>(v), [&](std::size_t i) { return static_cast<float>(a[i]); });
      EXPECT_LANES(lf::convert<double>(v), [&](std::size_t i) { return static_cast<double>(a[i]); });
      EXPECT_LANES(lf::convert<float>(lf::convert<std::int64_t>(v)),
                   [&](std::size_t i) { return static_cast<float>(static_cast<std::int64_t>(a[i])); });
    }
  });
}

TEST(conversion_exactly, of_plain_values) {
  static_assert(lf::convert<int>(2.75) == 2 && lf::convert<unsigned char>(258) == 2);
  EXPECT_EQ(lf::convert<float>(3), 3.F);
}

} // namespace lane_testing
