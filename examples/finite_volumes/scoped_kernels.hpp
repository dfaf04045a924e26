// SPDX-License-Identifier: Apache-2.0
/// The scoped realisation for CPUs: loops in lanes, sums of a patch in plain variables. Files that include it do not
/// record their kernels.
#pragma once

#include "kernels.hpp"

namespace finite_volumes {

/// Scoped: a group for each of `count` patches, on one thread, as two loops over its cells in lanes; the second one
/// runs over the cells that are not halo only.
template <int D, layout L, std::size_t P>
void scoped(lf::handler& h, const step_data<D, L, P>& data, std::size_t first, std::size_t count) {
  const std::size_t cells = data.shape.cells();
  const std::size_t pitch = data.shape.pitch();
  lf::local_accessor<double> waves(pitch * step_data<D, L, P>::temporaries, h);
  const std::size_t begin = data.shape.first();
  const std::size_t span = data.shape.last() + 1 - begin;
  h.parallel(lf::range<2>(count, 1), lf::range<2>(1, cells), lanes, [=](auto group) {
    const std::size_t patch = first + group.get_group_id(0);
    lf::distribute_items_and_wait(group, [&](auto it) {
      const auto cell = it.get_local_id(group, 1);
      data.waves(data.state_of(patch, cell),
                 [&](std::size_t t, const auto& value) { waves[cell + t * pitch] = value; });
    });
    const auto near_of = [=](const auto& cell) {
      return [=](std::size_t t, std::size_t offset) { return waves[cell + (t * pitch + offset)]; };
    };
    double of_patch = 0;
    if constexpr (P != 0 && P % 8 == 0) { // rows fill registers
      lf::distribute_items_and_wait(group, lf::range<2>(data.shape.inner_cells() / P, P), [&](auto it) {
        const auto cell = it.get_local_id(group, 1) + data.shape.row(it.get_local_id(group, lf::dim<0>));
        const auto speed =
            data.update(patch, cell, data.state_of(patch, cell), near_of(cell), [](const auto& store) { store(); });
        of_patch = std::max(of_patch, lf::reduce_over_group(it.get_sub_group(), speed, lf::maximum<double>()));
      });
    } else {
      lf::distribute_items_and_wait(group, lf::range<2>(1, span), [&](auto it) {
        const auto cell = it.get_local_id(group, 1) + begin;
        const auto is_inside = data.inside[cell] > 0.0;
        const auto speed = data.update(patch, cell, data.state_of(patch, cell), near_of(cell),
                                       [&](const auto& store) { it.if_(is_inside, store); });
        const auto fastest = lf::select(is_inside, speed, 0.0);
        of_patch = std::max(of_patch, lf::reduce_over_group(it.get_sub_group(), fastest, lf::maximum<double>()));
      });
    }
    data.fastest[patch] = of_patch;
  });
}

} // namespace finite_volumes
