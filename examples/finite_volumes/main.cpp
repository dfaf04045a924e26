// SPDX-License-Identifier: Apache-2.0
/// lanefold_euler: see options.cpp and docs/finite-volumes.md.
#include "program.hpp"

int main(int argc, char** argv) { return finite_volumes::run_program(finite_volumes::make_only_rank(), argc, argv); }
