// SPDX-License-Identifier: Apache-2.0
/// Says what the gas is like at the beginning.
#pragma once

#include "riemann.hpp"
#include "simulation.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace finite_volumes {

inline constexpr gas_state sod_left{1, 0, 1};
inline constexpr gas_state sod_right{0.125, 0, 0.1};
inline constexpr double sod_end = 0.2;

/// A gas at rest, or that moves along the first dimension.
template <int D>
typename euler<D>::template state<double> conserved(const gas_state& s) {
  typename euler<D>::template state<double> q{};
  q[0] = s.density;
  q[1] = s.density * s.velocity;
  q[D + 1] = s.pressure / (euler<D>::gamma - 1) + 0.5 * s.density * s.velocity * s.velocity;
  return q;
}

/// Sod's tube along the first dimension, of length 1: n patches along it, one across.
template <int D>
box<D> sod_box(std::size_t n, std::size_t p) {
  box<D> where{};
  where.patches.fill(1);
  where.patches[0] = n;
  where.p = p;
  where.cell_size = 1.0 / static_cast<double>(n * p);
  where.sides.fill(boundary::periodic);
  where.sides[0] = boundary::outflow;
  return where;
}
template <int D>
auto sod_state(const std::array<double, D>& at) {
  return conserved<D>(at[0] < 0.5 ? sod_left : sod_right);
}

/// A box of edge 1 with walls, with hot gas in the middle: an explosion in two dimensions, a blast in three.
template <int D>
box<D> explosion_box(std::size_t n, std::size_t p) {
  box<D> where{};
  where.patches.fill(n);
  where.p = p;
  where.cell_size = 1.0 / static_cast<double>(n * p);
  where.sides.fill(boundary::wall);
  return where;
}
template <int D>
auto explosion_state(const std::array<double, D>& at) {
  double square = 0;
  for (const double x : at) {
    square += (x - 0.5) * (x - 0.5);
  }
  return conserved<D>(square < 0.04 ? sod_left : sod_right);
}

/// Returns the mean difference of the density from the exact one of Sod's tube; collective.
template <int D, layout L>
double sod_error(const simulation<D, L>& of, const box<D>& where, ranks& among) {
  const riemann_problem exact(sod_left, sod_right, euler<D>::gamma);
  double sum = 0;
  std::array<std::size_t, D> cell{};
  for (cell[0] = 0; cell[0] < where.cells(0); ++cell[0]) {
    if (const auto q = of.at(cell)) {
      const double x = (static_cast<double>(cell[0]) + 0.5) * where.cell_size;
      sum += std::abs((*q)[0] - exact.at((x - 0.5) / of.time()).density);
    }
  }
  among.sum({&sum, 1});
  return sum * where.cell_size;
}

} // namespace finite_volumes
