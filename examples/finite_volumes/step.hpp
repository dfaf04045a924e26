// SPDX-License-Identifier: Apache-2.0
/// A time step of all patches in one of four realisations. Compiled once for each number of dimensions.
#pragma once

#include "kernels.hpp"

#include <cstddef>

namespace finite_volumes {

/// How a step is given to the library. All compute the same values, but for rounding.
enum class realisation {
  patch_wise, ///< an ND-range kernel, a work-group for each patch
  batched,    ///< three launches over all cells of all patches
  graph,      ///< a command graph, recorded once: on CPUs with a scoped kernel for each patch
  scoped      ///< a scoped kernel, a group for each patch
};
inline constexpr const char* realisation_names[] = {"patch_wise", "batched", "graph", "scoped"};

// These submit a step to an in-order queue, and return the event of its last command. The first three run on the
// queue's device (step_on_any_device.hpp), the others on CPUs (step_on_cpus.hpp).

template <int D, layout L>
lf::event submit_patch_wise(lf::queue& q, const step_data<D, L>& data);

/// `waves` has room for the temporaries of all cells, `speeds` for a value of each.
template <int D, layout L>
lf::event submit_batched(lf::queue& q, const step_data<D, L>& data, lf::view<double> waves, lf::view<double> speeds);

template <int D, layout L>
lf::event submit_scoped_for_devices(lf::queue& q, const step_data<D, L>& data);

template <int D, layout L>
lf::event submit_scoped(lf::queue& q, const step_data<D, L>& data);

/// The command of `submit_patch_wise` on CPUs, for sizes of patches that have a kernel of their own. Returns false, and
/// has done nothing, for others.
template <int D, layout L>
bool patch_wise_of_known_size(lf::handler& h, const step_data<D, L>& data);

/// The command of one patch, the node of a graph: that of `submit_scoped`, in which nothing waits.
template <int D, layout L>
void patch_command(lf::handler& h, const step_data<D, L>& data, std::size_t patch);

} // namespace finite_volumes
