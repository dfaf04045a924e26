// SPDX-License-Identifier: Apache-2.0
/// Gauss and Seidel's iteration over a plate, in place: first the cells of one colour of a chessboard, then the others.
#include "programs.hpp"

namespace lanefold_benchmarks {

void measure_red_black(contest& to, unsigned threads) {
  constexpr std::size_t edge = 512, row = edge + 2;
  array<float> cells(row * row);
  const board of{cells.data(), edge, 10};
  const array<float> start = random_floats(row * row, 0, 100);
  const auto clear = [&] { std::copy(start.begin(), start.end(), cells.begin()); };
  std::vector<float> expected(start.begin(), start.end());
  for (int step = 0; step < of.steps; ++step) {
    for (std::size_t colour = 0; colour < 2; ++colour) {
      for (std::size_t y = 1; y <= edge; ++y) {
        for (std::size_t x = 1 + (y + colour) % 2; x <= edge; x += 2) {
          const std::size_t i = y * row + x;
          expected[i] = 0.25F * (expected[i - 1] + expected[i + 1] + expected[i - row] + expected[i + row]);
        }
      }
    }
  }

  to.run(
      "red_black", openmp::red_black(of, threads), clear, [&] { return first_difference(cells, expected, 1e-5); },
      [=](lf::queue& q, auto properties) {
        const lf::view<float, 2> u(of.cells, {row, row});
        for (int step = 0; step < of.steps; ++step) {
          for (std::size_t colour = 0; colour < 2; ++colour) {
            q.parallel_for(lf::range<2>(edge, edge / 2), properties, [=](auto it) {
              const auto y = it.get_id(0) + 1, x = it.get_id(1) * 2 + 1 + (y + colour) % 2;
              u[y][x] = 0.25F * (u[y][x - 1] + u[y][x + 1] + u[y - 1][x] + u[y + 1][x]);
            });
          }
        }
        q.wait();
      });
}

} // namespace lanefold_benchmarks
