// SPDX-License-Identifier: Apache-2.0
/// Matrix product in the hierarchical and the scoped model (examples/programs/matrix_product.hpp has the ND-range).
#pragma once

#include <lanefold/lanefold.hpp>

#include <cstddef>

namespace programs {

namespace lf = lanefold;

/// c = a b with square tiles of a and b in local memory. `Tile` divides the extents.
template <std::size_t Tile, class T, class Properties>
lf::event hierarchical_matrix_product(lf::queue& q, lf::view<const T, 2> a, lf::view<const T, 2> b, lf::view<T, 2> c,
                                      const Properties& how) {
  const lf::range<2> groups(c.extent(0) / Tile, c.extent(1) / Tile);
  return q.submit([&](lf::handler& h) {
    h.parallel_for_work_group(groups, lf::static_range<Tile, Tile>(), how, [=](auto group) {
      alignas(64) T memory_a[Tile * Tile], memory_b[Tile * Tile]; // in work-group scope: shared by the items
      const lf::view<T> tile_a(memory_a, Tile * Tile), tile_b(memory_b, Tile * Tile);
      lf::private_memory<T, 2> sum(group);
      group.parallel_for_work_item([&](auto it) { sum(it) = T(0); });
      for (std::size_t first = 0; first < a.extent(1); first += Tile) {
        group.parallel_for_work_item([&](auto it) {
          const auto [row, column] = it.get_global_id();
          const auto [local_row, local_column] = it.get_local_id();
          tile_a[local_row * Tile + local_column] = a[row][first + local_column];
          tile_b[local_row * Tile + local_column] = b[first + local_row][column];
        });
        group.parallel_for_work_item([&](auto it) {
          const auto [local_row, local_column] = it.get_local_id();
          auto of_tile = it.var(sum(it));
          for (std::size_t k = 0; k < Tile; ++k) {
            of_tile = lf::fma(tile_a[local_row * Tile + k], tile_b[k * Tile + local_column], of_tile);
          }
          sum(it) = of_tile;
        });
      }
      group.parallel_for_work_item([&](auto it) { c[it.get_global_id()] = sum(it); });
    });
  });
}

/// Computes the same as hierarchical_matrix_product in a scoped kernel.
template <std::size_t Tile, class T, class Properties>
lf::event scoped_matrix_product(lf::queue& q, lf::view<const T, 2> a, lf::view<const T, 2> b, lf::view<T, 2> c,
                                const Properties& how) {
  const lf::range<2> groups(c.extent(0) / Tile, c.extent(1) / Tile);
  return q.parallel(groups, lf::static_range<Tile, Tile>(), how, [=](auto group) {
    lf::memory_environment(group, lf::require_local_mem<T[Tile][Tile]>(), lf::require_local_mem<T[Tile][Tile]>(),
                           lf::require_private_mem<T>(T(0)), [&](auto& tile_a, auto& tile_b, auto& sum) {
                             for (std::size_t first = 0; first < a.extent(1); first += Tile) {
                               lf::distribute_items_and_wait(group, [&](auto it) {
                                 const auto [row, column] = it.get_global_id();
                                 const auto [local_row, local_column] = it.get_innermost_local_id();
                                 tile_a[local_row][local_column] = a[row][first + local_column];
                                 tile_b[local_row][local_column] = b[first + local_row][column];
                               });
                               lf::distribute_items_and_wait(group, [&](auto it) {
                                 const auto [local_row, local_column] = it.get_innermost_local_id();
                                 auto of_tile = it.var(sum(it));
                                 for (std::size_t k = 0; k < Tile; ++k) {
                                   of_tile = lf::fma(tile_a[local_row][k], tile_b[k][local_column], of_tile);
                                 }
                                 sum(it) = of_tile;
                               });
                             }
                             lf::distribute_items(group, [&](auto it) {
                               const auto [row, column] = it.get_global_id();
                               c[row][column] = sum(it);
                             });
                           });
  });
}

/// c = a b, blocked for registers: a work-group has 128 x 64 elements of c, walks b in panels that it packs into local
/// memory, and divides itself into tiles whose sums the registers hold. The extents are multiples of 128.
template <std::size_t Rows, std::size_t Columns, std::size_t Depth, class T, class Properties>
lf::event register_blocked_matrix_product(lf::queue& q, lf::view<const T, 2> a, lf::view<const T, 2> b,
                                          lf::view<T, 2> c, const Properties& how) {
  constexpr std::size_t height = 128, width = 64;
  const lf::range<2> groups(c.extent(0) / height, c.extent(1) / width);
  return q.parallel(groups, lf::static_range<height, width>(), how, [=](auto group) {
    lf::memory_environment(group, lf::require_local_mem<T[width / Columns][Depth][Columns]>(), [&](auto& panel) {
      for (std::size_t first = 0; first < a.extent(1); first += Depth) {
        for (std::size_t slice = 0; slice < width / Columns; ++slice) {
          lf::distribute_items(group, lf::static_range<Depth, Columns>(), [&](auto it) {
            const auto [k, column] = it.get_innermost_local_id();
            panel[slice][k][column] = b[first + k][group.get_group_id(1) * width + slice * Columns + column];
          });
        }
        lf::group_barrier(group);
        lf::distribute_groups_and_wait(group, lf::static_range<Rows, Columns>(), [&](auto tile) {
          lf::memory_environment(tile, lf::require_private_mem<T>(T(0)), [&](auto& sum) {
            for (std::size_t k = 0; k < Depth; ++k) {
              lf::distribute_items(tile, [&](auto it) {
                const auto row = it.get_global_id(lf::dim<0>);
                const auto column = it.get_innermost_local_id(lf::dim<1>);
                sum(it) = lf::fma(a[row][first + k], panel[tile.get_group_id(1)][k][column], sum(it));
              });
            }
            lf::distribute_items(tile, [&](auto it) {
              const auto [row, column] = it.get_global_id();
              if (first == 0) {
                c[row][column] = sum(it);
              } else {
                c[row][column] += sum(it);
              }
            });
          });
        });
      }
    });
  });
}

} // namespace programs
