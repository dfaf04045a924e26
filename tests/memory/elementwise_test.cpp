// SPDX-License-Identifier: Apache-2.0
/// Functions that numbers and varyings have, of everything with elements: what <cmath> gives for an element, bit by bit
/// but for elementary functions.
/// It also tests how callers mix types, literals and namespaces.
#include "function_testing.hpp"

#include <cmath>
#include <functional>

namespace {

using namespace function_testing;

/// Is the bound in ulp of elementary functions, which compilers may take for several elements at once, and of what is
/// exact.
constexpr double elementary = 4, exact = 0;

/// f of vec, marray, a swizzle and a varying vec is within a bound of `right` of the elements; f of half is right of
/// float, rounded.
template <class F, class G, class... X>
void expect_elements(const char* name, double bound, F f, G right, const std::vector<X>&... x) {
  using R = decltype(right(x[0]...));
  const auto close = [bound](R a, R b) { return same(a, b) || (bound > 0 && ulps(a, b) <= bound); };
  for (std::size_t i = 0; i < count; i += 4) {
    const lf::vec<R, 4> v = f(elements<lf::vec<X, 4>>(x, i)...);
    const lf::vec<R, 4> s = f(elements<lf::vec<X, 4>>(x, i).template swizzle<0, 1, 2, 3>()...);
    const lf::marray<R, 4> m = f(elements<lf::marray<X, 4>>(x, i)...);
    const lf::varying<lf::vec<R, 4>, 1> lanes = f(lf::varying<lf::vec<X, 4>, 1>(elements<lf::vec<X, 4>>(x, i))...);
    for (int k = 0; k < 4; ++k) {
      const R expected = right(x[i + static_cast<std::size_t>(k)]...);
      const R others[] = {s[k], m[static_cast<std::size_t>(k)], lanes.lane(0)[k]};
      for (const R other : others) {
        if (!close(v[k], expected) || !close(other, expected)) {
          return complain(name, "elements", other, static_cast<long double>(expected), 0,
                          x[i + static_cast<std::size_t>(k)]...);
        }
      }
    }
    if constexpr (std::is_same_v<R, float> && (std::is_same_v<X, float> && ...)) {
      for (int k = 0; k < 4; ++k) {
        const auto at = i + static_cast<std::size_t>(k);
        const lf::half h = f(lf::half(x[at])...);
        const lf::half expected(static_cast<float>(right(static_cast<float>(lf::half(x[at]))...)));
        if (!same(static_cast<float>(h), static_cast<float>(expected))) {
          return complain(name, "half", static_cast<float>(h), expected, 0, x[at]...);
        }
      }
    }
  }
}

template <class T>
struct elementwise : ::testing::Test {};
using real_types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(elementwise, real_types);

#define LANEFOLD_TEST_1(name, ...)                                                                                     \
  expect_elements(                                                                                                     \
      #name, bound, [](const auto& v) { return lf::name(v); }, [](TypeParam v) -> TypeParam { return __VA_ARGS__; },   \
      x);
#define LANEFOLD_TEST_2(name, ...)                                                                                     \
  expect_elements(                                                                                                     \
      #name, bound, [](const auto& v, const auto& w) { return lf::name(v, w); },                                       \
      [](TypeParam v, TypeParam w) -> TypeParam { return __VA_ARGS__; }, x, y);
#define LANEFOLD_TEST_3(name, ...)                                                                                     \
  expect_elements(                                                                                                     \
      #name, bound, [](const auto& v, const auto& w, const auto& u) { return lf::name(v, w, u); },                     \
      [](TypeParam v, TypeParam w, TypeParam u) -> TypeParam { return __VA_ARGS__; }, x, y, z);

TYPED_TEST(elementwise, trigonometric) {
  constexpr double bound = elementary;
  const auto x = operands<TypeParam>(-3, 3), y = operands<TypeParam>(-3, 3, true);
  LANEFOLD_TEST_1(acos, std::acos(v))
  LANEFOLD_TEST_1(acosh, std::acosh(v))
  LANEFOLD_TEST_1(asin, std::asin(v))
  LANEFOLD_TEST_1(asinh, std::asinh(v))
  LANEFOLD_TEST_1(atan, std::atan(v))
  LANEFOLD_TEST_1(atanh, std::atanh(v))
  LANEFOLD_TEST_1(cos, std::cos(v))
  LANEFOLD_TEST_1(cosh, std::cosh(v))
  LANEFOLD_TEST_1(sin, std::sin(v))
  LANEFOLD_TEST_1(sinh, std::sinh(v))
  LANEFOLD_TEST_1(tan, std::tan(v))
  LANEFOLD_TEST_1(tanh, std::tanh(v))
  LANEFOLD_TEST_2(atan2, std::atan2(v, w))
}

TYPED_TEST(elementwise, exponential) {
  constexpr double bound = elementary;
  const auto x = operands<TypeParam>(-30, 30), y = operands<TypeParam>(-9, 9, true);
  LANEFOLD_TEST_1(cbrt, std::cbrt(v))
  LANEFOLD_TEST_1(erf, std::erf(v))
  LANEFOLD_TEST_1(erfc, std::erfc(v))
  LANEFOLD_TEST_1(exp, std::exp(v))
  LANEFOLD_TEST_1(exp2, std::exp2(v))
  LANEFOLD_TEST_1(exp10, lf::exp10(v))
  LANEFOLD_TEST_1(expm1, std::expm1(v))
  LANEFOLD_TEST_1(lgamma, lf::lgamma(v))
  LANEFOLD_TEST_1(log, std::log(v))
  LANEFOLD_TEST_1(log10, std::log10(v))
  LANEFOLD_TEST_1(log1p, std::log1p(v))
  LANEFOLD_TEST_1(log2, std::log2(v))
  LANEFOLD_TEST_1(rsqrt, 1 / std::sqrt(v))
  LANEFOLD_TEST_1(tgamma, std::tgamma(v))
  LANEFOLD_TEST_2(hypot, std::hypot(v, w))
  LANEFOLD_TEST_2(pow, std::pow(v, w))
}

TYPED_TEST(elementwise, of_bits_and_order) {
  constexpr double bound = exact;
  const auto x = operands<TypeParam>(-30, 30), y = operands<TypeParam>(-9, 9, true), z = operands<TypeParam>(0, 9);
  LANEFOLD_TEST_1(ceil, std::ceil(v))
  LANEFOLD_TEST_1(fabs, std::fabs(v))
  LANEFOLD_TEST_1(floor, std::floor(v))
  LANEFOLD_TEST_1(rint, std::rint(v))
  LANEFOLD_TEST_1(round, std::round(v))
  LANEFOLD_TEST_1(sqrt, std::sqrt(v))
  LANEFOLD_TEST_1(trunc, std::trunc(v))
  LANEFOLD_TEST_2(copysign, std::copysign(v, w))
  LANEFOLD_TEST_2(fmod, std::fmod(v, w))
  LANEFOLD_TEST_2(fmax, v != v || v < w ? w : v)
  LANEFOLD_TEST_2(fmin, v != v || w < v ? w : v)
  LANEFOLD_TEST_2(max, v < w ? w : v)
  LANEFOLD_TEST_2(min, w < v ? w : v)
  LANEFOLD_TEST_3(fma, std::fma(v, w, u))
}

TEST(elementwise_mixed, half_keeps_its_own_neighbours) {
  const lf::half one(1);
  EXPECT_EQ(lf::nextafter(one, lf::half(2)), 1 + 0x1p-10F);
  EXPECT_EQ(lf::nextafter(one, lf::half(0)), 1 - 0x1p-11F);
  EXPECT_EQ(lf::nextafter(lf::half(0), lf::half(-1)), -0x1p-24F);
  const lf::half2 v = lf::nextafter(lf::half2(one, lf::half(65504)), lf::half2(lf::half(9), lf::half(70000)));
  EXPECT_EQ(v[0], 1 + 0x1p-10F);
  EXPECT_EQ(v[1], std::numeric_limits<float>::infinity());
}

/// The type of the result, and its (first) value.
template <class R, class X>
void is(const X& x, R right) {
  static_assert(std::is_same_v<X, R>);
  EXPECT_EQ(x, right);
}
template <class V, class X>
void starts_with(const X& x, typename V::value_type right) {
  static_assert(std::is_same_v<X, V>);
  EXPECT_EQ(x[0], right);
}

TEST(elementwise_mixed, numbers) {
  is<float>(lf::max(2.F, 0), 2.F);
  is<double>(lf::max(2.F, 0.0), 2.0);
  is<int>(lf::max(-1, 0), 0);
  is<std::size_t>(lf::min(std::size_t{5}, 3), 3U);
  is<std::int8_t>(lf::abs(std::int8_t{-3}), 3);
  is<double>(lf::sqrt(4), 2.0);
  is<double>(lf::pow(3.F, 2), 9.0); // integers count as double, as in <cmath>
  is<double>(lf::pow(3.0, 2.F), 9.0);
  is<float>(lf::clamp(3.F, 0, 1), 1.F);
  is<float>(lf::fma(2.F, 3.F, 1.F), 7.F);
  is<lf::half>(lf::max(lf::half(2), 0), lf::half(2));
  is<lf::half>(lf::sqrt(lf::half(4)), lf::half(2));
  is<float>(lf::max(lf::half(2), 3.F), 3.F);
  is<float>(lf::native::divide(1.F, 4.F), 0.25F);
  is<float>(lf::native::recip(4.F), 0.25F);
  is<float>(lf::half_precision::sqrt(4.F), 2.F);
  is<float>(lf::native::powr(4.F, 0.5F), 2.F);
}

TEST(elementwise_mixed, numbers_beside_elements) {
  const lf::float4 v(4.F);
  starts_with<lf::float4>(lf::max(v, 0), 4.F);
  starts_with<lf::float4>(lf::max(0.0, v), 4.F);
  starts_with<lf::float4>(lf::pow(v, 2.0), 16.F);
  starts_with<lf::float4>(lf::clamp(v, 0, 1), 1.F);
  starts_with<lf::float4>(lf::mix(v, lf::float4(8.F), 0.5), 6.F);
  starts_with<lf::float4>(lf::step(5.F, v), 0.F);
  starts_with<lf::float4>(lf::ldexp(v, 1), 8.F);
  starts_with<lf::float4>(lf::native::divide(v, 2.F), 2.F);
  starts_with<lf::vec<float, 3>>(lf::sqrt(v.swizzle<0, 1, 2>()), 2.F);
  starts_with<lf::mfloat4>(lf::max(lf::mfloat4(1.F), 2), 2.F);
  starts_with<lf::uchar4>(lf::min(lf::uchar4(200), 100), 100);
  starts_with<lf::half4>(lf::max(lf::half4(lf::half(1)), 2.F), lf::half(2));
  starts_with<lf::vec<double, 2>>(lf::sqrt(lf::int2(9)), 3.0);
  using lanes = lf::varying<lf::float2, 8>;
  const auto w = lf::max(lanes(lf::float2(1.F, 5.F)), 2);
  static_assert(std::is_same_v<decltype(w), const lanes>);
  EXPECT_EQ(w[0][3], 2.F);
  EXPECT_EQ(w[1][3], 5.F);
  const auto mixed = lf::fmin(lanes(lf::float2(1.F, 5.F)), lf::float2(7.F, 2.F));
  EXPECT_EQ(mixed[0][0], 1.F);
  EXPECT_EQ(mixed[1][7], 2.F);
}

namespace with_a_directive {
using namespace lanefold; // NOLINT: as programs do

TEST(elementwise_mixed, unqualified_names) {
  const float x = 2.25F;
  EXPECT_EQ(sqrt(x), 1.5F);
  EXPECT_EQ(fabs(-x), 2.25F);
  EXPECT_EQ(lanefold::max(x, 3.F), 3.F);
  EXPECT_EQ(std::max(x, 3.F), 3.F);
  EXPECT_EQ(abs(-3), 3);
  const float4 v(x);
  EXPECT_EQ(sqrt(v)[1], 1.5F);
  EXPECT_EQ(max(v, 3.F)[1], 3.F);
  EXPECT_EQ(max(v, v)[1], x);
  EXPECT_EQ(length(float2(3.F, 4.F)), 5.F);
  EXPECT_EQ(distance(float2(3.F, 4.F), float2(0.F)), 5.F);
  EXPECT_TRUE(isnan(std::nanf("")));
  EXPECT_EQ(sin(0.0), 0.0);
  float c = 0;
  EXPECT_EQ(sincos(0.F, &c), 0.F);
  EXPECT_EQ(c, 1.F);
}
} // namespace with_a_directive

namespace with_both_directives {
using namespace lanefold; // NOLINT
using namespace std;      // NOLINT

TEST(elementwise_mixed, beside_std) {
  const float x = 2.25F;
  EXPECT_EQ(sqrt(x), 1.5F);
  EXPECT_EQ(max(x, 3.F), 3.F);
  EXPECT_EQ(min(2, 3), 2);
  EXPECT_EQ(abs(-3), 3);
  EXPECT_EQ(pow(2.F, 3.F), 8.F);
  EXPECT_EQ(floor(2.5), 2.0);
  const float4 v(x);
  EXPECT_EQ(sqrt(v)[1], 1.5F);
  EXPECT_EQ(max(v, v)[1], x);
  EXPECT_EQ(clamp(v, 0.F, 1.F)[2], 1.F);
  EXPECT_EQ(distance(float2(3.F, 4.F), float2(0.F)), 5.F);
}
} // namespace with_both_directives

} // namespace
