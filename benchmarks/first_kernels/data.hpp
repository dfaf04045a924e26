// SPDX-License-Identifier: Apache-2.0
/// Declares the data of the first kernels and of the OpenMP loops beside them. Row-major; sizes in elements.
#pragma once

#include "peers.hpp"

#include <cstddef>
#include <cstdint>

namespace lanefold_benchmarks {

using lanefold_peers::array;
using lanefold_peers::work;

/// A plate of (edge + 2)² floats whose border is fixed; `steps` is even, so that `a` holds the beginning and the end.
struct plate {
  float *a, *b;
  std::size_t edge;
  int steps;
};

/// `out` gets the positive ones of `count` floats, in any order, and `*kept` their number.
struct sieve {
  const float* in;
  std::size_t count;
  float* out;
  std::uint32_t* kept;
};

struct bytes {
  const std::uint8_t* in;
  std::size_t count;
  std::uint32_t* bins; ///< 256
};

/// y = A x; row r of A has the elements first[r] to first[r + 1].
struct sparse_matrix {
  std::size_t rows;
  const std::uint32_t* first;
  const std::uint32_t* columns;
  const float* values;
  const float* x;
  float* y;
};

/// Arrays of 1,024 keys, each sorted by itself.
struct key_arrays {
  static constexpr std::size_t length = 1024;
  const float* in;
  float* out;
  std::size_t arrays;
};

/// Positive definite matrices of 8 × 8, interleaved: element (r, c) of matrix m is in[(r * 8 + c) * count + m]. `out`
/// gets the lower triangles of their Cholesky factors.
struct matrices {
  static constexpr std::size_t n = 8;
  const float* in;
  float* out;
  std::size_t count;
};

/// Complex arrays of 1,024, each transformed by itself; `cosines` and `sines` of -2 pi k / 1024, k < 512.
struct signals {
  static constexpr unsigned length = 1024;
  const float *re, *im;
  float *out_re, *out_im;
  const float *cosines, *sines;
  std::size_t count;
};

/// Density, momentum and energy of count + 1 cells of a gas; fluxes through the count borders between them.
struct gas {
  const float *rho, *mom, *ene;
  float *flux_rho, *flux_mom, *flux_ene;
  std::size_t count;
};

/// Each of `count` work-items draws `draws` times two points of the unit square by Philox 4x32-10 and counts those in
/// the circle.
struct darts {
  std::uint32_t* inside;
  std::size_t count;
  std::uint32_t draws;
};

/// European options.
struct options_on_stocks {
  const float *price, *strike, *years;
  float *call, *put;
  std::size_t count;
  float rate, volatility;
};

/// A fluid on a periodic lattice: element (k, y, x) of `in` and `out`, directions × rows × columns, is what moves from
/// (y, x) by (dy[k], dx[k]). A step moves it and lets it relax towards the equilibrium of the cell.
struct lattice {
  static constexpr std::size_t directions = 9;
  static constexpr int dx[directions] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy[directions] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  static constexpr float weight[directions] = {4.F / 9,  1.F / 9,  1.F / 9,  1.F / 9, 1.F / 9,
                                               1.F / 36, 1.F / 36, 1.F / 36, 1.F / 36};
  const float* in;
  float* out;
  std::size_t rows, columns;
  float relaxation;
};

/// edge³ cells; those of the border are read only.
struct volume {
  const double* in;
  double* out;
  std::size_t edge;
};

/// rows × columns pixels with their colours side by side; each colour gets further from the pixel's grey, or nearer.
struct image {
  static constexpr std::size_t colours = 3;
  static constexpr float strength[colours] = {1.2F, 1.F, 0.8F};
  const float* in;
  float* out;
  std::size_t rows, columns;
};

/// A plate of (edge + 2)² floats whose border is fixed, of which the cells of one colour of a chessboard change at
/// once.
struct board {
  float* cells;
  std::size_t edge;
  int steps;
};

/// These are the same programs as loops on OpenMP threads, by somebody who knows how compilers vectorise.
namespace openmp {

work stencil(const plate&, unsigned threads);
work compaction(const sieve&, unsigned threads);
work histogram(const bytes&, unsigned threads);
work sparse(const sparse_matrix&, unsigned threads);
work sort(const key_arrays&, unsigned threads);
work cholesky(const matrices&, unsigned threads);
work fft(const signals&, unsigned threads);
work flux(const gas&, unsigned threads);
work monte_carlo(const darts&, unsigned threads);
work lattice(const lanefold_benchmarks::lattice&, unsigned threads);
work smoothed(const volume&, unsigned threads);
work black_scholes(const options_on_stocks&, unsigned threads);
work pixels(const image&, unsigned threads);
work red_black(const board&, unsigned threads);

} // namespace openmp

} // namespace lanefold_benchmarks
