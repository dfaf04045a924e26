// SPDX-License-Identifier: Apache-2.0
/// Cholesky factors of many matrices of 8 × 8, one work-item a matrix.
#include "programs.hpp"

#include <cmath>

namespace lanefold_benchmarks {

void measure_cholesky(contest& to, unsigned threads) {
  constexpr std::size_t n = matrices::n, count = 16384;
  array<float> in(n * n * count), out(n * n * count);
  const array<float> random = random_floats(n * n * count, -1, 1);
  std::vector<float> expected(n * n * count);
  for (std::size_t m = 0; m < count; ++m) {
    const auto at = [=](std::size_t r, std::size_t c) { return (r * n + c) * count + m; };
    for (std::size_t r = 0; r < n; ++r) { // r * rT + n
      for (std::size_t c = 0; c < n; ++c) {
        float sum = r == c ? static_cast<float>(n) : 0.F;
        for (std::size_t k = 0; k < n; ++k)
          sum += random[at(r, k)] * random[at(c, k)];
        in[at(r, c)] = sum;
      }
    }
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = j; i < n; ++i) {
        float sum = in[at(i, j)];
        for (std::size_t k = 0; k < j; ++k)
          sum -= expected[at(i, k)] * expected[at(j, k)];
        expected[at(i, j)] = i == j ? std::sqrt(sum) : sum / expected[at(j, j)];
      }
    }
  }
  const matrices of{in.data(), out.data(), count};

  to.run(
      "cholesky", openmp::cholesky(of, threads), [&] { std::fill(out.begin(), out.end(), 0.F); },
      [&] { return first_difference(out, expected, 1e-4); },
      [=](lf::queue& q, auto properties) {
        const lf::view<const float, 2> a(of.in, {n * n, count});
        const lf::view<float, 2> l(of.out, {n * n, count});
        q.parallel_for(lf::range<1>(count), properties, [=](auto it) {
           const auto m = it.get_id(0);
           auto factor = it.template array<float, n * n>();
           for (std::size_t j = 0; j < n; ++j) {
             auto diagonal = it.var(a[j * n + j][m]);
             for (std::size_t k = 0; k < j; ++k)
               diagonal -= factor[j * n + k] * factor[j * n + k];
             diagonal = lf::sqrt(diagonal);
             l[j * n + j][m] = diagonal;
             const auto inverse = 1.F / diagonal;
             for (std::size_t i = j + 1; i < n; ++i) {
               auto sum = it.var(a[i * n + j][m]);
               for (std::size_t k = 0; k < j; ++k)
                 sum -= factor[i * n + k] * factor[j * n + k];
               const auto element = sum * inverse;
               factor[i * n + j] = element;
               l[i * n + j][m] = element;
             }
           }
         }).wait();
      });
}

} // namespace lanefold_benchmarks
