// SPDX-License-Identifier: Apache-2.0
#include "math_function_testing.hpp"

namespace lf = lanefold;
using namespace math_testing;

namespace {

template <class T>
class math_exponential : public testing::Test {};
using elements = testing::Types<float, double>;
TYPED_TEST_SUITE(math_exponential, elements);

LANEFOLD_TEST_FUNCTION(math_exponential, exp, 3, {{-1, 1}, {-80, 80}, {-800, 800}})
LANEFOLD_TEST_FUNCTION(math_exponential, exp2, 2, {{-1, 1}, {-120, 120}, {-1100, 1100}})
LANEFOLD_TEST_FUNCTION(math_exponential, exp10, 2, {{-1, 1}, {-30, 30}, {-330, 330}})
LANEFOLD_TEST_FUNCTION(math_exponential, expm1, 3, {{-1e-3, 1e-3}, {-1, 1}, {-80, 80}, {-800, 800}})
LANEFOLD_TEST_FUNCTION(math_exponential, log, (sizeof(TypeParam) == 4 ? 1 : 2), {{0.5, 2}, {0, 1000}})
LANEFOLD_TEST_FUNCTION(math_exponential, log2, 2, {{0.5, 2}, {0, 1000}})
LANEFOLD_TEST_FUNCTION(math_exponential, log10, 2.5, {{0.5, 2}, {0, 1000}})
LANEFOLD_TEST_FUNCTION(math_exponential, log1p, 2, {{-1e-3, 1e-3}, {-1, 1}, {0, 1000}})

TYPED_TEST(math_exponential, pow) {
  using T = TypeParam;
  const auto of = [](const auto& x, const auto& y) { return lf::pow(x, y); };
  const auto exact = [](long double x, long double y) { return std::pow(x, y); };
  expect_within<T>("pow", 1.1, of, exact, operands<T>({{0, 2}, {0, 100}}), operands<T>({{-10, 10}, {-100, 100}}, true));
  auto whole = operands<T>({{-5, 5}});
  for (auto& y : whole)
    y = std::rint(y);
  expect_within<T>("pow", 1.1, of, exact, operands<T>({{-100, 100}}), whole);
}

TEST(math_mixed, result_types) {
  const lf::varying<float, 8> f(2.0F);
  const lf::varying<int, 8> i(3);
  static_assert(std::is_same_v<decltype(lf::exp(f)), lf::varying<float, 8>>);
  static_assert(std::is_same_v<decltype(lf::exp(i)), lf::varying<double, 8>>);
  static_assert(std::is_same_v<decltype(lf::pow(f, 2.0F)), lf::varying<float, 8>>);
  static_assert(std::is_same_v<decltype(lf::pow(f, 2)), lf::varying<double, 8>>);
  static_assert(std::is_same_v<decltype(lf::exp(1.0F)), float>);
  static_assert(std::is_same_v<decltype(lf::pow(2, 3)), double>);
  EXPECT_EQ(lf::pow(f, i)[6], 8.0);
  EXPECT_EQ(lf::pow(2, 3), 8.0);
  EXPECT_EQ(lf::log2(i + 5)[1], 3.0);
  EXPECT_EQ(lf::exp2(lf::varying<long double, 4>(3.0L))[2], 8.0L);
}

} // namespace
