// SPDX-License-Identifier: Apache-2.0
/// Ranks that are processes of MPI.
#pragma once

#include "ranks.hpp"

#include <memory>

namespace finite_volumes {

/// Starts MPI for as long as the object lives: one for a program, made before anything else.
class mpi_library {
public:
  mpi_library(int& argc, char**& argv);
  mpi_library(const mpi_library&) = delete;
  mpi_library& operator=(const mpi_library&) = delete;
  ~mpi_library();
};

/// Returns all processes that mpirun has started.
std::unique_ptr<ranks> make_all_ranks();
/// Returns this process alone, beside other ones that do something else.
std::unique_ptr<ranks> make_own_rank();

} // namespace finite_volumes
