// SPDX-License-Identifier: Apache-2.0
/// In a file of its own, because libmvec's functions want -ffast-math.
#include "by_hand.hpp"

#include <cmath>

namespace lanefold_benchmarks::by_hand {

namespace {

template <class T, class F>
work loop(const T* x, T* y, std::size_t count, unsigned threads, F f) {
  return {"OpenMP, -ffast-math",
          [=] {
#pragma omp parallel for simd schedule(static) num_threads(static_cast<int>(threads))
            for (std::size_t i = 0; i < count; ++i)
              y[i] = f(x[i]);
          },
          {}};
}
template <class T>
work any(function of, const T* x, T* y, std::size_t count, unsigned threads) {
  switch (of) {
  case function::exp: return loop(x, y, count, threads, [](T a) { return std::exp(-a); });
  case function::log: return loop(x, y, count, threads, [](T a) { return std::log(a); });
  case function::pow: return loop(x, y, count, threads, [](T a) { return std::pow(a, T(1.1)); });
  case function::sincos: return loop(x, y, count, threads, [](T a) { return std::sin(a) * std::cos(a); });
  case function::sqrt: break;
  }
  return loop(x, y, count, threads, [](T a) { return std::sqrt(a); });
}

} // namespace

work functions(function of, const float* x, float* y, std::size_t count, unsigned threads) {
  return any(of, x, y, count, threads);
}
work functions(function of, const double* x, double* y, std::size_t count, unsigned threads) {
  return any(of, x, y, count, threads);
}

} // namespace lanefold_benchmarks::by_hand
