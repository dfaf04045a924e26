// SPDX-License-Identifier: Apache-2.0
#include "math_function_testing.hpp"

namespace lf = lanefold;
using namespace math_testing;

namespace {

template <class T>
class math_trigonometric : public testing::Test {};
using elements = testing::Types<float, double>;
TYPED_TEST_SUITE(math_trigonometric, elements);

LANEFOLD_TEST_FUNCTION(math_trigonometric, sin, 2.5, {{-4, 4}, {-100, 100}, {-1e5, 1e5}})
LANEFOLD_TEST_FUNCTION(math_trigonometric, cos, 2.5, {{-4, 4}, {-100, 100}, {-1e5, 1e5}})
LANEFOLD_TEST_FUNCTION(math_trigonometric, tan, 3.5, {{-4, 4}, {-100, 100}, {-1e5, 1e5}})

/// Returns numbers next to multiples of pi / 2, of which nearly nothing is left.
template <class T>
std::vector<T> quarter_turns() {
  std::vector<T> all;
  for (std::size_t i = 0; i < operand_count; ++i) {
    const T quarter = static_cast<T>(static_cast<long double>(i / 3 + 1) * 1.57079632679489661923132169163975144L);
    all.push_back(i % 3 == 0 ? quarter : std::nextafter(quarter, i % 3 == 1 ? T(0) : T(1e9)));
  }
  return all;
}

TYPED_TEST(math_trigonometric, next_to_quarters_of_a_turn) {
  using T = TypeParam;
  const std::vector<T> x = quarter_turns<T>();
  expect_within<T>("sin", 2.5, [](const auto& v) { return lf::sin(v); }, [](long double v) { return std::sin(v); }, x);
  expect_within<T>("cos", 2.5, [](const auto& v) { return lf::cos(v); }, [](long double v) { return std::cos(v); }, x);
  expect_within<T>("tan", 3.5, [](const auto& v) { return lf::tan(v); }, [](long double v) { return std::tan(v); }, x);
}

LANEFOLD_TEST_FUNCTION(math_trigonometric, asin, 2.5, {{-1, 1}})
LANEFOLD_TEST_FUNCTION(math_trigonometric, acos, 2.5, {{-1, 1}})
LANEFOLD_TEST_FUNCTION(math_trigonometric, atan, 2.5, {{-1, 1}, {-100, 100}})
LANEFOLD_TEST_FUNCTION(math_trigonometric, sinh, 3, {{-1, 1}, {-80, 80}, {-800, 800}})
LANEFOLD_TEST_FUNCTION(math_trigonometric, cosh, 3, {{-1, 1}, {-80, 80}, {-800, 800}})
LANEFOLD_TEST_FUNCTION(math_trigonometric, tanh, 2.5, {{-1, 1}, {-30, 30}})
LANEFOLD_TEST_FUNCTION(math_trigonometric, asinh, 4, {{-1, 1}, {-1000, 1000}})
LANEFOLD_TEST_FUNCTION(math_trigonometric, acosh, 2.5, {{1, 2}, {0, 1000}})
LANEFOLD_TEST_FUNCTION(math_trigonometric, atanh, 2, {{-1, 1}})

TYPED_TEST(math_trigonometric, atan2) {
  using T = TypeParam;
  expect_within<T>(
      "atan2", 3, [](const auto& y, const auto& x) { return lf::atan2(y, x); },
      [](long double y, long double x) { return std::atan2(y, x); }, operands<T>({{-10, 10}}),
      operands<T>({{-10, 10}, {-1000, 1000}}, true));
}

TYPED_TEST(math_trigonometric, sincos) {
  using T = TypeParam;
  const auto x = operands<T>({{-10, 10}});
  for (std::size_t i = 0; i < operand_count; i += 16) {
    const auto v = lf::varying<T, 16>::load(x.data() + i);
    const auto [s, c] = lf::sincos(v);
    for (std::size_t lane = 0; lane < 16; ++lane) {
      ASSERT_TRUE(same(s[lane], lf::sin(v)[lane]));
      ASSERT_TRUE(same(c[lane], lf::cos(v)[lane]));
    }
  }
  EXPECT_EQ(lf::sincos(T(0)).cos, T(1));
}

} // namespace
