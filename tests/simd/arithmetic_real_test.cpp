// SPDX-License-Identifier: Apache-2.0
#include "math_testing.hpp"

namespace lf = lanefold;
using namespace math_testing;

namespace {

template <class T>
class arithmetic_real : public testing::Test {};
using elements = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(arithmetic_real, elements);

#define LANEFOLD_TEST_UNARY(name)                                                                                      \
  TYPED_TEST(arithmetic_real, name) {                                                                                  \
    expect_as_plain<TypeParam, 1>(#name, [](auto a) { return lf::name(a); }, [](auto a) { return std::name(a); });     \
  }
LANEFOLD_TEST_UNARY(sqrt)
LANEFOLD_TEST_UNARY(floor)
LANEFOLD_TEST_UNARY(ceil)
LANEFOLD_TEST_UNARY(trunc)
LANEFOLD_TEST_UNARY(round)
LANEFOLD_TEST_UNARY(rint)
LANEFOLD_TEST_UNARY(fabs)
LANEFOLD_TEST_UNARY(isnan)
LANEFOLD_TEST_UNARY(isinf)
LANEFOLD_TEST_UNARY(isfinite)
LANEFOLD_TEST_UNARY(isnormal)
LANEFOLD_TEST_UNARY(signbit)

TYPED_TEST(arithmetic_real, fma) {
  expect_as_plain<TypeParam, 3>(
      "fma", [](auto a, auto b, auto c) { return lf::fma(a, b, c); },
      [](auto a, auto b, auto c) { return std::fma(a, b, c); });
}

TYPED_TEST(arithmetic_real, fma_rounds_once) {
  using T = TypeParam;
  const T e = std::numeric_limits<T>::epsilon();
  const lf::varying<T, 16> a(T(1) + e);
  EXPECT_EQ(lf::fma(a, a, -(T(1) + 2 * e))[9], e * e);
}

TYPED_TEST(arithmetic_real, mad_of_whole_numbers) {
  using T = TypeParam;
  for_registers<TypeParam>([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    const auto v = lf::varying<T, N, Isa>::iota(T(-7));
    for (std::size_t i = 0; i < N; ++i) {
      const T x = T(i) - T(7);
      ASSERT_EQ(lf::mad(v, v, T(3))[i], x * x + T(3));
    }
  });
}

TYPED_TEST(arithmetic_real, copysign) {
  expect_as_plain<TypeParam, 2>(
      "copysign", [](auto a, auto b) { return lf::copysign(a, b); },
      [](auto a, auto b) { return std::copysign(a, b); });
}

// Zeros count as equal: which one of -0 and +0 is the smaller is nobody's promise.
TYPED_TEST(arithmetic_real, fmin) {
  expect_as_plain<TypeParam, 2>(
      "fmin", [](auto a, auto b) { return lf::fmin(a, b) + 0; }, [](auto a, auto b) { return std::fmin(a, b) + 0; });
}

TYPED_TEST(arithmetic_real, fmax) {
  expect_as_plain<TypeParam, 2>(
      "fmax", [](auto a, auto b) { return lf::fmax(a, b) + 0; }, [](auto a, auto b) { return std::fmax(a, b) + 0; });
}

TYPED_TEST(arithmetic_real, ldexp) {
  for_registers<TypeParam>([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    using T = TypeParam;
    for (int round = 0; round < 4 * rounds(N); ++round) {
      const auto x = make_lanes<T, N>(any_value<T>);
      const auto n = make_lanes<int, N>([] { return static_cast<int>(engine()() % 4800) - 2400; });
      const auto few = make_lanes<std::int16_t, N>([] { return static_cast<std::int16_t>(engine()() % 300 - 150); });
      const auto far = lanes(lf::ldexp(lf::varying<T, N, Isa>::load(x.at), lf::varying<int, N, Isa>::load(n.at)));
      const auto near =
          lanes(lf::ldexp(lf::varying<T, N, Isa>::load(x.at), lf::varying<std::int16_t, N, Isa>::load(few.at)));
      for (std::size_t i = 0; i < N; ++i) {
        ASSERT_TRUE(same(far[i], std::ldexp(x[i], n[i]))) << x[i] << " * 2^" << n[i] << " = " << far[i];
        ASSERT_TRUE(same(near[i], std::ldexp(x[i], few[i]))) << x[i] << " * 2^" << few[i] << " = " << near[i];
      }
    }
  });
  EXPECT_EQ(lf::ldexp(1.0F, 1000000000), HUGE_VALF);
  EXPECT_EQ((lf::ldexp(lf::varying<double, 8>(1.0), -1000000000L)[2]), 0.0);
}

TYPED_TEST(arithmetic_real, rsqrt_within_2_ulp) {
  using T = TypeParam;
  double worst = 0;
  for_registers<TypeParam>([&]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    for (int round = 0; round < 20 * rounds(N); ++round) {
      // All of [1, 4) and all exponents, denormals too.
      const auto x = make_lanes<T, N>([&] {
        const T m = std::uniform_real_distribution<T>(T(1), T(4))(engine());
        return round % 2 == 0 ? m : std::ldexp(m, static_cast<int>(engine()() % 276) - 150);
      });
      const auto y = lanes(lf::rsqrt(lf::varying<T, N, Isa>::load(x.at)));
      for (std::size_t i = 0; i < N; ++i) {
        const double error = ulps(y[i], 1 / std::sqrt(static_cast<long double>(x[i])));
        ASSERT_LE(error, 2) << x[i] << " in lane " << i << " of " << N << ": " << y[i];
        worst = std::max(worst, error);
      }
    }
  });
  this->RecordProperty("ulp", std::to_string(worst));
}

TYPED_TEST(arithmetic_real, rsqrt_of_special_values) {
  using T = TypeParam;
  using limits = std::numeric_limits<T>;
  for_registers<TypeParam>([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    const auto of = [](T x, std::size_t lane) {
      lanes_of<T, N> a = make_lanes<T, N>([] { return T(4); });
      a.at[lane] = x;
      const auto y = lanes(lf::rsqrt(lf::varying<T, N, Isa>::load(a.at)));
      for (std::size_t i = 0; i < N; ++i) {
        if (i != lane) {
          EXPECT_LE(ulps(y[i], 0.5L), 2);
        }
      }
      return y[lane];
    };
    for (std::size_t lane = 0; lane < N; lane += N > 16 ? 17 : 1) {
      EXPECT_EQ(of(T(0), lane), limits::infinity());
      EXPECT_EQ(of(-T(0), lane), -limits::infinity());
      EXPECT_TRUE(same(of(limits::infinity(), lane), T(0)));
      EXPECT_TRUE(std::isnan(of(-limits::infinity(), lane)));
      EXPECT_TRUE(std::isnan(of(T(-1), lane)));
      EXPECT_TRUE(std::isnan(of(-limits::denorm_min(), lane)));
      EXPECT_TRUE(std::isnan(of(limits::quiet_NaN(), lane)));
      for (T x : {limits::denorm_min(), 3 * limits::denorm_min(), limits::min() / 2, limits::min(), limits::max()})
        EXPECT_LE(ulps(of(x, lane), 1 / std::sqrt(static_cast<long double>(x))), 2) << x;
    }
  });
}

} // namespace
