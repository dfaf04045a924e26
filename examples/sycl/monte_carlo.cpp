// SPDX-License-Identifier: Apache-2.0
/// The price of a European call option by simulation, with its standard error, against the formula of Black and
/// Scholes: random numbers of each work-item's own, and two reductions in one kernel.
///
///     monte_carlo [paths]
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>

/// A random number in (0, 1) that depends on nothing but its position in the sequence (a hash of the counter).
inline double uniform(std::uint64_t counter) {
  std::uint64_t z = (counter + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  z ^= z >> 31;
  return (static_cast<double>(z >> 12) + 0.5) * 0x1p-52;
}

inline double normal_distribution(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

int main(int argc, char** argv) {
  const std::size_t paths = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 400'000;
  const double spot = 100, strike = 105, rate = 0.03, volatility = 0.2, years = 1;

  sycl::queue q;
  double* sum = sycl::malloc_shared<double>(1, q);
  double* sum_of_squares = sycl::malloc_shared<double>(1, q);
  *sum = 0;
  *sum_of_squares = 0;

  const double drift = (rate - 0.5 * volatility * volatility) * years;
  const double spread = volatility * std::sqrt(years);
  q.parallel_for(sycl::range<1>{paths}, sycl::reduction(sum, sycl::plus<double>()),
                 sycl::reduction(sum_of_squares, 0.0, std::plus<>()),
                 [=](sycl::id<1> i, auto& total, auto& squares) {
                   // Box and Muller: two uniform numbers make a normal one.
                   const double radius = sycl::sqrt(-2.0 * sycl::log(uniform(2 * i[0])));
                   const double normal = radius * sycl::cos(6.283185307179586 * uniform(2 * i[0] + 1));
                   const double price = spot * sycl::exp(drift + spread * normal);
                   const double payoff = sycl::fmax(price - strike, 0.0);
                   total += payoff;
                   squares.combine(payoff * payoff);
                 })
      .wait();

  const double n = static_cast<double>(paths);
  const double discount = std::exp(-rate * years);
  const double mean = *sum / n;
  const double estimate = discount * mean;
  const double error = discount * std::sqrt((*sum_of_squares / n - mean * mean) / n);
  sycl::free(sum, q);
  sycl::free(sum_of_squares, q);

  const double d1 = (std::log(spot / strike) + rate * years) / spread + 0.5 * spread;
  const double exact = spot * normal_distribution(d1) - strike * discount * normal_distribution(d1 - spread);
  std::cout << "estimate " << estimate << " +- " << error << ", exact " << exact << '\n';
  return std::fabs(estimate - exact) < 4 * error && error < 20 / std::sqrt(n) ? 0 : 1;
}
