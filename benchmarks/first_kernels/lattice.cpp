// SPDX-License-Identifier: Apache-2.0
/// A step of a fluid on a lattice (D2Q9, Bhatnagar, Gross and Krook): the nine neighbours of each cell, periodic.
#include "programs.hpp"

#include <cmath>

namespace lanefold_benchmarks {

void measure_lattice(contest& to, unsigned threads) {
  using fluid = lattice;
  constexpr std::size_t rows = 512, columns = 512, cells = rows * columns;
  const array<float> in = random_floats(fluid::directions * cells, 0.05F, 0.15F);
  array<float> out(in.size());
  std::vector<float> expected(in.size());
  const fluid of{in.data(), out.data(), rows, columns, 1.2F};
  for (std::size_t y = 0; y < rows; ++y) {
    for (std::size_t x = 0; x < columns; ++x) {
      double from[fluid::directions], rho = 0, ux = 0, uy = 0;
      for (std::size_t k = 0; k < fluid::directions; ++k) {
        const std::size_t from_y = (y + rows - static_cast<std::size_t>(fluid::dy[k] + 1) + 1) % rows;
        const std::size_t from_x = (x + columns - static_cast<std::size_t>(fluid::dx[k] + 1) + 1) % columns;
        from[k] = static_cast<double>(in[k * cells + from_y * columns + from_x]);
        rho += from[k];
        ux += fluid::dx[k] * from[k];
        uy += fluid::dy[k] * from[k];
      }
      ux /= rho, uy /= rho;
      for (std::size_t k = 0; k < fluid::directions; ++k) {
        const double along = 3 * (fluid::dx[k] * ux + fluid::dy[k] * uy);
        const double still =
            static_cast<double>(fluid::weight[k]) * rho * (1 + along + 0.5 * along * along - 1.5 * (ux * ux + uy * uy));
        expected[k * cells + y * columns + x] =
            static_cast<float>(from[k] + static_cast<double>(of.relaxation) * (still - from[k]));
      }
    }
  }

  to.run(
      "lattice", openmp::lattice(of, threads), [&] { std::fill(out.begin(), out.end(), 99.F); },
      [&] { return first_difference(out, expected, 1e-5); },
      [=](lf::queue& q, auto properties) {
        const lf::view<const float, 3> f(of.in, {fluid::directions, rows, columns});
        const lf::view<float, 3> next(of.out, {fluid::directions, rows, columns});
        q.parallel_for(lf::range<2>(rows, columns), properties, [=](auto it) {
           const auto y = it.get_id(0), x = it.get_id(1);
           auto v = it.template array<float, fluid::directions>();
           auto rho = it.var(0.F), ux = it.var(0.F), uy = it.var(0.F);
#pragma GCC unroll 9
           for (std::size_t k = 0; k < fluid::directions; ++k) {
             const int dx = fluid::dx[k], dy = fluid::dy[k];
             v[k] = f[k][(y + rows - dy) % rows][(x + columns - dx) % columns];
             rho += v[k];
             ux += static_cast<float>(dx) * v[k];
             uy += static_cast<float>(dy) * v[k];
           }
           ux /= rho;
           uy /= rho;
           const auto speed = 1.5F * (ux * ux + uy * uy);
#pragma GCC unroll 9
           for (std::size_t k = 0; k < fluid::directions; ++k) {
             const auto along = 3.F * (static_cast<float>(fluid::dx[k]) * ux + static_cast<float>(fluid::dy[k]) * uy);
             const auto still = fluid::weight[k] * rho * (1.F + along + 0.5F * along * along - speed);
             next[k][y][x] = v[k] + of.relaxation * (still - v[k]);
           }
         }).wait();
      });
}

} // namespace lanefold_benchmarks
