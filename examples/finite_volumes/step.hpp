// SPDX-License-Identifier: Apache-2.0
/// A time step of all patches in one of four realisations. Compiled once for each number of dimensions.
#pragma once

#include "kernels.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace finite_volumes {

/// How a step is given to the library. All compute the same values, but for rounding.
enum class realisation {
  patch_wise, ///< an ND-range kernel, a work-group for each patch
  batched,    ///< three launches over all cells of all patches
  graph,      ///< a command graph with a scoped kernel for each patch, recorded once
  scoped      ///< a scoped kernel, a group for each patch
};
inline constexpr const char* realisation_names[] = {"patch_wise", "batched", "graph", "scoped"};

/// Memory of the batched realisation.
struct batch_memory {
  std::vector<double> waves;
  std::vector<double> speeds;
};

/// Submits a step to an in-order queue, in any realisation but `graph`.
template <int D, layout L>
void submit_step(lf::queue& q, realisation how, const step_data<D, L>& data, batch_memory& memory);

/// The command of one patch, the node of a graph: that of `scoped`, in which nothing waits.
template <int D, layout L>
void patch_command(lf::handler& h, const step_data<D, L>& data, std::size_t patch);

} // namespace finite_volumes
