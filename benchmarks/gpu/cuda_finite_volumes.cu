// SPDX-License-Identifier: Apache-2.0
// Patches of a gas, a block each, as an expert writes them: sizes known to the compiler, indices of 32 bits. Fluxes and
// speeds of all cells lie in shared memory, or what they are computed of does, or each cell computes all of it anew for
// its neighbours.
#include "cuda_common.cuh"

#include <cub/block/block_reduce.cuh>

namespace lanefold_cuda {
namespace {

constexpr double gamma_of_gas = 1.4;

template <int D, int P, bool SoA>
struct shape {
  static constexpr int edge = P + 2;
  static constexpr int cells = D == 2 ? edge * edge : edge * edge * edge;
  static constexpr int inner = D == 2 ? P * P : P * P * P;
  static constexpr int variables = D + 2;
  __device__ static constexpr int stride(int n) { return n == D - 1 ? 1 : n == D - 2 ? edge : edge * edge; }
  __device__ static constexpr int at(int cell, int variable) {
    return SoA ? variable * cells + cell : cell * variables + variable;
  }
  __device__ static bool is_inner(int cell) {
    for (int d = 0; d < D; ++d, cell /= edge)
      if (cell % edge == 0 || cell % edge > P)
        return false;
    return true;
  }
};

template <int D>
struct gas {
  double q[D + 2];
  double inverse, pressure, sound;

  __device__ void complete() {
    inverse = 1 / q[0];
    double squares = 0;
#pragma unroll
    for (int n = 0; n < D; ++n)
      squares += q[n + 1] * q[n + 1];
    pressure = (gamma_of_gas - 1) * (q[D + 1] - 0.5 * inverse * squares);
    sound = pressure > 0 && q[0] > 0 ? sqrt(gamma_of_gas * pressure * inverse) : INFINITY;
  }
  __device__ double velocity(int n) const { return inverse * q[n + 1]; }
  __device__ double flux(int n, int v) const { return flux(n, v, velocity(n)); }
  __device__ double flux(int n, int v, double velocity) const {
    return v == n + 1 ? velocity * q[v] + pressure : v == D + 1 ? velocity * (q[v] + pressure) : velocity * q[v];
  }
  __device__ double speed(int n) const { return fabs(velocity(n)) + sound; }
  __device__ double speed() const {
    double fastest = 0;
#pragma unroll
    for (int n = 0; n < D; ++n)
      fastest = fmax(fastest, speed(n));
    return fastest;
  }
};

template <int D, int P, bool SoA>
__device__ gas<D> load(const double* from, int cell) {
  gas<D> result;
#pragma unroll
  for (int v = 0; v < D + 2; ++v)
    result.q[v] = from[shape<D, P, SoA>::at(cell, v)];
  result.complete();
  return result;
}

/// A thread a cell, halo included.
template <int D, int P, bool SoA>
__global__ void __launch_bounds__(shape<D, P, SoA>::cells)
    step_in_shared_memory(const double* __restrict__ all_from, double* __restrict__ all_to,
                          double* __restrict__ all_fastest, const double* __restrict__ scale) {
  using s = shape<D, P, SoA>;
  using reduction = cub::BlockReduce<double, s::cells>;
  __shared__ typename reduction::TempStorage temporary;
  extern __shared__ double waves[]; // of each dimension: fluxes of all variables, speeds
  const double* const from = all_from + static_cast<std::size_t>(blockIdx.x) * s::cells * s::variables;
  double* const to = all_to + static_cast<std::size_t>(blockIdx.x) * s::cells * s::variables;
  const int cell = threadIdx.x;
  const gas<D> here = load<D, P, SoA>(from, cell);
#pragma unroll
  for (int n = 0; n < D; ++n) {
    double* const of = waves + n * (s::variables + 1) * s::cells + cell;
#pragma unroll
    for (int v = 0; v < s::variables; ++v)
      of[v * s::cells] = here.flux(n, v);
    of[s::variables * s::cells] = here.speed(n);
  }
  __syncthreads();
  double fastest = 0;
  if (s::is_inner(cell)) {
    gas<D> next;
    double changes[s::variables] = {};
#pragma unroll
    for (int n = 0; n < D; ++n) {
      const double* const of = waves + n * (s::variables + 1) * s::cells + cell;
      const int along = s::stride(n);
      const double* const speeds = of + s::variables * s::cells;
      const double above = fmax(speeds[0], speeds[along]), below = fmax(speeds[0], speeds[-along]);
#pragma unroll
      for (int v = 0; v < s::variables; ++v) {
        const double* const f = of + v * s::cells;
        changes[v] += f[along] - f[-along] - above * (from[s::at(cell + along, v)] - here.q[v]) +
                      below * (here.q[v] - from[s::at(cell - along, v)]);
      }
    }
#pragma unroll
    for (int v = 0; v < s::variables; ++v) {
      next.q[v] = here.q[v] - *scale * changes[v];
      to[s::at(cell, v)] = next.q[v];
    }
    next.complete();
    fastest = next.speed();
  }
  const double of_patch = reduction(temporary).Reduce(fastest, [](double a, double b) { return fmax(a, b); });
  if (cell == 0)
    all_fastest[blockIdx.x] = of_patch;
}

/// Does the same with velocities, pressures and speeds of sound in shared memory, of which a cell makes the fluxes of
/// its neighbours.
template <int D, int P, bool SoA>
__global__ void __launch_bounds__(shape<D, P, SoA>::cells)
    step_with_motions(const double* __restrict__ all_from, double* __restrict__ all_to,
                      double* __restrict__ all_fastest, const double* __restrict__ scale) {
  using s = shape<D, P, SoA>;
  using reduction = cub::BlockReduce<double, s::cells>;
  __shared__ typename reduction::TempStorage temporary;
  extern __shared__ double motions[]; // velocities, pressure, speed of sound
  const double* const from = all_from + static_cast<std::size_t>(blockIdx.x) * s::cells * s::variables;
  double* const to = all_to + static_cast<std::size_t>(blockIdx.x) * s::cells * s::variables;
  const int cell = threadIdx.x;
  const gas<D> here = load<D, P, SoA>(from, cell);
#pragma unroll
  for (int n = 0; n < D; ++n)
    motions[n * s::cells + cell] = here.velocity(n);
  motions[D * s::cells + cell] = here.pressure;
  motions[(D + 1) * s::cells + cell] = here.sound;
  __syncthreads();
  double fastest = 0;
  if (s::is_inner(cell)) {
    double changes[s::variables] = {};
#pragma unroll
    for (int n = 0; n < D; ++n) {
      double most[2];
      gas<D> near[2];
#pragma unroll
      for (int side = 0; side < 2; ++side) {
        const int other = cell + (side == 0 ? -s::stride(n) : s::stride(n));
        const double velocity = motions[n * s::cells + other];
        near[side].pressure = motions[D * s::cells + other];
        most[side] = fmax(here.speed(n), fabs(velocity) + motions[(D + 1) * s::cells + other]);
#pragma unroll
        for (int v = 0; v < s::variables; ++v)
          near[side].q[v] = from[s::at(other, v)];
#pragma unroll
        for (int v = 0; v < s::variables; ++v)
          changes[v] += side == 0 ? most[0] * (here.q[v] - near[0].q[v]) - near[0].flux(n, v, velocity)
                                  : near[1].flux(n, v, velocity) - most[1] * (near[1].q[v] - here.q[v]);
      }
    }
    gas<D> next;
#pragma unroll
    for (int v = 0; v < s::variables; ++v) {
      next.q[v] = here.q[v] - *scale * changes[v];
      to[s::at(cell, v)] = next.q[v];
    }
    next.complete();
    fastest = next.speed();
  }
  const double of_patch = reduction(temporary).Reduce(fastest, [](double a, double b) { return fmax(a, b); });
  if (cell == 0)
    all_fastest[blockIdx.x] = of_patch;
}

/// A thread a cell without halo; nothing is shared.
template <int D, int P, bool SoA>
__global__ void __launch_bounds__(shape<D, P, SoA>::inner)
    step_by_neighbours(const double* __restrict__ all_from, double* __restrict__ all_to,
                       double* __restrict__ all_fastest, const double* __restrict__ scale) {
  using s = shape<D, P, SoA>;
  using reduction = cub::BlockReduce<double, s::inner>;
  __shared__ typename reduction::TempStorage temporary;
  const double* const from = all_from + static_cast<std::size_t>(blockIdx.x) * s::cells * s::variables;
  double* const to = all_to + static_cast<std::size_t>(blockIdx.x) * s::cells * s::variables;
  int cell = 0;
  for (int d = D - 1, rest = threadIdx.x; d >= 0; --d, rest /= P)
    cell += (rest % P + 1) * s::stride(d);
  const gas<D> here = load<D, P, SoA>(from, cell);
  double changes[s::variables] = {};
#pragma unroll
  for (int n = 0; n < D; ++n) {
    const gas<D> after = load<D, P, SoA>(from, cell + s::stride(n));
    const gas<D> before = load<D, P, SoA>(from, cell - s::stride(n));
    const double above = fmax(here.speed(n), after.speed(n)), below = fmax(here.speed(n), before.speed(n));
#pragma unroll
    for (int v = 0; v < s::variables; ++v)
      changes[v] +=
          after.flux(n, v) - before.flux(n, v) - above * (after.q[v] - here.q[v]) + below * (here.q[v] - before.q[v]);
  }
  gas<D> next;
#pragma unroll
  for (int v = 0; v < s::variables; ++v) {
    next.q[v] = here.q[v] - *scale * changes[v];
    to[s::at(cell, v)] = next.q[v];
  }
  next.complete();
  const double of_patch = reduction(temporary).Reduce(next.speed(), [](double a, double b) { return fmax(a, b); });
  if (threadIdx.x == 0)
    all_fastest[blockIdx.x] = of_patch;
}

class patches final : public work {
public:
  using kernel = void (*)(const double*, double*, double*, const double*);
  patches(kernel step, int threads, std::size_t shared, std::size_t count, const double* states, std::size_t values,
          double scale)
      : m_step(step), m_threads(threads), m_shared(shared), m_count(count), m_from(states, values * sizeof(double)),
        m_to(states, values * sizeof(double)), m_fastest(count * sizeof(double)), m_scale(&scale, sizeof(double)) {
    check(cudaFuncSetAttribute(step, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)),
          "cudaFuncSetAttribute");
  }
  double run(unsigned rounds) override {
    return timed([&] {
      for (unsigned r = 0; r < rounds; ++r)
        m_step<<<static_cast<unsigned>(m_count), m_threads, m_shared>>>(m_from.as<double>(), m_to.as<double>(),
                                                                        m_fastest.as<double>(), m_scale.as<double>());
    });
  }
  void fetch(void* to) override {
    m_to.fetch(to);
    m_fastest.fetch(static_cast<char*>(to) + m_to.bytes());
  }

private:
  kernel m_step;
  int m_threads;
  std::size_t m_shared;
  std::size_t m_count;
  memory m_from, m_to, m_fastest, m_scale;
};

template <int D, int P, bool SoA>
std::unique_ptr<work> make(patches_share what, std::size_t count, const double* states, double scale) {
  using s = shape<D, P, SoA>;
  const std::size_t values = count * s::cells * s::variables;
  const auto with = [&](patches::kernel step, int threads, int shared_values) {
    return std::make_unique<patches>(step, threads, shared_values * s::cells * sizeof(double), count, states, values,
                                     scale);
  };
  switch (what) {
  case patches_share::fluxes: return with(step_in_shared_memory<D, P, SoA>, s::cells, D * (s::variables + 1));
  case patches_share::motions: return with(step_with_motions<D, P, SoA>, s::cells, D + 2);
  default: return with(step_by_neighbours<D, P, SoA>, s::inner, 0);
  }
}

template <int D, bool SoA>
std::unique_ptr<work> make(patches_share what, int p, std::size_t count, const double* states, double scale) {
  switch (p) {
  case 4: return make<D, 4, SoA>(what, count, states, scale);
  case 6: return make<D, 6, SoA>(what, count, states, scale);
  default: return make<D, 8, SoA>(what, count, states, scale);
  }
}

} // namespace

std::unique_ptr<work> finite_volumes(int dimensions, int p, bool soa, patches_share what, std::size_t count,
                                     const double* states, double scale) {
  return dimensions == 2
             ? (soa ? make<2, true>(what, p, count, states, scale) : make<2, false>(what, p, count, states, scale))
             : (soa ? make<3, true>(what, p, count, states, scale) : make<3, false>(what, p, count, states, scale));
}

} // namespace lanefold_cuda
