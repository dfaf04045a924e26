// SPDX-License-Identifier: Apache-2.0
/// All-pairs gravitation in the hierarchical and the scoped model (nbody.hpp has the ND-range).
#pragma once

#include "nbody.hpp"

namespace programs {

/// Adds to the accelerations (ax, ay, az) of bodies what a body at a distance of (dx, dy, dz) does.
template <class T, class Distance, class Variable>
LANEFOLD_ALWAYS_INLINE void attract(const Distance& dx, const Distance& dy, const Distance& dz, T mass,
                                    T softening_squared, Variable& ax, Variable& ay, Variable& az) {
  const auto r = lf::rsqrt(lf::fma(dx, dx, lf::fma(dy, dy, lf::fma(dz, dz, softening_squared))));
  const auto s = mass * (r * r * r);
  ax = lf::fma(dx, s, ax);
  ay = lf::fma(dy, s, ay);
  az = lf::fma(dz, s, az);
}

/// Computes the same as nbody_accelerations: a group has `Tile` bodies and loads as many at a time into local memory.
/// The accelerations so far lie in private memory.
template <std::size_t Tile, class T, class Properties>
lf::event hierarchical_nbody(lf::queue& q, bodies<const T> in, bodies<T> out, T softening_squared,
                             const Properties& how) {
  const std::size_t n = in.x.size();
  return q.submit([&](lf::handler& h) {
    h.parallel_for_work_group(lf::range<1>(n / Tile), lf::static_range<Tile>(), how, [=](auto group) {
      T memory_x[Tile], memory_y[Tile], memory_z[Tile], memory_mass[Tile]; // in work-group scope: shared by the items
      const lf::view<T> tile_x(memory_x, Tile), tile_y(memory_y, Tile), tile_z(memory_z, Tile),
          tile_mass(memory_mass, Tile);
      lf::private_memory<T> sum_x(group), sum_y(group), sum_z(group);
      group.parallel_for_work_item([&](auto it) {
        sum_x(it) = T(0);
        sum_y(it) = T(0);
        sum_z(it) = T(0);
      });
      for (std::size_t first = 0; first < n; first += Tile) {
        group.parallel_for_work_item([&](auto it) {
          const auto l = it.get_local_id(lf::dim<0>);
          tile_x[l] = in.x[first + l];
          tile_y[l] = in.y[first + l];
          tile_z[l] = in.z[first + l];
          tile_mass[l] = in.mass[first + l];
        });
        group.parallel_for_work_item([&](auto it) {
          const auto i = it.get_global_id(lf::dim<0>);
          const auto x = in.x[i], y = in.y[i], z = in.z[i];
          auto ax = it.var(sum_x(it)), ay = it.var(sum_y(it)), az = it.var(sum_z(it));
          for (std::size_t j = 0; j < Tile; ++j) {
            attract(tile_x[j] - x, tile_y[j] - y, tile_z[j] - z, tile_mass[j], softening_squared, ax, ay, az);
          }
          sum_x(it) = ax;
          sum_y(it) = ay;
          sum_z(it) = az;
        });
      }
      group.parallel_for_work_item([&](auto it) {
        const auto i = it.get_global_id(lf::dim<0>);
        out.x[i] = sum_x(it);
        out.y[i] = sum_y(it);
        out.z[i] = sum_z(it);
      });
    });
  });
}

/// Computes the same as hierarchical_nbody in a scoped kernel.
template <std::size_t Tile, class T, class Properties>
lf::event scoped_nbody(lf::queue& q, bodies<const T> in, bodies<T> out, T softening_squared, const Properties& how) {
  const std::size_t n = in.x.size();
  return q.parallel(lf::range<1>(n / Tile), lf::static_range<Tile>(), how, [=](auto group) {
    lf::memory_environment(
        group, lf::require_local_mem<T[4][Tile]>(), lf::require_private_mem<T>(T(0)), lf::require_private_mem<T>(T(0)),
        lf::require_private_mem<T>(T(0)), [&](auto& tile, auto& sum_x, auto& sum_y, auto& sum_z) {
          for (std::size_t first = 0; first < n; first += Tile) {
            lf::distribute_items_and_wait(group, [&](auto it) {
              const auto l = it.get_innermost_local_id(lf::dim<0>);
              tile[0][l] = in.x[first + l];
              tile[1][l] = in.y[first + l];
              tile[2][l] = in.z[first + l];
              tile[3][l] = in.mass[first + l];
            });
            lf::distribute_items_and_wait(group, [&](auto it) {
              const auto i = it.get_global_id(lf::dim<0>);
              const auto x = in.x[i], y = in.y[i], z = in.z[i];
              auto ax = it.var(sum_x(it)), ay = it.var(sum_y(it)), az = it.var(sum_z(it));
              for (std::size_t j = 0; j < Tile; ++j) {
                attract(tile[0][j] - x, tile[1][j] - y, tile[2][j] - z, tile[3][j], softening_squared, ax, ay, az);
              }
              sum_x(it) = ax;
              sum_y(it) = ay;
              sum_z(it) = az;
            });
          }
          lf::distribute_items(group, [&](auto it) {
            const auto i = it.get_global_id(lf::dim<0>);
            out.x[i] = sum_x(it);
            out.y[i] = sum_y(it);
            out.z[i] = sum_z(it);
          });
        });
  });
}

} // namespace programs
