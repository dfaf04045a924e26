// SPDX-License-Identifier: Apache-2.0
/// The command line of lanefold_euler.
#pragma once

#include "offload.hpp"
#include "step.hpp"

#include <cstddef>
#include <stdexcept>
#include <string>

namespace finite_volumes {

enum class problem { sod, explosion };

struct options {
  bool help = false;
  bool verify = false;
  int dimensions = 2;
  std::size_t p = 8;
  std::size_t patches = 16; ///< along an edge
  problem what = problem::explosion;
  realisation how = realisation::patch_wise;
  layout values = layout::soa;
  memory_way memory = memory_way::resident;
  double end = 0.2;
  double cfl = 0.8;
  bool on_device = false;  ///< of OpenCL
  std::size_t threads = 0; ///< 0: those of the machine
  std::size_t every = 100; ///< steps between pictures, checkpoints and lines of progress
  std::string pictures;    ///< how their names begin; empty: none
  std::string checkpoint;
  std::string restart;
};

/// Thrown for a command line that makes no sense; the message says what would.
struct bad_option : std::runtime_error {
  using std::runtime_error::runtime_error;
};

extern const char* const usage;

options parse(int argc, char** argv);

} // namespace finite_volumes
