// SPDX-License-Identifier: Apache-2.0
/// Matrix transposition through local memory.
#pragma once

#include <lanefold/lanefold.hpp>

#include <cstddef>

namespace programs {

namespace lf = lanefold;

/// out = transpose(in), both square. A group turns one tile of `tile` x `tile` in local memory, so that both global
/// accesses are contiguous. `tile` divides the extents.
template <class T, class Properties>
lf::event transposition(lf::queue& q, lf::view<const T, 2> in, lf::view<T, 2> out, std::size_t tile,
                        const Properties& how) {
  return q.submit([&](lf::handler& h) {
    lf::local_accessor<T, 2> turned({tile, tile + 1}, h); // one column more: columns fall into different cache sets
    h.parallel_for(lf::nd_range<2>(in.get_range(), {tile, tile}), how, [=](auto it) {
      const auto [row, column] = it.get_global_id();
      const auto [local_row, local_column] = it.get_local_id();
      turned[local_row][local_column] = in[row][column];
      lf::group_barrier(it.get_group());
      out[it.get_group(1) * tile + local_row][it.get_group(0) * tile + local_column] = turned[local_column][local_row];
    });
  });
}

} // namespace programs
