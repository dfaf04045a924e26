// SPDX-License-Identifier: Apache-2.0
/// Relational and common functions in every form.
#include "function_testing.hpp"

#include <cmath>

namespace {

using namespace function_testing;

template <class T>
struct relational_functions : ::testing::Test {};
using real_types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(relational_functions, real_types);

template <class R, class... X>
void relation_differs(const char* name, const char* form, R right, X... x) {
  std::ostringstream of;
  ((of << ' ' << x), ...);
  ADD_FAILURE() << name << of.str() << " of " << form << " is not " << right;
}

/// f gives bools for numbers and in marray, masks for varyings, -1 and 0 in vectors.
template <class F, class G, class X, class... Rest>
void expect_relation(const char* name, F f, G right, const std::vector<X>& x, const std::vector<Rest>&... rest) {
  using flag = std::conditional_t<sizeof(X) == 4, std::int32_t, std::int64_t>;
  static_assert(std::is_same_v<decltype(f(x[0], rest[0]...)), bool>);
  constexpr std::size_t n = 16;
  for (std::size_t i = 0; i < count; i += n) {
    const lf::vec<flag, 16> v = f(elements<lf::vec<X, n>>(x, i), elements<lf::vec<Rest, n>>(rest, i)...);
    const lf::marray<bool, 16> m = f(elements<lf::marray<X, n>>(x, i), elements<lf::marray<Rest, n>>(rest, i)...);
    const lf::mask<n> lanes = f(lf::varying<X, n>::load(x.data() + i), lf::varying<Rest, n>::load(rest.data() + i)...);
    for (std::size_t k = 0; k < n; ++k) {
      const bool yes = right(x[i + k], rest[i + k]...);
      if (f(x[i + k], rest[i + k]...) != yes) {
        return relation_differs(name, "numbers", yes, x[i + k], rest[i + k]...);
      }
      if (v[static_cast<int>(k)] != (yes ? -1 : 0) || m[k] != yes || lanes[k] != yes) {
        return relation_differs(name, "elements", yes, x[i + k], rest[i + k]...);
      }
    }
  }
}

#define LANEFOLD_TEST_1(name, ...)                                                                                     \
  expect_relation(#name, [](const auto& v) { return lf::name(v); }, [](TypeParam v) -> bool { return __VA_ARGS__; }, x);
#define LANEFOLD_TEST_2(name, ...)                                                                                     \
  expect_relation(                                                                                                     \
      #name, [](const auto& v, const auto& w) { return lf::name(v, w); },                                              \
      [](TypeParam v, TypeParam w) -> bool { return __VA_ARGS__; }, x, y);

TYPED_TEST(relational_functions, relations) {
  auto x = operands<TypeParam>(-2, 2);
  const auto y = operands<TypeParam>(-2, 2, true);
  for (std::size_t i = count - 50; i < count; ++i) {
    x[i] = y[i];
  }
  LANEFOLD_TEST_2(isequal, v == w)
  LANEFOLD_TEST_2(isnotequal, v != w)
  LANEFOLD_TEST_2(isgreater, std::isgreater(v, w))
  LANEFOLD_TEST_2(isgreaterequal, std::isgreaterequal(v, w))
  LANEFOLD_TEST_2(isless, std::isless(v, w))
  LANEFOLD_TEST_2(islessequal, std::islessequal(v, w))
  LANEFOLD_TEST_2(islessgreater, std::islessgreater(v, w))
  LANEFOLD_TEST_2(isordered, !std::isunordered(v, w))
  LANEFOLD_TEST_2(isunordered, std::isunordered(v, w))
  LANEFOLD_TEST_1(isfinite, std::isfinite(v))
  LANEFOLD_TEST_1(isinf, std::isinf(v))
  LANEFOLD_TEST_1(isnan, std::isnan(v))
  LANEFOLD_TEST_1(isnormal, std::isnormal(v))
  LANEFOLD_TEST_1(signbit, std::signbit(v))
}

TYPED_TEST(relational_functions, select_takes_the_condition_last) {
  using T = TypeParam;
  using flag = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  const auto x = operands<T>(-2, 2), y = operands<T>(-2, 2, true);
  expect_equal<T>(
      "select", [](const auto& v, const auto& w) { return lf::select(v, w, lf::isless(v, w)); },
      [](T v, T w) { return v < w ? w : v; }, x, y);
  EXPECT_EQ(lf::select(T(1), T(2), true), T(2));
  EXPECT_EQ(lf::select(T(1), T(2), false), T(1));
  EXPECT_EQ(lf::select(T(1), T(2), 2U), T(2)); // a number converts to bool
  EXPECT_EQ(lf::select(T(1), T(2), 0), T(1));
  EXPECT_EQ(lf::select(true, T(1), T(2)), T(1)); // the condition first: select.hpp
  // Only the highest bit counts.
  const lf::vec<T, 2> v = lf::select(lf::vec<T, 2>(T(1), T(2)), lf::vec<T, 2>(T(3), T(4)),
                                     lf::vec<flag, 2>(flag(1), std::numeric_limits<flag>::min()));
  EXPECT_EQ(v[0], T(1));
  EXPECT_EQ(v[1], T(4));
  using U = std::make_unsigned_t<flag>;
  const lf::vec<T, 2> u = lf::select(lf::vec<T, 2>(T(1), T(2)), lf::vec<T, 2>(T(3), T(4)), lf::vec<U, 2>(~U(0), U(0)));
  EXPECT_EQ(u[0], T(3));
  EXPECT_EQ(u[1], T(2));
}

TYPED_TEST(relational_functions, bitselect) {
  using T = TypeParam;
  using U = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  const auto x = operands<T>(-2, 2), y = operands<T>(-2, 2, true), z = operands<T>(-2, 2);
  const auto bits = [](U a, U b, U c) { return (a & ~c) | (b & c); };
  expect_equal<T>(
      "bitselect", [](const auto& v, const auto& w, const auto& u) { return lf::bitselect(v, w, u); },
      [&](T v, T w, T u) {
        return std::bit_cast<T>(bits(std::bit_cast<U>(v), std::bit_cast<U>(w), std::bit_cast<U>(u)));
      },
      x, y, z);
  const auto a = operands<U>(0, 100), b = operands<U>(0, 100, true);
  expect_equal<U>(
      "bitselect", [](const auto& v, const auto& w) { return lf::bitselect(v, w, v); },
      [&](U v, U w) { return bits(v, w, v); }, a, b);
}

TEST(relational, any_and_all) {
  EXPECT_TRUE(lf::any(lf::int4(0, 0, -1, 0)));
  EXPECT_FALSE(lf::any(lf::int4(1, 2, 3, 0x7fffffff)));
  EXPECT_TRUE(lf::all(lf::int3(-1, -2, -3)));
  EXPECT_FALSE(lf::all(lf::int3(-1, -2, 3)));
  EXPECT_TRUE(lf::any(lf::uint2(0U, 0x80000000U)));
  EXPECT_TRUE(lf::any(lf::mbool3(false, true, false)));
  EXPECT_FALSE(lf::all(lf::mbool3(false, true, true)));
  EXPECT_TRUE(lf::all(lf::mbool2(true, true)));
  EXPECT_TRUE(lf::any(-1));
  EXPECT_FALSE(lf::all(1));
  EXPECT_TRUE(lf::any(true));
  const lf::float4 a(1.F, 2.F, 3.F, 4.F);
  EXPECT_TRUE(lf::all(a < 5.F));
  EXPECT_FALSE(lf::any(lf::isnan(a)));
}

TEST(relational, of_half) {
  using lf::half;
  const half tiny(0x1p-20F), nan = std::numeric_limits<half>::quiet_NaN();
  EXPECT_TRUE(lf::isnan(nan));
  EXPECT_FALSE(lf::isnormal(tiny));
  EXPECT_TRUE(lf::isnormal(half(0x1p-14F)));
  EXPECT_TRUE(lf::isinf(half(70000)));
  EXPECT_TRUE(lf::signbit(half(-0.F)));
  EXPECT_TRUE(lf::isless(half(1), half(2)));
  EXPECT_EQ(lf::select(half(1), half(2), true), half(2));
  const lf::vec<std::int16_t, 2> flags = lf::isnan(lf::half2(nan, tiny));
  EXPECT_EQ(flags[0], -1);
  EXPECT_EQ(flags[1], 0);
}

TEST(relational, of_varying_vectors) {
  using lanes = lf::varying<lf::float2, 8>;
  const lanes a(lf::varying<float, 8>::iota(0.F), 2.F), b(lf::float2(4.F, 2.F));
  const auto less = lf::isless(a, b);
  const auto chosen = lf::select(a, b, less);
  for (std::size_t l = 0; l < 8; ++l) {
    EXPECT_EQ(less[0][l], l < 4 ? -1 : 0);
    EXPECT_EQ(less[1][l], 0);
    EXPECT_EQ(chosen[0][l], l < 4 ? 4.F : static_cast<float>(l));
    EXPECT_EQ(chosen[1][l], 2.F);
  }
}

template <class T>
struct common_functions : ::testing::Test {};
TYPED_TEST_SUITE(common_functions, real_types);

TYPED_TEST(common_functions, against_long_double) {
  using T = TypeParam;
  const auto x = operands<T>(-400, 400), y = operands<T>(-9, 9, true);
  expect_within<T>(
      "degrees", 2, [](const auto& v) { return lf::degrees(v); },
      [](long double v) { return v * (180 / std::numbers::pi_v<long double>); }, x);
  expect_within<T>(
      "radians", 2, [](const auto& v) { return lf::radians(v); },
      [](long double v) { return v * (std::numbers::pi_v<long double> / 180); }, x);
  expect_equal<T>(
      "sign", [](const auto& v) { return lf::sign(v); },
      [](T v) { return v > 0    ? T(1)
                       : v < 0  ? T(-1)
                       : v == 0 ? v
                                : T(0); }, x);
  expect_equal<T>(
      "step", [](const auto& v, const auto& w) { return lf::step(v, w); }, [](T v, T w) { return w < v ? T(0) : T(1); },
      x, y);
  // Multiplications and additions may be fused, so results are compared as numbers near the right ones.
  const auto near = [](const char* name, const forms<T>& got, auto right) {
    for (std::size_t i = 24 * 24; i < count; ++i) {
      for (const auto* form : {&got.numbers, &got.vectors, &got.arrays, &got.lanes}) {
        ASSERT_NEAR((*form)[i], right(i), 400 * std::numeric_limits<T>::epsilon()) << name << ' ' << i;
      }
    }
  };
  near("mix", in_every_form([](const auto& v, const auto& w) { return lf::mix(v, w, T(0.25)); }, x, y),
       [&](std::size_t i) { return x[i] + (static_cast<long double>(y[i]) - x[i]) * 0.25L; });
  near("smoothstep", in_every_form([](const auto& v) { return lf::smoothstep(T(-100), T(300), v); }, x),
       [&](std::size_t i) {
         const long double t = std::min(std::max((x[i] + 100.0L) / 400, 0.0L), 1.0L);
         return t * t * (3 - 2 * t);
       });
  near("clamp", in_every_form([](const auto& v) { return lf::clamp(v, T(-10), T(10)); }, x),
       [&](std::size_t i) { return std::min(std::max(x[i], T(-10)), T(10)); });
}

} // namespace
