// SPDX-License-Identifier: Apache-2.0
#include "math_function_testing.hpp"

namespace lf = lanefold;
using namespace math_testing;

namespace {

template <class T>
class math_special : public testing::Test {};
using elements = testing::Types<float, double>;
TYPED_TEST_SUITE(math_special, elements);

LANEFOLD_TEST_FUNCTION(math_special, cbrt, 1, {{-1, 1}, {-1000, 1000}})
LANEFOLD_TEST_FUNCTION(math_special, erf, 3, {{-1, 1}, {-6, 6}})

TYPED_TEST(math_special, hypot) {
  using T = TypeParam;
  expect_within<T>(
      "hypot", 2.5, [](const auto& x, const auto& y) { return lf::hypot(x, y); },
      [](long double x, long double y) { return std::hypot(x, y); }, operands<T>({{-10, 10}, {-1000, 1000}}),
      operands<T>({{-10, 10}, {-1000, 1000}}, true));
}

TYPED_TEST(math_special, fmod) {
  using T = TypeParam;
  expect_equal<T>(
      "fmod", [](const auto& x, const auto& y) { return lf::fmod(x, y); }, [](T x, T y) { return std::fmod(x, y); },
      operands<T>({{-10, 10}, {-1e6, 1e6}}), operands<T>({{-3, 3}, {-1e-3, 1e-3}}, true));
  auto whole = operands<T>({{-1000, 1000}}), by = operands<T>({{-9, 9}});
  for (auto& x : whole)
    x = std::rint(x);
  for (auto& y : by)
    y = std::rint(y) + (engine()() % 2 == 0 ? T(0.5) : T(0));
  expect_equal<T>(
      "fmod", [](const auto& x, const auto& y) { return lf::fmod(x, y); }, [](T x, T y) { return std::fmod(x, y); },
      whole, by);
}

TYPED_TEST(math_special, erfc) {
  using T = TypeParam;
  const auto x = sizeof(T) == 4 ? operands<T>({{-5, 9}, {9, 11}, {-1, 1}, {-1e-3, 1e-3}}) : operands<T>({{-5, 10}});
  expect_within<T>(
      "erfc", sizeof(T) == 4 ? 6 : bound_of_cmath, [](const auto& v) { return lf::erfc(v); },
      [](long double v) { return std::erfc(v); }, x);
}

TYPED_TEST(math_special, tgamma) {
  using T = TypeParam;
  expect_equal<T>(
      "tgamma", [](const auto& x) { return lf::tgamma(x); }, [](T x) { return std::tgamma(x); },
      operands<T>({{-5, 30}}));
}

TYPED_TEST(math_special, lgamma) {
  using T = TypeParam;
  expect_equal<T>(
      "lgamma", [](const auto& x) { return lf::lgamma(x); }, [](T x) { return std::lgamma(x); },
      operands<T>({{-5, 30}, {0, 1000}}));
}

} // namespace
