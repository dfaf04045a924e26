// SPDX-License-Identifier: Apache-2.0
/// Defines what step.hpp declares for CPUs; step_on_cpus_2d.cpp and step_on_cpus_3d.cpp instantiate it.
#pragma once

#include "scoped_kernels.hpp"
#include "step.hpp"

namespace finite_volumes {

/// Submits `scoped`, for the usual sizes of patches with sizes that the compiler knows.
template <int D, layout L>
void scoped_of_size(lf::handler& h, const step_data<D, L>& data, std::size_t first, std::size_t count) {
  const auto known = [&]<std::size_t P>(patch_shape<D, P> shape) {
    const step_data<D, L, P> these{shape, data.patches, data.from, data.to, data.fastest, data.inside, data.scale};
    scoped_in_whole_units(h, these, first, count);
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
lf::event submit_scoped(lf::queue& q, const step_data<D, L>& data) {
  return q.submit([&](lf::handler& h) { scoped_of_size(h, data, 0, data.patches); });
}

template <int D, layout L>
void patch_command(lf::handler& h, const step_data<D, L>& data, std::size_t patch) {
  scoped_of_size(h, data, patch, 1);
}

} // namespace finite_volumes
