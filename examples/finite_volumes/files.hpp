// SPDX-License-Identifier: Apache-2.0
/// Pictures for ParaView, and checkpoints.
#pragma once

#include "simulation.hpp"

#include <string>

namespace finite_volumes {

// All of these are collective: each rank has its rows of the one file, and they throw bad_file on all of them.

/// Writes density, pressure and velocity of each cell as a file of VTK (legacy format, binary).
template <int D>
void write_picture(const std::string& path, const box<D>& where, const snapshot<D>& what, ranks& among);

/// Writes a checkpoint to a file beside it first: an older one stays whole until the new one is. The file is the same
/// for any number of ranks.
template <int D>
void write_checkpoint(const std::string& path, const box<D>& where, const snapshot<D>& what, ranks& among);

/// Reads the rows of this rank's patches from a checkpoint of a box of the same size and boundaries, with patches of
/// any size, written by any number of ranks.
template <int D>
snapshot<D> read_checkpoint(const std::string& path, const box<D>& where, ranks& among);

} // namespace finite_volumes
