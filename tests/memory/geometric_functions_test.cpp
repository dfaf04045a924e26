// SPDX-License-Identifier: Apache-2.0
/// Geometric functions of numbers, vec, marray, half and varying vectors, also where squares overflow.
#include <lanefold/memory/geometric_functions.hpp>
#include <lanefold/memory/relational_functions.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

namespace lf = lanefold;

template <class V>
struct geometric_functions : ::testing::Test {};
using vectors = ::testing::Types<lf::float2, lf::float3, lf::float4, lf::double3, lf::double4, lf::half3, lf::mfloat2,
                                 lf::mfloat3, lf::mdouble4, lf::mhalf3>;
TYPED_TEST_SUITE(geometric_functions, vectors);

template <class V>
V numbered(double first, double step) {
  V v;
  for (std::size_t i = 0; i < V::size(); ++i) {
    v[i] = static_cast<typename V::value_type>(first + step * static_cast<double>(i));
  }
  return v;
}

TYPED_TEST(geometric_functions, against_double) {
  using V = TypeParam;
  using T = typename V::value_type;
  const double bound = 8.0 * static_cast<double>(std::numeric_limits<T>::epsilon());
  const V a = numbered<V>(1.25, -0.75), b = numbered<V>(-2, 1.5);
  double product = 0, square = 0, apart = 0;
  for (std::size_t i = 0; i < V::size(); ++i) {
    const double x = a[i], y = b[i];
    product += x * y;
    square += x * x;
    apart += (x - y) * (x - y);
  }
  static_assert(std::is_same_v<decltype(lf::dot(a, b)), T> && std::is_same_v<decltype(lf::length(a)), T>);
  EXPECT_NEAR(lf::dot(a, b), product, bound * std::fabs(product));
  EXPECT_NEAR(lf::length(a), std::sqrt(square), bound * std::sqrt(square));
  EXPECT_NEAR(lf::fast_length(a), std::sqrt(square), bound * std::sqrt(square));
  EXPECT_NEAR(lf::distance(a, b), std::sqrt(apart), bound * std::sqrt(apart));
  EXPECT_NEAR(lf::fast_distance(a, b), std::sqrt(apart), bound * std::sqrt(apart));
  const V n = lf::normalize(a), f = lf::fast_normalize(a), zero = lf::normalize(V()), z = lf::fast_normalize(V());
  for (std::size_t i = 0; i < V::size(); ++i) {
    EXPECT_NEAR(n[i], a[i] / std::sqrt(square), bound);
    EXPECT_NEAR(f[i], a[i] / std::sqrt(square), bound);
    EXPECT_EQ(zero[i], T(0));
    EXPECT_EQ(z[i], T(0));
  }
  if constexpr (V::size() >= 3) {
    const V c = lf::cross(a, b);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      const double x = a[j], y = a[k], u = b[j], v = b[k];
      EXPECT_NEAR(c[i], x * v - y * u, 4 * bound);
    }
    if constexpr (V::size() == 4) {
      EXPECT_EQ(c[3], T(0));
    }
  }
}

TEST(geometric, range_of_length) {
  EXPECT_FLOAT_EQ(lf::length(lf::float2(3e30F, 4e30F)), 5e30F);
  EXPECT_FLOAT_EQ(lf::length(lf::float2(3e-30F, 4e-30F)), 5e-30F);
  EXPECT_DOUBLE_EQ(lf::length(lf::double2(3e300, 4e300)), 5e300);
  EXPECT_DOUBLE_EQ(lf::length(lf::double2(3e-300, 4e-300)), 5e-300);
  using limits = std::numeric_limits<float>;
  EXPECT_EQ(lf::length(lf::float3(0.F, limits::denorm_min(), 0.F)), limits::denorm_min());
  EXPECT_EQ(lf::length(lf::float3(0.F, limits::max(), 0.F)), limits::max());
  EXPECT_FLOAT_EQ(lf::distance(lf::float2(3e30F, 0.F), lf::float2(0.F, 4e30F)), 5e30F);
  EXPECT_FLOAT_EQ(lf::normalize(lf::float2(3e30F, 4e30F))[1], 0.8F);
  EXPECT_EQ(lf::length(lf::float3(0.F)), 0.F);
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(lf::length(lf::float2(infinity, 1.F)), infinity);
  EXPECT_TRUE(std::isnan(lf::length(lf::float2(1.F, std::nanf("")))));
  EXPECT_EQ(lf::length(lf::half2(lf::half(300), lf::half(400))), lf::half(500)); // the square is beyond half
}

TEST(geometric, numbers) {
  EXPECT_EQ(lf::dot(2.F, 3.F), 6.F);
  EXPECT_EQ(lf::length(-2.5), 2.5);
  EXPECT_EQ(lf::distance(1.F, 4.F), 3.F);
  EXPECT_EQ(lf::normalize(-3.F), -1.F);
}

TEST(geometric, varying_vectors) {
  using lanes = lf::varying<lf::float3, 8>;
  using V = lf::varying<float, 8>;
  const lanes a(V::iota(1.F), 2.F, V::iota(3.F, -1.F)), b(lf::float3(1.F, -2.F, 0.5F));
  const V product = lf::dot(a, b), size = lf::length(a), apart = lf::distance(a, lf::float3(1.F, -2.F, 0.5F));
  const lanes c = lf::cross(a, b), n = lf::normalize(a);
  for (std::size_t l = 0; l < 8; ++l) {
    const lf::float3 x = a.lane(l), y = b.lane(l);
    EXPECT_FLOAT_EQ(product[l], lf::dot(x, y));
    EXPECT_FLOAT_EQ(size[l], lf::length(x));
    EXPECT_FLOAT_EQ(apart[l], lf::distance(x, y));
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(c[i][l], lf::cross(x, y)[i], 1e-5F);
      EXPECT_FLOAT_EQ(n[i][l], lf::normalize(x)[i]);
    }
  }
  EXPECT_EQ(lf::length(V(-2.F))[3], 2.F);
}

} // namespace
