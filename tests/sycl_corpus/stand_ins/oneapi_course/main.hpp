// SPDX-License-Identifier: Apache-2.0
/// The program around a solution of the courses oneapi-2025 and oneapi-2026, whose folder has one function in one of
/// these headers (EITHER is that of 2026): calls it twice, checks the second result against the definition of the task,
/// and prints how long that call took.
#pragma once

#if __has_include("integral_oneapi.h")
#include "integral_oneapi.h"
#elif __has_include("jacobi_acc_oneapi.h")
#include "jacobi_acc_oneapi.h"
#define SOLVE JacobiAccONEAPI
#elif __has_include("jacobi_dev_oneapi.h")
#include "jacobi_dev_oneapi.h"
#define SOLVE JacobiDevONEAPI
#elif __has_include("jacobi_shared_oneapi.h")
#include "jacobi_shared_oneapi.h"
#define SOLVE JacobiSharedONEAPI
#elif __has_include("acc_jacobi_oneapi.h")
#define EITHER JacobiAccONEAPI
#elif __has_include("dev_jacobi_oneapi.h")
#define EITHER JacobiDevONEAPI
#elif __has_include("shared_jacobi_oneapi.h")
#define EITHER JacobiSharedONEAPI
#elif __has_include("block_gemm_oneapi.h")
#define EITHER GemmBlockONEAPI
#else
#include "gemm_block_oneapi.h"
#define MULTIPLY GemmBlockONEAPI
#endif

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <random>
#include <vector>

namespace course {

inline std::vector<float> numbers(std::size_t n) {
  static std::mt19937 random(7);
  std::uniform_real_distribution<float> between(-1, 1);
  std::vector<float> result(n);
  for (float& x : result) {
    x = between(random);
  }
  return result;
}

template <class Solution, class Error>
int check(const Solution& solution, const Error& error, double bound) {
  static_cast<void>(solution());
  const auto start = std::chrono::steady_clock::now();
  const auto result = solution();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  const double found = error(result);
  std::printf("error %g, %s, %.2f ms\n", found, found < bound ? "right" : "FAILED", took.count());
  return found < bound ? 0 : 1;
}

} // namespace course

#ifdef EITHER
#include <sycl/sycl.hpp>

// The functions get their arguments by value or by reference, whatever the headers beside them say.
#if __has_include("block_gemm_oneapi.h")
#define MULTIPLY course::solution
using third_argument = std::size_t;
#else
#define SOLVE course::solution
using third_argument = float;
#endif
[[gnu::weak]] std::vector<float> EITHER(const std::vector<float>&, const std::vector<float>&, third_argument,
                                        sycl::device);
[[gnu::weak]] std::vector<float> EITHER(std::vector<float>, std::vector<float>, third_argument, sycl::device);

namespace course {
using floats = std::vector<float>;
inline floats solution(const floats& a, const floats& b, third_argument x, const sycl::device& device) {
  floats (*const by_reference)(const floats&, const floats&, third_argument, sycl::device) = EITHER;
  floats (*const by_value)(floats, floats, third_argument, sycl::device) = EITHER;
  return by_reference != nullptr ? by_reference(a, b, x, device) : by_value(a, b, x, device);
}
} // namespace course
#endif

int main() {
  const sycl::device device;
#if __has_include("integral_oneapi.h")
  // The integral of sin(x) cos(y).
  return course::check([&] { return IntegralONEAPI(0, 1, 2048, device); },
                       [](float got) { return std::fabs(got - (1 - std::cos(1.0)) * std::sin(1.0)); }, 1e-3);
#elif defined SOLVE
  const std::size_t n = 512;
  std::vector<float> a = course::numbers(n * n);
  const std::vector<float> b = course::numbers(n);
  for (std::size_t row = 0; row < n; ++row) {
    float sum = 0;
    for (std::size_t column = 0; column < n; ++column) {
      sum += std::fabs(a[row * n + column]);
    }
    a[row * n + row] = 1.5F * sum; // a dominant diagonal: the iteration converges
  }
  const auto residual = [&](const std::vector<float>& x) {
    double worst = x.size() == n ? 0 : 1;
    for (std::size_t row = 0; row < n && x.size() == n; ++row) {
      double sum = -b[row];
      for (std::size_t column = 0; column < n; ++column) {
        sum += static_cast<double>(a[row * n + column]) * x[column];
      }
      worst = std::fmax(worst, std::fabs(sum));
    }
    return worst;
  };
  return course::check([&] { return SOLVE(a, b, 1e-6F, device); }, residual, 1e-2);
#else
  const std::size_t n = 256;
  const std::vector<float> a = course::numbers(n * n), b = course::numbers(n * n);
  std::vector<float> product(n * n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t j = 0; j < n; ++j) {
        product[i * n + j] += a[i * n + k] * b[k * n + j];
      }
    }
  }
  const auto difference = [&](const std::vector<float>& got) {
    double worst = got.size() == n * n ? 0 : 1;
    for (std::size_t i = 0; i < n * n && got.size() == n * n; ++i) {
      worst = std::fmax(worst, std::fabs(got[i] - product[i]));
    }
    return worst;
  };
  return course::check([&] { return MULTIPLY(a, b, n, device); }, difference, 1e-3);
#endif
}
