// SPDX-License-Identifier: Apache-2.0
/// Loops as one writes them, for the compiler to vectorise.
#include "peers.hpp"

#include <algorithm>

namespace lanefold_peers::plain {

namespace {

template <class T>
void triad_groups(T* __restrict a, const T* __restrict b, const T* __restrict c, T s, std::size_t first,
                  std::size_t last, std::size_t group, std::size_t footprint) {
  std::size_t base = first * group % footprint;
  for (std::size_t g = first; g < last; ++g) {
    for (std::size_t i = base; i < base + group; ++i)
      a[i] = b[i] + s * c[i];
    base += group;
    if (base >= footprint)
      base = 0;
  }
}

template <class T>
work triad_of(T* a, const T* b, const T* c, T s, std::size_t count, std::size_t group, std::size_t footprint,
              unsigned threads) {
  return {"plain loop",
          [=] {
            const std::size_t groups = count / group;
            if (threads == 1)
              return triad_groups(a, b, c, s, 0, groups, group, footprint);
            const std::size_t step = std::max<std::size_t>(1, groups / 64);
#pragma omp parallel for schedule(dynamic) num_threads(static_cast<int>(threads))
            for (std::size_t g = 0; g < groups; g += step)
              triad_groups(a, b, c, s, g, std::min(groups, g + step), group, footprint);
          },
          {}};
}

void matmul_rows(const double* __restrict a, const double* __restrict b, double* __restrict c, std::size_t n,
                 std::size_t row) {
  double* __restrict const out = c + row * n;
  std::fill(out, out + n, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    const double factor = a[row * n + k];
    const double* __restrict const from = b + k * n;
    for (std::size_t column = 0; column < n; ++column)
      out[column] += factor * from[column];
  }
}

} // namespace

work triad(float* a, const float* b, const float* c, float s, std::size_t count, std::size_t group,
           std::size_t footprint, unsigned threads) {
  return triad_of(a, b, c, s, count, group, footprint, threads);
}

work triad(double* a, const double* b, const double* c, double s, std::size_t count, std::size_t group,
           std::size_t footprint, unsigned threads) {
  return triad_of(a, b, c, s, count, group, footprint, threads);
}

work vector_add(float* a, const float* b, const float* c, std::size_t count, unsigned threads) {
  return {"plain loop",
          [=] {
            float* __restrict const out = a;
#pragma omp parallel for simd schedule(static) num_threads(static_cast<int>(threads))
            for (std::size_t i = 0; i < count; ++i)
              out[i] = b[i] + c[i];
          },
          {}};
}

work matmul(const double* a, const double* b, double* c, std::size_t n, unsigned threads) {
  return {"plain loops",
          [=] {
#pragma omp parallel for schedule(dynamic, 4) num_threads(static_cast<int>(threads))
            for (std::size_t row = 0; row < n; ++row)
              matmul_rows(a, b, c, n, row);
          },
          {}};
}

work transpose(const float* in, float* out, std::size_t rows, std::size_t columns, unsigned threads) {
  return {"plain loops",
          [=] {
            constexpr std::size_t block = 16;
#pragma omp parallel for schedule(dynamic) num_threads(static_cast<int>(threads))
            for (std::size_t row = 0; row < rows; row += block)
              for (std::size_t column = 0; column < columns; column += block)
                for (std::size_t x = column; x < std::min(column + block, columns); ++x)
                  for (std::size_t y = row; y < std::min(row + block, rows); ++y)
                    out[x * rows + y] = in[y * columns + x];
          },
          {}};
}

work mandelbrot(const picture& of, unsigned threads) {
  return {"plain loops",
          [=] {
#pragma omp parallel for schedule(dynamic, 4) num_threads(static_cast<int>(threads))
            for (std::size_t row = 0; row < of.height; ++row)
              for (std::size_t column = 0; column < of.width; ++column)
                of.counts[row * of.width + column] = mandelbrot_pixel(of, row, column);
          },
          {}};
}

work heavy(const heavy_items& of, schedule how, unsigned threads) {
  if (of.steps == nullptr)
    return {"simd schedule(static)",
            [=] {
#pragma omp parallel for simd schedule(static) num_threads(static_cast<int>(threads))
              for (std::size_t i = 0; i < of.count; ++i)
                of.values[i] = heavy_item(i, even_steps);
            },
            {}};
  if (how == schedule::fixed)
    return {"schedule(static)",
            [=] {
#pragma omp parallel for schedule(static) num_threads(static_cast<int>(threads))
              for (std::size_t i = 0; i < of.count; ++i)
                of.values[i] = heavy_item(i, of.steps[i]);
            },
            {}};
  return {"schedule(dynamic)",
          [=] {
#pragma omp parallel for schedule(dynamic) num_threads(static_cast<int>(threads))
            for (std::size_t i = 0; i < of.count; ++i)
              of.values[i] = heavy_item(i, of.steps[i]);
          },
          {}};
}

} // namespace lanefold_peers::plain
