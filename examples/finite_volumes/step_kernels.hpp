// SPDX-License-Identifier: Apache-2.0
/// Defines what step.hpp declares; step_2d.cpp and step_3d.cpp instantiate it.
#pragma once

#include "step.hpp"

namespace finite_volumes {

template <int D, layout L>
void submit_step(lf::queue& q, realisation how, const step_data<D, L>& data, batch_memory& memory) {
  if (how == realisation::patch_wise) {
    q.submit([&](lf::handler& h) { patch_wise(h, data); });
  } else if (how == realisation::scoped) {
    q.submit([&](lf::handler& h) { scoped(h, data, 0, data.patches); });
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
  scoped(h, data, patch, 1);
}

} // namespace finite_volumes
