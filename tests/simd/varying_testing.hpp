// SPDX-License-Identifier: Apache-2.0
/// The operators of varyings for one element type; the lists of types are in varying_*_test.cpp.
#pragma once

#include "simd/lane_testing.hpp"

namespace lane_testing {

template <class T>
class varying_operators : public ::testing::Test {};
TYPED_TEST_SUITE_P(varying_operators);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(varying_operators);

template <class T>
class varying_values : public ::testing::Test {};
TYPED_TEST_SUITE_P(varying_values);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(varying_values);

#define LANE_TESTING_BINARY(draw, op)                                                                                  \
  expect_lanes_of<2, T, T, T>(#op, draw, [](auto a, auto b) { return a op b; }, [](T a, T b) { return a op b; })

TYPED_TEST_P(varying_operators, arithmetic) {
  using T = TypeParam;
  const auto draw = [](T& a, T& b, T&) { a = moderate_value<T>(), b = moderate_value<T>(); };
  LANE_TESTING_BINARY(draw, +);
  LANE_TESTING_BINARY(draw, -);
  LANE_TESTING_BINARY(draw, *);
  if constexpr (std::is_floating_point_v<T>)
    LANE_TESTING_BINARY(draw, /);
  // With plain values on either side, of a type that changes the result's.
  expect_lanes_of<2, T, T, T>("a + 3u", draw, [](auto a, auto) { return a + 3U; }, [](T a, T) { return a + 3U; });
  expect_lanes_of<2, T, T, T>("2.5 * a", draw, [](auto a, auto) { return 2.5 * a; }, [](T a, T) { return 2.5 * a; });
  expect_lanes_of<2, T, T, T>("a - 2.5f", draw, [](auto a, auto) { return a - 2.5F; }, [](T a, T) { return a - 2.5F; });
  expect_lanes_of<2, T, T, T>("true + a", draw, [](auto a, auto) { return true + a; }, [](T a, T) { return true + a; });
  expect_lanes_of<2, T, T, T>("-a", draw, [](auto a, auto) { return -a; }, [](T a, T) { return -a; });
  expect_lanes_of<2, T, T, T>("+a", draw, [](auto a, auto) { return +a; }, [](T a, T) { return +a; });
  expect_lanes_of<2, T, T, T>("!a", draw, [](auto a, auto) { return !a; }, [](T a, T) { return !a; });
}

TYPED_TEST_P(varying_operators, comparison) {
  using T = TypeParam;
  const auto draw = [](T& a, T& b, T&) { a = any_value<T>(), b = engine()() % 4 == 0 ? a : any_value<T>(); };
  LANE_TESTING_BINARY(draw, ==);
  LANE_TESTING_BINARY(draw, !=);
  LANE_TESTING_BINARY(draw, <);
  LANE_TESTING_BINARY(draw, <=);
  LANE_TESTING_BINARY(draw, >);
  LANE_TESTING_BINARY(draw, >=);
  expect_lanes_of<2, T, T, T>("a < 1.5", draw, [](auto a, auto) { return a < 1.5; }, [](T a, T) { return a < 1.5; });
  expect_lanes_of<2, T, T, T>("7 >= a", draw, [](auto a, auto) { return T(7) >= a; }, [](T a, T) { return T(7) >= a; });
}

TYPED_TEST_P(varying_values, load_and_store) {
  using T = TypeParam;
  for_lanes<T>([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    using V = lf::varying<T, N, Isa>;
    static_assert(V::size() == N && std::is_same_v<typename V::value_type, T>);
    static_assert(!std::is_copy_assignable_v<V> && !std::is_default_constructible_v<V>);
    static_assert(!std::is_convertible_v<V, bool> && std::is_trivially_copyable_v<V>);
    const auto a = make_lanes<T, N>(any_value<T>);
    const V v = V::load(a.at);
    const auto all = v.to_array();
    expect_lanes("to_array", __FILE__, __LINE__, lanes(V::load(all.data())), [&](std::size_t i) { return a[i]; });
    lanes_of<T, N> single;
    for (std::size_t i = 0; i < N; ++i)
      single.at[i] = v[i];
    expect_lanes("v[i]", __FILE__, __LINE__, single, [&](std::size_t i) { return a[i]; });
    EXPECT_TRUE(same(v[0], a[0]) && same(v[N - 1], a[N - 1]));
    EXPECT_LANES(V(T(7)), [](std::size_t) { return T(7); });
  });
}

TYPED_TEST_P(varying_values, makers_and_selections) {
  using T = TypeParam;
  for_packs<T>([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    using V = lf::varying<T, N, Isa>;
    const auto a = make_lanes<T, N>(any_value<T>);
    const V v = V::load(a.at);
    EXPECT_LANES(V(5U), [](std::size_t) { return T(5); });
    const T base = moderate_value<T>(), step = T(3), row = T(5);
    EXPECT_LANES(V::iota(base), [&](std::size_t i) { return static_cast<T>(base + static_cast<T>(i)); });
    EXPECT_LANES((V::template affine<(N > 4 ? 4 : N)>(T(11), row, step)), [&](std::size_t i) {
      constexpr std::size_t c = N > 4 ? 4 : N;
      return static_cast<T>(T(11) + static_cast<T>(static_cast<T>(i / c) * row) + static_cast<T>(i % c) * step);
    });
    const auto on = random_bools<N>();
    const auto m = mask_of<N, Isa>(on);
    const auto b = make_lanes<T, N>(any_value<T>);
    const V w = V::load(b.at);
    EXPECT_LANES(lf::select(m, v, w), [&](std::size_t i) { return on[i] ? a[i] : b[i]; });
    EXPECT_LANES(lf::select(m, v, T(3)), [&](std::size_t i) { return on[i] ? a[i] : T(3); });
    EXPECT_LANES(V(m), [&](std::size_t i) { return T(on[i]); });
    V x = v;
    lf::detail::assign(x, w, m);
    EXPECT_LANES(x, [&](std::size_t i) { return on[i] ? b[i] : a[i]; });
    lf::detail::assign(x, w);
    EXPECT_LANES(x, [&](std::size_t i) { return b[i]; });
  });
}

REGISTER_TYPED_TEST_SUITE_P(varying_operators, arithmetic, comparison);
REGISTER_TYPED_TEST_SUITE_P(varying_values, load_and_store, makers_and_selections);

template <class T>
class varying_integers : public ::testing::Test {};
TYPED_TEST_SUITE_P(varying_integers);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(varying_integers);

TYPED_TEST_P(varying_integers, bitwise) {
  using T = TypeParam;
  const auto draw = [](T& a, T& b, T&) { a = any_value<T>(), b = any_value<T>(); };
  LANE_TESTING_BINARY(draw, &);
  LANE_TESTING_BINARY(draw, |);
  LANE_TESTING_BINARY(draw, ^);
  expect_lanes_of<2, T, T, T>("~a", draw, [](auto a, auto) { return ~a; }, [](T a, T) { return ~a; });
  expect_lanes_of<2, T, T, T>("a & 15", draw, [](auto a, auto) { return a & 15; }, [](T a, T) { return a & 15; });
}

TYPED_TEST_P(varying_integers, shifts) {
  using T = TypeParam;
  constexpr auto width = static_cast<std::uint64_t>(sizeof(+T{}) * 8);
  expect_lanes_of<2, T, short, T>(
      "a << b", [](T& a, short& b, T&) { a = any_value<T>(), b = static_cast<short>(engine()() % width); },
      [](auto a, auto b) { return a << b; }, [](T a, short b) { return a << b; });
  expect_lanes_of<2, T, unsigned long, T>(
      "a >> b", [](T& a, unsigned long& b, T&) { a = any_value<T>(), b = engine()() % width; },
      [](auto a, auto b) { return a >> b; }, [](T a, unsigned long b) { return a >> b; });
  expect_lanes_of<2, T, int, T>(
      "77 << b", [](T& a, int& b, T&) { a = T(0), b = static_cast<int>(engine()() % 24); },
      [](auto, auto b) { return 77 << b; }, [](T, int b) { return 77 << b; });
  static std::uint64_t n; // the functions capture nothing
  for (const std::uint64_t places :
       {std::uint64_t(0), std::uint64_t(1), std::uint64_t(7), width - 1, engine()() % width}) {
    n = places;
    const auto draw = [](T& a, T& b, T&) { a = any_value<T>(), b = T(0); };
    expect_lanes_of<2, T, T, T>("a << n", draw, [](auto a, auto) { return a << n; }, [](T a, T) { return a << n; });
    expect_lanes_of<2, T, T, T>("a >> n", draw, [](auto a, auto) { return a >> n; }, [](T a, T) { return a >> n; });
  }
}

TYPED_TEST_P(varying_integers, division) {
  using T = TypeParam;
  // Operands of every size, among them pairs for which a quotient in floating point is closest to rounding up.
  const auto draw = [](T& a, T& b, T&) {
    auto& e = engine();
    a = static_cast<T>(e() >> (e() % 64));
    b = static_cast<T>(e() >> (e() % 64));
    if (b == T(0) || (std::is_signed_v<T> && b == static_cast<T>(-1)))
      b = T(3);
    if (e() % 4 == 0) {
      const T q = static_cast<T>(a / b);
      a = static_cast<T>(q * b - T(e() % 2));
    }
    if (std::is_signed_v<T> && e() % 2 != 0)
      a = static_cast<T>(T(0) - (a == std::numeric_limits<T>::min() ? T(1) : a));
  };
  LANE_TESTING_BINARY(draw, /);
  LANE_TESTING_BINARY(draw, %);
  expect_lanes_of<2, T, T, T>("a / 7", draw, [](auto a, auto) { return a / T(7); }, [](T a, T) { return a / T(7); });
  expect_lanes_of<2, T, T, T>("a % 8", draw, [](auto a, auto) { return a % T(8); }, [](T a, T) { return a % T(8); });
  // Dividing by 0 or -1 must not trap: lanes that are not active may hold anything.
  for_registers<T>([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    using V = lf::varying<T, N, Isa>;
    const V least(std::numeric_limits<T>::min()), greatest(std::numeric_limits<T>::max()), zero(T(0)),
        minus_one(static_cast<T>(-1));
    for (const V& a : {least, greatest, zero}) {
      lanes(a / zero);
      lanes(a % zero);
      lanes(a / minus_one);
      EXPECT_LANES(a % minus_one, [&](std::size_t i) -> decltype(+T{}) {
        return std::is_signed_v<T> ? 0 : a[i] == std::numeric_limits<T>::max() && sizeof(T) >= 4 ? 0 : a[i] % -1;
      });
    }
  });
}

REGISTER_TYPED_TEST_SUITE_P(varying_integers, bitwise, shifts, division);

} // namespace lane_testing
