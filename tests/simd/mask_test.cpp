// SPDX-License-Identifier: Apache-2.0
/// Masks against arrays of bool.
#include "simd/lane_testing.hpp"

namespace {

using namespace lane_testing;

template <std::size_t N, class F>
std::array<bool, N> bools(F f) {
  std::array<bool, N> b;
  for (std::size_t i = 0; i < N; ++i)
    b[i] = f(i);
  return b;
}

template <std::size_t N, class Isa>
void expect_equal(const char* what, const lf::mask<N, Isa>& got, const std::array<bool, N>& expected) {
  std::size_t count = 0, low = N;
  for (std::size_t i = 0; i < N; ++i) {
    ASSERT_EQ(got[i], expected[i]) << what << ", lane " << i << " of " << N;
    count += expected[i];
    if (expected[i] && low == N)
      low = i;
  }
  EXPECT_EQ(got.count(), count) << what;
  EXPECT_EQ(got.find_low(), low) << what;
  EXPECT_EQ(got.any(), count != 0) << what;
  EXPECT_EQ(got.all(), count == N) << what;
  EXPECT_EQ(got.none(), count == 0) << what;
  EXPECT_EQ(lf::any(got), count != 0);
  EXPECT_EQ(lf::all(got), count == N);
  EXPECT_EQ(lf::none(got), count == 0);
  for (std::size_t k = 0; k < lf::mask<N, Isa>::words; ++k) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < 64 && k * 64 + i < N; ++i)
      word |= static_cast<std::uint64_t>(expected[k * 64 + i]) << i;
    EXPECT_EQ(got.word(k), word) << what << ", word " << k;
    if constexpr (N <= 64) {
      EXPECT_EQ(got.bits(), word) << what;
    }
  }
}

TEST(mask, operators) {
  for_lanes([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    for (int round = 0; round < 20; ++round) {
      const auto a = random_bools<N>(), b = random_bools<N>();
      const auto x = mask_of<N, Isa>(a), y = mask_of<N, Isa>(b);
      expect_equal("from_words", x, a);
      expect_equal("&", x & y, bools<N>([&](auto i) { return a[i] && b[i]; }));
      expect_equal("|", x | y, bools<N>([&](auto i) { return a[i] || b[i]; }));
      expect_equal("^", x ^ y, bools<N>([&](auto i) { return a[i] != b[i]; }));
      expect_equal("&&", x && y, bools<N>([&](auto i) { return a[i] && b[i]; }));
      expect_equal("||", x || y, bools<N>([&](auto i) { return a[i] || b[i]; }));
      expect_equal("==", x == y, bools<N>([&](auto i) { return a[i] == b[i]; }));
      expect_equal("!=", x != y, bools<N>([&](auto i) { return a[i] != b[i]; }));
      expect_equal("!", !x, bools<N>([&](auto i) { return !a[i]; }));
      expect_equal("~", ~x, bools<N>([&](auto i) { return !a[i]; }));
      expect_equal("& bool", x & true, a);
      expect_equal("bool &&", false && x, bools<N>([](auto) { return false; }));
      expect_equal("| bool", x | false, a);
      expect_equal("bool ||", true || x, bools<N>([](auto) { return true; }));
      expect_equal("^ bool", x ^ true, bools<N>([&](auto i) { return !a[i]; }));
      expect_equal("bool ^", false ^ x, a);
      expect_equal("== bool", x == true, a);
      expect_equal("bool ==", false == x, bools<N>([&](auto i) { return !a[i]; }));
      expect_equal("!= bool", x != true, bools<N>([&](auto i) { return !a[i]; }));
      expect_equal("bool !=", false != x, a);
      expect_equal("select", lf::select(x, y, !y), bools<N>([&](auto i) { return a[i] ? b[i] : !b[i]; }));
      expect_equal("select bool", lf::select(x, true, y), bools<N>([&](auto i) { return a[i] || b[i]; }));
    }
  });
}

TEST(mask, makers) {
  for_lanes([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    using M = lf::mask<N, Isa>;
    expect_equal("all_true", M::all_true(), bools<N>([](auto) { return true; }));
    expect_equal("none_true", M::none_true(), bools<N>([](auto) { return false; }));
    for (std::size_t n : {std::size_t(0), std::size_t(1), N / 2, N - 1, N, N + 1, ~std::size_t(0), std::size_t(63),
                          std::size_t(64), std::size_t(65), std::size_t(engine()() % (N + 1))})
      expect_equal("first", M::first(n), bools<N>([&](auto i) { return i < n; }));
    if constexpr (N <= 64) {
      const std::uint64_t bits = engine()();
      expect_equal("from_bits", M::from_bits(bits), bools<N>([&](auto i) { return (bits >> i & 1) != 0; }));
    }
  });
}

TEST(mask, variables_take_active_lanes_only) {
  for_lanes([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    const auto a = random_bools<N>(), b = random_bools<N>(), on = random_bools<N>();
    auto x = mask_of<N, Isa>(a);
    lf::detail::assign(x, mask_of<N, Isa>(b), mask_of<N, Isa>(on));
    expect_equal("assign", x, bools<N>([&](auto i) { return on[i] ? b[i] : a[i]; }));
    lf::detail::assign(x, mask_of<N, Isa>(b));
    expect_equal("assign", x, b);
  });
}

TEST(mask, of_bool) {
  EXPECT_TRUE(lf::any(true) && lf::all(true) && lf::none(false));
  EXPECT_FALSE(lf::any(false) || lf::all(false) || lf::none(true));
}

static_assert(!std::is_convertible_v<lf::mask<8>, bool> && !std::is_copy_assignable_v<lf::mask<8>>);
static_assert(!std::is_default_constructible_v<lf::mask<8>> && std::is_trivially_copyable_v<lf::mask<8>>);

} // namespace
