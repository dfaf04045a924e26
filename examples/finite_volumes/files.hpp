// SPDX-License-Identifier: Apache-2.0
/// Pictures for ParaView, and checkpoints.
#pragma once

#include "simulation.hpp"

#include <stdexcept>
#include <string>

namespace finite_volumes {

/// Thrown where a file cannot be written or read, or is no checkpoint of this program; the message names it.
struct bad_file : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Writes density, pressure and velocity of each cell as a file of VTK (legacy format, binary).
template <int D>
void write_picture(const std::string& path, const box<D>& where, const snapshot<D>& what);

/// Writes a checkpoint to a file beside it first: an older one stays whole until the new one is.
template <int D>
void write_checkpoint(const std::string& path, const box<D>& where, const snapshot<D>& what);

/// Reads a checkpoint of a box of the same size and boundaries, with patches of any size.
template <int D>
snapshot<D> read_checkpoint(const std::string& path, const box<D>& where);

} // namespace finite_volumes
