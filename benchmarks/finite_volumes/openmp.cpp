// SPDX-License-Identifier: Apache-2.0
/// The loops as an expert writes them: sizes known to the compiler, a patch after the other on each thread, temporaries
/// that stay in the cache, inner loops vectorised: over all cells of a patch, then over rows of cells without halo.
#include "openmp.hpp"

#include <algorithm>
#include <cmath>

namespace lanefold_benchmarks::openmp {
namespace {

constexpr double gamma = 1.4;

template <int D, int P, bool SoA>
struct shape {
  static constexpr int edge = P + 2;
  static constexpr int cells = D == 2 ? edge * edge : edge * edge * edge;
  static constexpr int pitch = cells % 512 == 0 ? cells + 8 : cells; // arrays at 4 KiB would share sets of the cache
  static constexpr int variables = D + 2;
  static constexpr int strides[3] = {D == 2 ? edge : edge * edge, D == 2 ? 1 : edge, 1};
  static constexpr int at(int cell, int variable) {
    return SoA ? variable * cells + cell : cell * variables + variable;
  }
};

/// Fluxes and eigenvalues of all cells: D times D + 3 arrays.
template <int D, int P, bool SoA>
void waves(const double* __restrict q, double* __restrict waves_of) {
  using s = shape<D, P, SoA>;
#pragma omp simd
  for (int c = 0; c < s::cells; ++c) {
    const double inverse = 1 / q[s::at(c, 0)];
    double squares = 0;
    for (int n = 0; n < D; ++n) {
      squares += q[s::at(c, n + 1)] * q[s::at(c, n + 1)];
    }
    const double pressure = (gamma - 1) * (q[s::at(c, D + 1)] - 0.5 * squares * inverse);
    const double sound = std::sqrt(gamma * pressure * inverse);
    for (int n = 0; n < D; ++n) {
      const double velocity = q[s::at(c, n + 1)] * inverse;
      double* const f = waves_of + n * (s::variables + 1) * s::pitch;
      f[c] = q[s::at(c, n + 1)];
      for (int m = 0; m < D; ++m) {
        f[(m + 1) * s::pitch + c] = velocity * q[s::at(c, m + 1)] + (m == n ? pressure : 0.0);
      }
      f[(D + 1) * s::pitch + c] = velocity * (q[s::at(c, D + 1)] + pressure);
      f[s::variables * s::pitch + c] = std::fabs(velocity) + sound;
    }
  }
}

/// The new states of a row of cells, from cell `first`. Returns the speed of the fastest wave.
template <int D, int P, bool SoA>
double update_row(int first, double scale, const double* __restrict q, const double* __restrict waves_of,
                  double* __restrict to) {
  using s = shape<D, P, SoA>;
  double fastest = 0;
#pragma omp simd reduction(max : fastest)
  for (int x = 0; x < P; ++x) {
    const int c = first + x;
    double above[D];
    double below[D];
    for (int n = 0; n < D; ++n) {
      const double* const speed = waves_of + (n * (s::variables + 1) + s::variables) * s::pitch;
      above[n] = std::max(speed[c], speed[c + s::strides[n]]);
      below[n] = std::max(speed[c], speed[c - s::strides[n]]);
    }
    double next[s::variables];
    for (int v = 0; v < s::variables; ++v) {
      const double here = q[s::at(c, v)];
      double change = 0;
      for (int n = 0; n < D; ++n) {
        const double* const f = waves_of + (n * (s::variables + 1) + v) * s::pitch;
        change += f[c + s::strides[n]] - f[c - s::strides[n]] - above[n] * (q[s::at(c + s::strides[n], v)] - here) +
                  below[n] * (here - q[s::at(c - s::strides[n], v)]);
      }
      next[v] = here - scale * change;
      to[s::at(c, v)] = next[v];
    }
    const double inverse = 1 / next[0];
    double squares = 0;
    double velocity = 0;
    for (int n = 0; n < D; ++n) {
      squares += next[n + 1] * next[n + 1];
      velocity = std::max(velocity, std::fabs(next[n + 1] * inverse));
    }
    const double pressure = (gamma - 1) * (next[D + 1] - 0.5 * squares * inverse);
    fastest = std::max(fastest, velocity + std::sqrt(gamma * pressure * inverse));
  }
  return fastest;
}

template <int D, int P, bool SoA>
void step_of(const patches& of, unsigned threads) {
  using s = shape<D, P, SoA>;
  const double scale = 0.5 * of.time_step / of.cell_size;
#pragma omp parallel num_threads(threads)
  {
    alignas(64) static thread_local double waves_of[D * (s::variables + 1) * s::pitch];
#pragma omp for schedule(static)
    for (std::size_t t = 0; t < of.count; ++t) {
      const double* const q = of.from + t * s::variables * s::cells;
      double* const to = of.to + t * s::variables * s::cells;
      waves<D, P, SoA>(q, waves_of);
      double fastest = 0;
      for (int z = 1; z <= (D == 3 ? P : 1); ++z) {
        for (int y = 1; y <= P; ++y) {
          const int first = (D == 3 ? z * s::edge * s::edge : 0) + y * s::edge + 1;
          fastest = std::max(fastest, update_row<D, P, SoA>(first, scale, q, waves_of, to));
        }
      }
      of.fastest[t] = fastest;
    }
  }
}

template <int D, int P>
void step_of(const patches& of, unsigned threads) {
  of.soa ? step_of<D, P, true>(of, threads) : step_of<D, P, false>(of, threads);
}

template <int D>
void step_of(const patches& of, unsigned threads) {
  switch (of.p) {
  case 4: return step_of<D, 4>(of, threads);
  case 6: return step_of<D, 6>(of, threads);
  default: return step_of<D, 8>(of, threads);
  }
}

} // namespace

void step(const patches& of, unsigned threads) {
  of.dimensions == 2 ? step_of<2>(of, threads) : step_of<3>(of, threads);
}

} // namespace lanefold_benchmarks::openmp
