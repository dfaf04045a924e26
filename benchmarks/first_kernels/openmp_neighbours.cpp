// SPDX-License-Identifier: Apache-2.0
#include "data.hpp"

namespace lanefold_benchmarks::openmp {

work lattice(const lanefold_benchmarks::lattice& of, unsigned threads) {
  return {"OpenMP",
          [=] {
            using fluid = lanefold_benchmarks::lattice;
            const std::size_t rows = of.rows, columns = of.columns, cells = rows * columns;
#pragma omp parallel for schedule(static) num_threads(static_cast<int>(threads))
            for (std::size_t y = 0; y < rows; ++y) {
              const std::size_t above = (y + rows - 1) % rows, below = (y + 1) % rows;
              const std::size_t from_row[] = {below, y, above}; // by dy + 1
              const auto cell = [&](std::size_t x, const std::size_t(&from_column)[3]) {
                float v[fluid::directions], rho = 0, ux = 0, uy = 0;
#pragma GCC unroll 9
                for (std::size_t k = 0; k < fluid::directions; ++k) {
                  v[k] = of.in[k * cells + from_row[fluid::dy[k] + 1] * columns + from_column[fluid::dx[k] + 1]];
                  rho += v[k];
                  ux += static_cast<float>(fluid::dx[k]) * v[k];
                  uy += static_cast<float>(fluid::dy[k]) * v[k];
                }
                ux /= rho;
                uy /= rho;
                const float speed = 1.5F * (ux * ux + uy * uy);
#pragma GCC unroll 9
                for (std::size_t k = 0; k < fluid::directions; ++k) {
                  const float along =
                      3.F * (static_cast<float>(fluid::dx[k]) * ux + static_cast<float>(fluid::dy[k]) * uy);
                  const float still = fluid::weight[k] * rho * (1.F + along + 0.5F * along * along - speed);
                  of.out[k * cells + y * columns + x] = v[k] + of.relaxation * (still - v[k]);
                }
              };
              cell(0, {1, 0, columns - 1});
#pragma omp simd
              for (std::size_t x = 1; x < columns - 1; ++x)
                cell(x, {x + 1, x, x - 1});
              cell(columns - 1, {0, columns - 1, columns - 2});
            }
          },
          {}};
}

work smoothed(const volume& of, unsigned threads) {
  return {"OpenMP",
          [=] {
            const std::size_t n = of.edge;
            const double* __restrict const u = of.in;
            double* __restrict const v = of.out;
#pragma omp parallel for collapse(2) schedule(static) num_threads(static_cast<int>(threads))
            for (std::size_t z = 1; z < n - 1; ++z) {
              for (std::size_t y = 1; y < n - 1; ++y) {
#pragma omp simd
                for (std::size_t x = 1; x < n - 1; ++x) {
                  const std::size_t i = (z * n + y) * n + x;
                  v[i] = 0.4 * u[i] + 0.1 * (u[i - 1] + u[i + 1] + u[i - n] + u[i + n] + u[i - n * n] + u[i + n * n]);
                }
              }
            }
          },
          {}};
}

work pixels(const image& of, unsigned threads) {
  return {"OpenMP",
          [=] {
            const float* __restrict const in = of.in;
            float* __restrict const out = of.out;
#pragma omp parallel for simd schedule(static) num_threads(static_cast<int>(threads))
            for (std::size_t i = 0; i < of.rows * of.columns; ++i) {
              const float red = in[3 * i], green = in[3 * i + 1], blue = in[3 * i + 2];
              const float grey = 0.299F * red + 0.587F * green + 0.114F * blue;
              out[3 * i] = grey + image::strength[0] * (red - grey);
              out[3 * i + 1] = grey + image::strength[1] * (green - grey);
              out[3 * i + 2] = grey + image::strength[2] * (blue - grey);
            }
          },
          {}};
}

work red_black(const board& of, unsigned threads) {
  return {"OpenMP",
          [=] {
            const std::size_t row = of.edge + 2, half = of.edge / 2;
            float* const u = of.cells;
            for (int step = 0; step < of.steps; ++step) {
              for (std::size_t colour = 0; colour < 2; ++colour) {
#pragma omp parallel for schedule(static) num_threads(static_cast<int>(threads))
                for (std::size_t y = 1; y <= of.edge; ++y) {
                  float* const first = u + y * row + 1 + (y + colour) % 2;
#pragma omp simd
                  for (std::size_t k = 0; k < half; ++k) {
                    float* const x = first + 2 * k;
                    *x = 0.25F * (x[-1] + x[1] + x[-static_cast<std::ptrdiff_t>(row)] + x[row]);
                  }
                }
              }
            }
          },
          {}};
}

} // namespace lanefold_benchmarks::openmp
