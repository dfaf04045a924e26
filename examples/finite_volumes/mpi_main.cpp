// SPDX-License-Identifier: Apache-2.0
/// lanefold_euler_mpi: lanefold_euler on all ranks that mpirun starts.
#include "mpi_ranks.hpp"
#include "program.hpp"

int main(int argc, char** argv) {
  const finite_volumes::mpi_library library(argc, argv);
  return finite_volumes::run_program(finite_volumes::make_all_ranks(), argc, argv);
}
