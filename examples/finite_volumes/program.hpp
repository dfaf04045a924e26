// SPDX-License-Identifier: Apache-2.0
/// The program behind lanefold_euler and lanefold_euler_mpi.
#pragma once

#include "ranks.hpp"

#include <memory>

namespace finite_volumes {

/// Does what the command line says, on all ranks. Returns the exit status.
int run_program(const std::shared_ptr<ranks>& among, int argc, char** argv);

} // namespace finite_volumes
