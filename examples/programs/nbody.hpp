// SPDX-License-Identifier: Apache-2.0
/// All-pairs gravitation, tiled through local memory.
#pragma once

#include <lanefold/lanefold.hpp>

#include <cstddef>

namespace programs {

namespace lf = lanefold;

/// Positions and masses of bodies, or accelerations (mass unused), as structure of arrays.
template <class T>
struct bodies {
  lf::view<T> x, y, z, mass;
};

/// Accelerations of all bodies by all bodies, with softening. One work-item a body; a group loads `Tile` bodies at a
/// time into local memory, with two barriers a tile. `Tile` is the group size and divides the number of bodies.
template <std::size_t Tile, class T, class Properties>
lf::event nbody_accelerations(lf::queue& q, bodies<const T> in, bodies<T> out, T softening_squared,
                              const Properties& how) {
  const std::size_t n = in.x.size();
  return q.submit([&](lf::handler& h) {
    lf::local_accessor<T> tile_x({Tile}, h), tile_y({Tile}, h), tile_z({Tile}, h), tile_mass({Tile}, h);
    h.parallel_for(lf::nd_range<1>(n, Tile), how, [=](auto it) {
      const auto i = it.get_global_id(0);
      const auto l = it.get_local_id(0);
      const auto x = in.x[i], y = in.y[i], z = in.z[i];
      auto ax = it.var(T(0)), ay = it.var(T(0)), az = it.var(T(0));
      for (std::size_t first = 0; first < n; first += Tile) {
        tile_x[l] = in.x[first + l];
        tile_y[l] = in.y[first + l];
        tile_z[l] = in.z[first + l];
        tile_mass[l] = in.mass[first + l];
        lf::group_barrier(it.get_group());
        for (std::size_t j = 0; j < Tile; ++j) {
          const auto dx = tile_x[j] - x, dy = tile_y[j] - y, dz = tile_z[j] - z;
          const auto r = lf::rsqrt(lf::fma(dx, dx, lf::fma(dy, dy, lf::fma(dz, dz, softening_squared))));
          const auto s = tile_mass[j] * (r * r * r);
          ax = lf::fma(dx, s, ax);
          ay = lf::fma(dy, s, ay);
          az = lf::fma(dz, s, az);
        }
        lf::group_barrier(it.get_group());
      }
      out.x[i] = ax;
      out.y[i] = ay;
      out.z[i] = az;
    });
  });
}

} // namespace programs
