// SPDX-License-Identifier: Apache-2.0
/// select with operands of every kind.
#include "simd/lane_testing.hpp"

namespace {

using namespace lane_testing;
using floats = lf::varying<float, 16>;
using mask16 = lf::mask<16>;

template <class A, class B, class C>
using selected = decltype(lf::select(std::declval<A>(), std::declval<B>(), std::declval<C>()));

static_assert(std::is_same_v<selected<mask16, floats, floats>, floats>);
static_assert(std::is_same_v<selected<mask16, floats, double>, lf::varying<double, 16>>);
static_assert(std::is_same_v<selected<mask16, int, floats>, floats>);
static_assert(std::is_same_v<selected<mask16, int, int>, lf::varying<int, 16>>);
static_assert(std::is_same_v<selected<mask16, char, char>, lf::varying<char, 16>>, "no promotion of equal types");
static_assert(std::is_same_v<selected<mask16, bool, mask16>, mask16>);
static_assert(std::is_same_v<selected<mask16, bool, bool>, mask16>);
static_assert(std::is_same_v<selected<bool, int, float>, float>);
static_assert(std::is_same_v<selected<bool, floats, float>, floats>);
static_assert(std::is_same_v<selected<bool, mask16, mask16>, mask16>);
static_assert(lf::select(true, 1, 2) == 1 && lf::select(false, 1, 2.5) == 2.5);

TEST(select, mixes_types) {
  for_lanes([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    const auto on = random_bools<N>();
    const auto m = mask_of<N, Isa>(on);
    const auto a = make_lanes<int, N>(moderate_value<int>);
    const auto b = make_lanes<float, N>(moderate_value<float>);
    const auto x = lf::varying<int, N, Isa>::load(a.at);
    const auto y = lf::varying<float, N, Isa>::load(b.at);
    EXPECT_LANES(lf::select(m, x, y), [&](std::size_t i) { return on[i] ? static_cast<float>(a[i]) : b[i]; });
    EXPECT_LANES(lf::select(m, 2.5, y), [&](std::size_t i) { return on[i] ? 2.5 : static_cast<double>(b[i]); });
    EXPECT_LANES(lf::select(m, x, 7L), [&](std::size_t i) { return on[i] ? static_cast<long>(a[i]) : 7L; });
    EXPECT_LANES(lf::select(m, 1, 2), [&](std::size_t i) { return on[i] ? 1 : 2; });
    EXPECT_LANES(lf::select(true, x, y), [&](std::size_t i) { return static_cast<float>(a[i]); });
    EXPECT_LANES(lf::select(false, 1, x), [&](std::size_t i) { return a[i]; });
  });
}

// ---- conditions as numbers

static_assert(std::is_same_v<decltype(lf::convert<short>(std::declval<mask16>())), lf::varying<short, 16>>);
static_assert(std::is_same_v<decltype(std::declval<floats>() + std::declval<mask16>()), floats>);
static_assert(std::is_same_v<decltype(std::declval<mask16>() + std::declval<mask16>()), lf::varying<int, 16>>);

TEST(conditions_as_numbers, count) {
  for_lanes([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    const auto on = random_bools<N>();
    const auto other = random_bools<N>();
    const auto m = mask_of<N, Isa>(on);
    const auto o = mask_of<N, Isa>(other);
    const auto a = make_lanes<int, N>(moderate_value<int>);
    const auto b = make_lanes<unsigned char, N>(moderate_value<unsigned char>);
    const auto x = lf::varying<int, N, Isa>::load(a.at);
    const auto y = lf::varying<unsigned char, N, Isa>::load(b.at);
    EXPECT_LANES(lf::convert<double>(m), [&](std::size_t i) { return on[i] ? 1. : 0.; });
    EXPECT_LANES(x + m, [&](std::size_t i) { return a[i] + int{on[i]}; });
    EXPECT_LANES(m - x, [&](std::size_t i) { return int{on[i]} - a[i]; });
    EXPECT_LANES(m * y, [&](std::size_t i) { return int{on[i]} * b[i]; });
    EXPECT_LANES(3.F - m, [&](std::size_t i) { return 3.F - static_cast<float>(on[i]); });
    EXPECT_LANES(m + o, [&](std::size_t i) { return int{on[i]} + int{other[i]}; });
  });
}

TEST(select, absolute_value) {
  const floats v = floats::iota(-8.F);
  EXPECT_LANES(lf::select(v < 0.F, -v, v), [](std::size_t i) { return std::fabs(static_cast<float>(i) - 8.F); });
}

} // namespace
