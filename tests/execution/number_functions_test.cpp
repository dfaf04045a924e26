// SPDX-License-Identifier: Apache-2.0
/// Elementary functions in plain kernels: within the errors that SYCL allows [sycl.4.17.5] also where the compiler
/// takes them for several work-items at once, which g++ does with libmvec.
#include "disassembly.hpp"
#include "sanitized.hpp"
#include "simd/math_function_testing.hpp"

#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace {

constexpr std::size_t count = math_testing::operand_count - 1; // the last work-items are no whole register

/// Holds what a function gave in two kernels, the second of which calls it where `choice` is positive.
template <class T>
struct results {
  std::vector<T> got = std::vector<T>(count), chosen = std::vector<T>(count, T(-1)), choice = std::vector<T>(count);
  std::vector<long double> exact = std::vector<long double>(count);
};

/// Compares them; in a function of its own, since it need not be compiled for each function that is called.
template <class T, class... X>
[[gnu::noinline]] void compare(const char* name, double bound, const results<T>& of, const std::vector<X>&... x) {
  double worst = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const long double exact = of.exact[i];
    if (of.choice[i] > 0) {
      ASSERT_LE(math_testing::ulps(of.chosen[i], exact), bound) << name << " under a condition";
    } else {
      ASSERT_EQ(of.chosen[i], T(-1)) << name << " under a condition";
    }
    const double error = math_testing::ulps(of.got[i], exact);
    worst = std::max(worst, error);
    std::string at;
    ((at += " " + std::to_string(x[i])), ...);
    ASSERT_LE(error, bound) << name << at << ": " << of.got[i] << ", exactly " << exact;
    if (bound == 0 && exact == 0) {
      ASSERT_EQ(std::signbit(of.got[i]), std::signbit(exact)) << name << at;
    }
  }
  std::printf("%-6s %2zu bits %.2f ulp\n", name, 8 * sizeof(T), worst);
}

template <class T, class F, class R, class... X>
void expect_within(const char* name, double bound, F f, R reference, const std::vector<X>&... x) {
  results<T> all;
  for (std::size_t i = 0; i < count; ++i) {
    all.choice[i] = T(i % 7) - 2; // work-items 3 to 6 of seven
    all.exact[i] = reference(static_cast<long double>(x[i])...);
  }
  sycl::queue q;
  [&, to = all.got.data(), to_chosen = all.chosen.data(), by = all.choice.data()](const auto*... from) {
    q.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) { to[i] = f(from[i]...); }).wait();
    q.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) {
       if (by[i] > 0) {
         to_chosen[i] = f(from[i]...);
       }
     }).wait();
  }(x.data()...);
  compare(name, bound, all, x...);
}

template <class T>
struct number_functions : ::testing::Test {};
using numbers = ::testing::Types<float, double>;
TYPED_TEST_SUITE(number_functions, numbers);

#define LANEFOLD_TEST_1(name, bound, low, high)                                                                        \
  expect_within<TypeParam>(                                                                                            \
      #name, bound, [](auto x) { return sycl::name(x); }, [](auto x) { return std::name(x); },                         \
      math_testing::operands<TypeParam>({{low, high}}));
#define LANEFOLD_TEST_2(name, bound, low, high)                                                                        \
  expect_within<TypeParam>(                                                                                            \
      #name, bound, [](auto x, auto y) { return sycl::name(x, y); }, [](auto x, auto y) { return std::name(x, y); },   \
      math_testing::operands<TypeParam>({{low, high}}), math_testing::operands<TypeParam>({{-4, 4}}, true));

TYPED_TEST(number_functions, exponentials_and_roots) {
  LANEFOLD_TEST_1(cbrt, (sizeof(TypeParam) == 4 ? 2 : 4), -1e3, 1e3) // of doubles glibc's
  LANEFOLD_TEST_1(exp, 3, -90, 90)
  LANEFOLD_TEST_1(exp2, 3, -130, 130)
  LANEFOLD_TEST_1(expm1, 3, -2, 2)
  LANEFOLD_TEST_1(log, 3, 0, 4)
  LANEFOLD_TEST_1(log10, 3, 0, 4)
  LANEFOLD_TEST_1(log1p, 2, -1, 4)
  LANEFOLD_TEST_1(log2, 3, 0, 4)
  LANEFOLD_TEST_1(sqrt, 0.5, 0, 1e3)
  LANEFOLD_TEST_2(hypot, 4, -1e3, 1e3)
  LANEFOLD_TEST_2(pow, 16, 0, 1e3)
  expect_within<TypeParam>(
      "exp10", 3, [](auto x) { return sycl::exp10(x); }, [](long double x) { return std::pow(10.0L, x); },
      math_testing::operands<TypeParam>({{-40, 40}}));
}
TYPED_TEST(number_functions, trigonometry){
    LANEFOLD_TEST_1(acos, 4, -1, 1) LANEFOLD_TEST_1(acosh, 4, 1, 9) LANEFOLD_TEST_1(asin, 4, -1, 1)
        LANEFOLD_TEST_1(asinh, 4, -4, 4) LANEFOLD_TEST_1(atan, 5, -4, 4) LANEFOLD_TEST_1(atanh, 5, -1, 1)
            LANEFOLD_TEST_1(cos, 4, -100, 100) LANEFOLD_TEST_1(cosh, 4, -9, 9) LANEFOLD_TEST_1(erf, 16, -4, 4)
                LANEFOLD_TEST_1(erfc, 16, -4, 9) LANEFOLD_TEST_1(sin, 4, -100, 100) LANEFOLD_TEST_1(sinh, 4, -9, 9)
                    LANEFOLD_TEST_1(tan, 5, -100, 100) LANEFOLD_TEST_1(tanh, 5, -4, 4)
                        LANEFOLD_TEST_2(atan2, 6, -4, 4)} TYPED_TEST(number_functions, roundings_are_exact) {
  LANEFOLD_TEST_1(ceil, 0, -4, 4)
  LANEFOLD_TEST_1(floor, 0, -4, 4)
  LANEFOLD_TEST_1(rint, 0, -4, 4)
  LANEFOLD_TEST_1(round, 0, -4, 4)
  LANEFOLD_TEST_1(trunc, 0, -4, 4)
  for (const double whole : {0.0, 1.0, 2.0, 8388607.0, 8388608.0}) {
    const auto middle = static_cast<TypeParam>(whole + 0.5);
    const TypeParam below = std::nextafter(middle, TypeParam(0)), above = std::nextafter(middle, TypeParam(2e7));
    for (const TypeParam x : {below, middle, above, -below, -middle, -above}) {
      EXPECT_EQ(sycl::round(x), std::round(x)) << x;
    }
  }
}
/// Both are asked for of the same angle, which compilers like to make one call of.
TYPED_TEST(number_functions, sine_and_cosine_of_one_number) {
  const auto x = math_testing::operands<TypeParam>({{-10, 10}});
  expect_within<TypeParam>(
      "sincos", 8,
      [](auto a) {
        decltype(a) c;
        const auto s = sycl::sincos(a, &c);
        return s * c;
      },
      [](auto a) { return std::sin(a) * std::cos(a); }, x);
}

} // namespace

#if defined(__x86_64__) && defined(__OPTIMIZE__) && defined(__GNUC__) && !defined(__clang__) && defined(__GLIBC__) &&  \
    !defined(LANEFOLD_TEST_SANITIZED) && !defined(LANEFOLD_CHECKED)
#if __GLIBC_PREREQ(2, 35)

void range_of_functions_to_disassemble(sycl::queue& q, const float* x, float* y, std::size_t n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
     y[i] = sycl::sin(x[i]) * sycl::sqrt(sycl::cos(x[i])) + sycl::log(x[i]);
   }).wait();
}
void guarded_functions_to_disassemble(sycl::queue& q, const double* x, double* y, int n) {
  q.parallel_for(sycl::nd_range<1>(static_cast<std::size_t>((n + 127) / 128 * 128), 128), [=](sycl::nd_item<1> it) {
     const int i = static_cast<int>(it.get_global_id(0));
     if (i < n) {
       y[i] = sycl::exp(x[i]);
     }
   }).wait();
}

namespace {

/// Returns the calls of vector functions in the loops (run_rows_flat, run_groups_flat) of the kernel above.
std::string vector_calls(const char* kernels) {
  std::string calls;
  for (const auto& f : disassembly::functions_with({kernels, "_flat"})) {
    for (const auto& each : f) {
      if (each.text.find("<_ZGV") != std::string::npos) {
        calls += each.text + '\n';
      }
    }
  }
  return calls;
}

TEST(number_functions_disassembly, plain_kernels_call_vector_functions) {
  if (!disassembly::available()) {
    GTEST_SKIP() << "there is no objdump";
  }
  sycl::queue q;
  std::vector<float> x(1000, 1.F), y(1000);
  range_of_functions_to_disassemble(q, x.data(), y.data(), x.size());
  std::vector<double> v(1000, 1.0), w(1000);
  guarded_functions_to_disassemble(q, v.data(), w.data(), 990);
  EXPECT_NEAR(w[989], std::exp(1.0), 1e-15);
  EXPECT_EQ(w[990], 0);
  const std::string of_range = vector_calls("range_of_functions_to_disassemble");
  for (const char* function : {"v_sinf", "v_cosf", "v_log"}) {
    EXPECT_NE(of_range.find(function), std::string::npos) << function << " is not among:\n" << of_range;
  }
#if defined(__AVX2__) // stores under a mask
  EXPECT_NE(vector_calls("guarded_functions_to_disassemble").find("v_exp"), std::string::npos);
#endif
}

} // namespace

#endif
#endif
