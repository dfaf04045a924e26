// SPDX-License-Identifier: Apache-2.0
/// Elementary functions against long double.
#pragma once

#include "math_testing.hpp"

#include <lanefold/simd/math.hpp>

#include <sstream>
#include <utility>
#include <vector>

namespace math_testing {

/// How many operands each function is tried with; a multiple of every N.
inline constexpr std::size_t operand_count = 4096;

/// Operands: some that hurt, some of any bits, most from the ranges.
template <class T>
std::vector<T> operands(const std::vector<std::pair<double, double>>& ranges) {
  std::vector<T> x(operand_count);
  for (auto& value : x) {
    const auto kind = engine()() % 8;
    if (kind == 0) {
      value = any_value<T>();
    } else {
      const auto& [low, high] = ranges[engine()() % ranges.size()];
      value = std::uniform_real_distribution<T>(static_cast<T>(low), static_cast<T>(high))(engine());
    }
  }
  return x;
}

/// Applies f(varying) of N lanes to all operands.
template <class T, std::size_t N, class Isa, class F, class... X>
std::vector<T> in_lanes(F f, const X&... x) {
  std::vector<T> y(operand_count);
  for (std::size_t i = 0; i < operand_count; i += N)
    f(lf::varying<T, N, Isa>::load(x.data() + i)...).store(y.data() + i);
  return y;
}

/// check(results, name of the way) for f in every way: plain, and in lanes.
template <class T, class F, class C, class... X>
void in_every_way(F f, C check, const X&... x) {
  std::vector<T> plain(operand_count);
  for (std::size_t i = 0; i < operand_count; ++i)
    plain[i] = f(x[i]...);
  check(plain, 0);
  check(in_lanes<T, 2, lf::native_isa>(f, x...), 2);
  check(in_lanes<T, 4, lf::native_isa>(f, x...), 4);
  check(in_lanes<T, 8, lf::native_isa>(f, x...), 8);
  check(in_lanes<T, 16, lf::native_isa>(f, x...), 16);
  check(in_lanes<T, 64, lf::native_isa>(f, x...), 64);
  if constexpr (!std::is_same_v<lf::native_isa, lf::isa::generic>)
    check(in_lanes<T, 4, lf::isa::generic>(f, x...), 4);
}

/// f within `bound` ulp of the reference, which takes and returns long double.
template <class T, class F, class R, class... X>
void expect_within(const char* name, double bound, F f, R reference, const X&... x) {
  std::vector<long double> exact(operand_count);
  for (std::size_t i = 0; i < operand_count; ++i)
    exact[i] = reference(static_cast<long double>(x[i])...);
  double worst = 0;
  in_every_way<T>(
      f,
      [&](const std::vector<T>& got, int lanes) {
        for (std::size_t i = 0; i < operand_count; ++i) {
          const double error = ulps(got[i], exact[i]);
          const bool zero_of_other_sign = exact[i] == 0 && std::signbit(got[i]) != std::signbit(exact[i]);
          worst = std::max(worst, error);
          if (!(error <= bound) || zero_of_other_sign) {
            std::ostringstream of;
            ((of << ' ' << x[i]), ...);
            ADD_FAILURE() << name << of.str() << " in " << lanes << " lanes of " << 8 * sizeof(T) << " bits: " << got[i]
                          << ", exactly " << exact[i] << ", " << error << " ulp";
            return;
          }
        }
      },
      x...);
  std::printf("%-6s %3zu bits %.2f ulp\n", name, 8 * sizeof(T), worst);
}

/// f gives what the function of plain values gives, bit by bit.
template <class T, class F, class R, class... X>
void expect_equal(const char* name, F f, R reference, const X&... x) {
  in_every_way<T>(
      f,
      [&](const std::vector<T>& got, int lanes) {
        for (std::size_t i = 0; i < operand_count; ++i) {
          const T expected = reference(x[i]...);
          if (!same(got[i], expected)) {
            std::ostringstream of;
            ((of << ' ' << x[i]), ...);
            ADD_FAILURE() << name << of.str() << " in " << lanes << " lanes: " << got[i] << ", not " << expected;
            return;
          }
        }
      },
      x...);
}

} // namespace math_testing

#define LANEFOLD_TEST_FUNCTION(suite, name, bound, ...)                                                                \
  TYPED_TEST(suite, name) {                                                                                            \
    const auto x = operands<TypeParam>(__VA_ARGS__);                                                                   \
    expect_within<TypeParam>(                                                                                          \
        #name, bound, [](const auto& v) { return lf::name(v); }, [](long double v) { return ::name##l(v); }, x);       \
  }
