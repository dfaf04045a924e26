// SPDX-License-Identifier: Apache-2.0
/// Matrix product, naive and tiled through local memory.
#pragma once

#include <lanefold/lanefold.hpp>

#include <cstddef>

namespace programs {

namespace lf = lanefold;

/// c = a b, one work-item an element, everything read from global memory. Groups of `Tile` x `Tile`, which divides the
/// extents.
template <std::size_t Tile, class T, class Properties>
lf::event naive_matrix_product(lf::queue& q, lf::view<const T, 2> a, lf::view<const T, 2> b, lf::view<T, 2> c,
                               const Properties& how) {
  return q.parallel_for(lf::nd_range<2>(c.get_range(), {Tile, Tile}), how, [=](auto it) {
    const auto [row, column] = it.get_global_id();
    auto sum = it.var(T(0));
    for (std::size_t k = 0; k < a.extent(1); ++k) {
      sum = lf::fma(a[row][k], b[k][column], sum);
    }
    c[row][column] = sum;
  });
}

/// c = a b with square tiles of a and b in local memory: two barriers a tile.
template <std::size_t Tile, class T, class Properties>
lf::event tiled_matrix_product(lf::queue& q, lf::view<const T, 2> a, lf::view<const T, 2> b, lf::view<T, 2> c,
                               const Properties& how) {
  return q.submit([&](lf::handler& h) {
    lf::local_accessor<T> tile_a(Tile * Tile, h); // one-dimensional: the stride of its rows is a constant
    lf::local_accessor<T> tile_b(Tile * Tile, h);
    h.parallel_for(lf::nd_range<2>(c.get_range(), {Tile, Tile}), how, [=](auto it) {
      const auto [local_row, local_column] = it.get_local_id();
      const auto [row, column] = it.get_global_id();
      auto sum = it.var(T(0));
      for (std::size_t first = 0; first < a.extent(1); first += Tile) {
        tile_a[local_row * Tile + local_column] = a[row][first + local_column];
        tile_b[local_row * Tile + local_column] = b[first + local_row][column];
        lf::group_barrier(it.get_group());
        auto of_tile = it.var(T(0)); // not `sum`, which the barriers keep in memory
        for (std::size_t k = 0; k < Tile; ++k) {
          of_tile = lf::fma(tile_a[local_row * Tile + k], tile_b[k * Tile + local_column], of_tile);
        }
        sum += of_tile;
        lf::group_barrier(it.get_group());
      }
      c[row][column] = sum;
    });
  });
}

} // namespace programs
