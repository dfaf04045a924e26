// SPDX-License-Identifier: Apache-2.0
/// The loops as an expert writes them: sizes known to the compiler, a patch after the other on each thread, temporaries
/// that stay in the cache, inner loops vectorised: over all cells of a patch, then over rows of cells without halo.
/// There are two forms: what the first loop leaves for the second one are fluxes and eigenvalues of each cell, or its
/// velocities, pressure and speed of sound, from which fluxes are computed again for each neighbour.
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
  static constexpr int lines = (cells + 7) / 8;                           // of the cache
  static constexpr int pitch = (lines % 64 == 0 ? lines + 1 : lines) * 8; // at 4 KiB they would share sets of it
  static constexpr int variables = D + 2;
  static constexpr int strides[3] = {D == 2 ? edge : edge * edge, D == 2 ? 1 : edge, 1};
  static constexpr int at(int cell, int variable) {
    return SoA ? variable * cells + cell : cell * variables + variable;
  }
};

// g++ does not vectorise loops around loops over dimensions and variables, unless it unrolls them first.
#define UNROLLED _Pragma("GCC unroll 8")

/// Is the first loop, which leaves D times D + 3 arrays of fluxes and eigenvalues, or D + 2 of motions.
template <form Form, int D, int P, bool SoA>
void waves(const double* __restrict q, double* __restrict waves_of) {
  using s = shape<D, P, SoA>;
#pragma omp simd
  for (int c = 0; c < s::cells; ++c) {
    const double inverse = 1 / q[s::at(c, 0)];
    double squares = 0;
    UNROLLED
    for (int n = 0; n < D; ++n) {
      squares += q[s::at(c, n + 1)] * q[s::at(c, n + 1)];
    }
    const double pressure = (gamma - 1) * (q[s::at(c, D + 1)] - 0.5 * squares * inverse);
    const double sound = std::sqrt(gamma * pressure * inverse);
    UNROLLED
    for (int n = 0; n < D; ++n) {
      const double velocity = q[s::at(c, n + 1)] * inverse;
      if constexpr (Form == form::motion) {
        waves_of[n * s::pitch + c] = velocity;
      } else {
        double* const f = waves_of + n * (s::variables + 1) * s::pitch;
        f[c] = q[s::at(c, n + 1)];
        UNROLLED
        for (int m = 0; m < D; ++m) {
          f[(m + 1) * s::pitch + c] = velocity * q[s::at(c, m + 1)] + (m == n ? pressure : 0.0);
        }
        f[(D + 1) * s::pitch + c] = velocity * (q[s::at(c, D + 1)] + pressure);
        f[s::variables * s::pitch + c] = std::fabs(velocity) + sound;
      }
    }
    if constexpr (Form == form::motion) {
      waves_of[D * s::pitch + c] = pressure;
      waves_of[(D + 1) * s::pitch + c] = sound;
    }
  }
}

/// Returns what flows of variable v of a cell along dimension n.
template <form Form, int D, int P, bool SoA>
double flux(int v, int n, int c, const double* q, const double* waves_of) {
  using s = shape<D, P, SoA>;
  if constexpr (Form == form::fluxes) {
    return waves_of[(n * (s::variables + 1) + v) * s::pitch + c];
  } else {
    const double velocity = waves_of[n * s::pitch + c];
    const double pressure = waves_of[D * s::pitch + c];
    return v == 0       ? q[s::at(c, n + 1)]
           : v == D + 1 ? velocity * (q[s::at(c, v)] + pressure)
                        : velocity * q[s::at(c, v)] + (v == n + 1 ? pressure : 0.0);
  }
}
/// Returns the speed of the fastest wave of a cell along dimension n.
template <form Form, int D, int P, bool SoA>
double eigenvalue(int n, int c, const double* waves_of) {
  using s = shape<D, P, SoA>;
  return Form == form::fluxes ? waves_of[(n * (s::variables + 1) + s::variables) * s::pitch + c]
                              : std::fabs(waves_of[n * s::pitch + c]) + waves_of[(D + 1) * s::pitch + c];
}

/// The new states of a row of cells, from cell `first`. Returns the speed of the fastest wave.
template <form Form, int D, int P, bool SoA>
double update_row(int first, double scale, const double* __restrict q, const double* __restrict waves_of,
                  double* __restrict to) {
  using s = shape<D, P, SoA>;
  double fastest = 0;
#pragma omp simd reduction(max : fastest)
  for (int x = 0; x < P; ++x) {
    const int c = first + x;
    double above[D];
    double below[D];
    UNROLLED
    for (int n = 0; n < D; ++n) {
      const double here = eigenvalue<Form, D, P, SoA>(n, c, waves_of);
      above[n] = std::max(here, eigenvalue<Form, D, P, SoA>(n, c + s::strides[n], waves_of));
      below[n] = std::max(here, eigenvalue<Form, D, P, SoA>(n, c - s::strides[n], waves_of));
    }
    double next[s::variables];
    UNROLLED
    for (int v = 0; v < s::variables; ++v) {
      const double here = q[s::at(c, v)];
      double change = 0;
      UNROLLED
      for (int n = 0; n < D; ++n) {
        const int up = c + s::strides[n];
        const int down = c - s::strides[n];
        change += flux<Form, D, P, SoA>(v, n, up, q, waves_of) - flux<Form, D, P, SoA>(v, n, down, q, waves_of) -
                  above[n] * (q[s::at(up, v)] - here) + below[n] * (here - q[s::at(down, v)]);
      }
      next[v] = here - scale * change;
      to[s::at(c, v)] = next[v];
    }
    const double inverse = 1 / next[0];
    double squares = 0;
    double velocity = 0;
    UNROLLED
    for (int n = 0; n < D; ++n) {
      squares += next[n + 1] * next[n + 1];
      velocity = std::max(velocity, std::fabs(next[n + 1] * inverse));
    }
    const double pressure = (gamma - 1) * (next[D + 1] - 0.5 * squares * inverse);
    fastest = std::max(fastest, velocity + std::sqrt(gamma * pressure * inverse));
  }
  return fastest;
}

template <form Form, int D, int P, bool SoA>
void step_of(const patches& of, unsigned threads) {
  using s = shape<D, P, SoA>;
  const double scale = 0.5 * of.time_step / of.cell_size;
#pragma omp parallel num_threads(threads)
  {
    constexpr int temporaries = Form == form::motion ? D + 2 : D * (s::variables + 1);
    alignas(64) static thread_local double waves_of[temporaries * s::pitch];
#pragma omp for schedule(static)
    for (std::size_t t = 0; t < of.count; ++t) {
      const double* const q = of.from + t * s::variables * s::cells;
      double* const to = of.to + t * s::variables * s::cells;
      waves<Form, D, P, SoA>(q, waves_of);
      double fastest = 0;
      for (int z = 1; z <= (D == 3 ? P : 1); ++z) {
        for (int y = 1; y <= P; ++y) {
          const int first = (D == 3 ? z * s::edge * s::edge : 0) + y * s::edge + 1;
          fastest = std::max(fastest, update_row<Form, D, P, SoA>(first, scale, q, waves_of, to));
        }
      }
      of.fastest[t] = fastest;
    }
  }
}

template <int D, int P, bool SoA>
void step_of(const patches& of, unsigned threads) {
  of.keeps == form::motion ? step_of<form::motion, D, P, SoA>(of, threads)
                           : step_of<form::fluxes, D, P, SoA>(of, threads);
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
