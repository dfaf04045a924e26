// SPDX-License-Identifier: Apache-2.0
/// Defines what step.hpp declares for CPUs; step_on_cpus_2d.cpp and step_on_cpus_3d.cpp instantiate it.
#pragma once

#include "cpu_kernels.hpp"
#include "step.hpp"

namespace finite_volumes {

/// Calls f with `data` of a size that the compiler knows, for the usual sizes of patches. Returns whether it did.
template <int D, layout L, class F>
bool with_known_size(const step_data<D, L>& data, const F& f) {
  const auto known = [&]<std::size_t P>(patch_shape<D, P> shape) {
    f(step_data<D, L, P>{shape, data.patches, data.from, data.to, data.fastest, data.inside, data.scale});
    return true;
  };
  switch (data.shape.p) {
  case 4: return known(patch_shape<D, 4>());
  case 6: return known(patch_shape<D, 6>());
  case 8: return known(patch_shape<D, 8>());
  default: return false;
  }
}

template <int D, layout L>
bool patch_wise_of_known_size(lf::handler& h, const step_data<D, L>& data) {
  return with_known_size(data, [&](const auto& known) { patch_wise_in_whole_units(h, known); });
}

template <int D, layout L>
void scoped_of_size(lf::handler& h, const step_data<D, L>& data, std::size_t first, std::size_t count) {
  if (!with_known_size(data, [&](const auto& known) { scoped_in_whole_units(h, known, first, count); })) {
    scoped(h, data, first, count);
  }
}

template <int D, layout L>
lf::event submit_scoped(lf::queue& q, const step_data<D, L>& data) {
  return q.submit([&](lf::handler& h) { scoped_of_size(h, data, 0, data.patches); });
}

template <int D, layout L>
void patch_command(lf::handler& h, const step_data<D, L>& data, std::size_t patch) {
  scoped_of_size(h, data, patch, 1);
}

} // namespace finite_volumes
