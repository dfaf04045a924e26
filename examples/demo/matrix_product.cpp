// SPDX-License-Identifier: Apache-2.0
#include "../programs/matrix_product.hpp"

#include "demo.hpp"

#include <cmath>
#include <random>

namespace demo {

void run_matrix_product(lf::queue& q, const sizes& s, table& t) {
  const std::size_t n = s.matrix;
  const lf::range<2> extents(n, n);
  constexpr std::size_t tile = 16;
  std::vector<double> a(n * n), b(n * n), c(n * n), reference(n * n, 0.0);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> values(-1, 1);
  for (std::size_t i = 0; i < n * n; ++i) {
    a[i] = values(random);
    b[i] = values(random);
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t j = 0; j < n; ++j) {
        reference[i * n + j] += a[i * n + k] * b[k * n + j];
      }
    }
  }
  const lf::view<const double, 2> va(a.data(), extents), vb(b.data(), extents);
  const lf::view<double, 2> vc(c.data(), extents);
  const auto verify = [&] {
    double worst = 0;
    for (std::size_t i = 0; i < n * n; ++i) {
      worst = std::max(worst, std::abs(c[i] - reference[i]));
    }
    return worst < 1e-12 * static_cast<double>(n);
  };
  const auto naive = [&](auto strategy) {
    std::fill(c.begin(), c.end(), 0.0);
    t.measure(
        "matmul naive", strategy.name, "-",
        [&] { programs::naive_matrix_product<tile>(q, va, vb, vc, how(strategy)).wait(); }, verify);
  };
  naive(scalar);
  naive(omp_simd);
  naive(simd<16>);
  naive(shape<8, 16>);
  const auto tiled = [&](auto strategy, lf::fiber_engine engine) {
    std::fill(c.begin(), c.end(), 0.0);
    t.measure(
        "matmul tiled", strategy.name, to_string(engine),
        [&] { programs::tiled_matrix_product<tile>(q, va, vb, vc, how(strategy, engine)).wait(); }, verify);
  };
  for_engines(scalar, tiled);
  for_engines(simd<16>, tiled);
  for_engines(shape<4, 16>, tiled);
  for_engines(shape<8, 16>, tiled);
}

} // namespace demo
