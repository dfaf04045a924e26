// SPDX-License-Identifier: Apache-2.0
/// A stencil of seven points over a volume, whose border stays as it is: a condition in the kernel says so.
#include "programs.hpp"

namespace lanefold_benchmarks {

void measure_volume(contest& to, unsigned threads) {
  constexpr std::size_t edge = 128, cells = edge * edge * edge;
  array<double> in(cells), out(cells);
  for (std::size_t i = 0; i < cells; ++i)
    in[i] = static_cast<double>(i * 7919 % 101);
  const volume of{in.data(), out.data(), edge};
  std::vector<double> expected(cells, -1);
  for (std::size_t z = 1; z + 1 < edge; ++z) {
    for (std::size_t y = 1; y + 1 < edge; ++y) {
      for (std::size_t x = 1; x + 1 < edge; ++x) {
        const std::size_t i = (z * edge + y) * edge + x;
        expected[i] = 0.4 * in[i] + 0.1 * (in[i - 1] + in[i + 1] + in[i - edge] + in[i + edge] + in[i - edge * edge] +
                                           in[i + edge * edge]);
      }
    }
  }

  to.run(
      "volume", openmp::smoothed(of, threads), [&] { std::fill(out.begin(), out.end(), -1.0); },
      [&] { return first_difference(out, expected, 1e-12); },
      [=](lf::queue& q, auto properties) {
        const lf::range<3> all(edge, edge, edge);
        const lf::view<const double, 3> u(of.in, all);
        const lf::view<double, 3> v(of.out, all);
        q.parallel_for(all, properties, [=](auto it) {
           const auto z = it.get_id(0), y = it.get_id(1), x = it.get_id(2);
           it.if_(z > 0 && z < edge - 1 && y > 0 && y < edge - 1 && x > 0 && x < edge - 1, [&] {
             v[z][y][x] = 0.4 * u[z][y][x] + 0.1 * (u[z][y][x - 1] + u[z][y][x + 1] + u[z][y - 1][x] + u[z][y + 1][x] +
                                                    u[z - 1][y][x] + u[z + 1][y][x]);
           });
         }).wait();
      });
}

} // namespace lanefold_benchmarks
