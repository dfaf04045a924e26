// SPDX-License-Identifier: Apache-2.0
/// Defines what step.hpp declares; step_2d.cpp and step_3d.cpp instantiate it.
#pragma once

#include "step.hpp"

namespace finite_volumes {

/// Submits `scoped` with sizes that the compiler knows, for the usual sizes of patches; nothing else gains by it.
template <int D, layout L>
void scoped_of_size(lf::handler& h, const step_data<D, L>& data, std::size_t first, std::size_t count) {
  const auto known = [&]<std::size_t P>(patch_shape<D, P> shape) {
    scoped(h,
           step_data<D, L, P>{shape, data.patches, data.cell_size, data.from, data.to, data.fastest, data.inside,
                              data.time_step},
           first, count);
  };
  if constexpr (L == layout::soa) {
    switch (data.shape.p) {
    case 4: return known(patch_shape<D, 4>());
    case 6: return known(patch_shape<D, 6>());
    case 8: return known(patch_shape<D, 8>());
    default: break;
    }
  }
  scoped(h, data, first, count);
}

template <int D, layout L>
void submit_step(lf::queue& q, realisation how, const step_data<D, L>& data, batch_memory& memory) {
  if (how == realisation::patch_wise) {
    q.submit([&](lf::handler& h) { patch_wise(h, data); });
  } else if (how == realisation::scoped) {
    q.submit([&](lf::handler& h) { scoped_of_size(h, data, 0, data.patches); });
  } else {
    const std::size_t cells = data.patches * data.shape.cells();
    memory.waves.resize(cells * step_data<D, L>::temporaries);
    memory.speeds.resize(cells);
    const lf::view<double> waves(memory.waves.data(), memory.waves.size());
    const lf::view<double> speeds(memory.speeds.data(), memory.speeds.size());
    q.submit([&](lf::handler& h) { batched_waves(h, data, waves); });
    q.submit([&](lf::handler& h) { batched_update<D, L>(h, data, waves, speeds); });
    q.submit([&](lf::handler& h) { batched_fastest<D, L>(h, data, speeds); });
  }
}

template <int D, layout L>
void patch_command(lf::handler& h, const step_data<D, L>& data, std::size_t patch) {
  scoped_of_size(h, data, patch, 1);
}

} // namespace finite_volumes
