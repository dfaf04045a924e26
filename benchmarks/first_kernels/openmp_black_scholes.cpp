// SPDX-License-Identifier: Apache-2.0
/// In a file of its own, because libmvec's functions want -ffast-math.
#include "data.hpp"

#include <cmath>

namespace lanefold_benchmarks::openmp {

namespace {

/// The normal distribution.
#pragma omp declare simd
inline float normal(float x) { return 0.5F * std::erfc(x * -0.70710678F); }

} // namespace

work black_scholes(const options_on_stocks& of, unsigned threads) {
  return {"OpenMP",
          [=] {
            float* __restrict const call = of.call, * __restrict const put = of.put;
#pragma omp parallel for simd schedule(static) num_threads(static_cast<int>(threads))
            for (std::size_t i = 0; i < of.count; ++i) {
              const float s = of.price[i], k = of.strike[i], t = of.years[i];
              const float deviation = of.volatility * std::sqrt(t);
              const float d1 = (std::log(s / k) + (of.rate + 0.5F * of.volatility * of.volatility) * t) / deviation;
              const float d2 = d1 - deviation;
              const float discounted = k * std::exp(-of.rate * t);
              call[i] = s * normal(d1) - discounted * normal(d2);
              put[i] = discounted * normal(-d2) - s * normal(-d1);
            }
          },
          {}};
}

} // namespace lanefold_benchmarks::openmp
