// SPDX-License-Identifier: Apache-2.0
/// Prices of European options by the formula of Black and Scholes.
#include "programs.hpp"

#include <algorithm>
#include <cmath>

namespace lanefold_benchmarks {

void measure_black_scholes(contest& to, unsigned threads) {
  constexpr std::size_t count = std::size_t{1} << 17;
  const array<float> price = random_floats(count, 5, 30), strike = random_floats(count, 1, 100, 2),
                     years = random_floats(count, 0.25F, 10, 3);
  array<float> call(count), put(count);
  const options_on_stocks of{price.data(), strike.data(), years.data(), call.data(), put.data(), count, 0.02F, 0.3F};
  std::vector<double> expected_call, expected_put;
  for (std::size_t i = 0; i < count; ++i) {
    const auto normal = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
    const double s = price[i], k = strike[i], t = years[i], rate = of.rate, volatility = of.volatility;
    const double d1 = (std::log(s / k) + (rate + 0.5 * volatility * volatility) * t) / (volatility * std::sqrt(t));
    const double d2 = d1 - volatility * std::sqrt(t), discounted = k * std::exp(-rate * t);
    expected_call.push_back(s * normal(d1) - discounted * normal(d2));
    expected_put.push_back(discounted * normal(-d2) - s * normal(-d1));
  }

  const auto clear = [&] {
    std::fill(call.begin(), call.end(), -1.F);
    std::fill(put.begin(), put.end(), -1.F);
  };
  const auto check = [&] {
    return first_difference(call, expected_call, 1e-4) + first_difference(put, expected_put, 1e-4);
  };
  to.run("black_scholes", openmp::black_scholes(of, threads), clear, check, [=](lf::queue& q, auto properties) {
    const lf::view<const float> price_of(of.price, count), strike_of(of.strike, count), years_of(of.years, count);
    const lf::view<float> call_of(of.call, count), put_of(of.put, count);
    q.parallel_for(lf::range<1>(count), properties, [=](auto i) {
       const auto normal = [](auto x) { return 0.5F * lf::erfc(x * -0.70710678F); };
       const auto s = price_of[i], k = strike_of[i], t = years_of[i];
       const auto deviation = of.volatility * lf::sqrt(t);
       const auto d1 = (lf::log(s / k) + (of.rate + 0.5F * of.volatility * of.volatility) * t) / deviation;
       const auto d2 = d1 - deviation;
       const auto discounted = k * lf::exp(-of.rate * t);
       call_of[i] = s * normal(d1) - discounted * normal(d2);
       put_of[i] = discounted * normal(-d2) - s * normal(-d1);
     }).wait();
  });
}

} // namespace lanefold_benchmarks
