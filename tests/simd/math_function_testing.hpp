// SPDX-License-Identifier: Apache-2.0
/// Elementary functions against long double.
#pragma once

#include "math_testing.hpp"

#include <lanefold/simd/math.hpp>

#include <sstream>
#include <utility>
#include <vector>

namespace math_testing {

/// Is the number of operands that each function is tried with; a multiple of every N.
inline constexpr std::size_t operand_count = 4096;

/// Operands: those that hurt, with every such second operand; some of any bits, most from the ranges.
template <class T>
std::vector<T> operands(const std::vector<std::pair<double, double>>& ranges, bool second = false) {
  constexpr auto awkward = awkward_values<T>();
  constexpr std::size_t n = awkward.size();
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
  for (std::size_t i = 0; i < n * n; ++i)
    x[i] = awkward[second ? i % n : i / n];
  return x;
}

/// Applies f(varying) of N lanes to all operands.
template <class T, std::size_t N, class Isa, class F, class... X>
[[gnu::noinline]] std::vector<T> all_in_lanes(F f, const X&... x) {
  std::vector<T> y(operand_count);
  for (std::size_t i = 0; i < operand_count; i += N)
    f(lf::varying<T, N, Isa>::load(x.data() + i)...).store(y.data() + i);
  return y;
}

/// check(results, lanes) for f in every way: plain and in lanes of plain values (`lanes` is 0), in each register.
template <class T, class F, class C, class... X>
void in_every_way(F f, C check, const X&... x) {
  std::vector<T> plain(operand_count);
  for (std::size_t i = 0; i < operand_count; ++i)
    plain[i] = f(x[i]...);
  check(plain, 0);
  for_registers<T>([&]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    check(all_in_lanes<T, N, Isa>(f, x...), lf::varying<T, N, Isa>::register_lanes == 1 ? 0 : static_cast<int>(N));
  });
}

/// Is the bound in ulp that glibc 2.36 keeps where it computes lane by lane.
inline constexpr double bound_of_cmath = 4;

/// f within `bound` ulp of the reference, which takes and returns long double; plain values and
/// lanes of them within what <cmath> keeps.
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
          worst = lanes == 0 ? worst : std::max(worst, error);
          if (!(error <= (lanes == 0 ? std::max(bound, bound_of_cmath) : bound)) || zero_of_other_sign) {
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
