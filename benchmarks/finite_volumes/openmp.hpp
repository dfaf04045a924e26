// SPDX-License-Identifier: Apache-2.0
/// A step of patches as plain loops on OpenMP threads.
#pragma once

#include <cstddef>

namespace lanefold_benchmarks::openmp {

/// Says what the first loop over a patch leaves for the second one.
enum class form {
  fluxes, ///< and eigenvalues, along each dimension
  motion  ///< velocities, pressure, speed of sound: fluxes are computed again for each neighbour
};

/// Holds patches of p^dimensions cells with a halo of one cell, p in 4, 6, 8. `soa`: all values of a variable side by
/// side, else those of a cell.
struct patches {
  int dimensions;
  std::size_t p;
  bool soa;
  std::size_t count;
  const double* from;
  double* to;
  double* fastest; ///< of each patch
  double time_step;
  double cell_size;
  form keeps;
};

void step(const patches& of, unsigned threads);

} // namespace lanefold_benchmarks::openmp
