// SPDX-License-Identifier: Apache-2.0
/// Functions that give any bytes to what reads text from outside. Each ends the process if something is wrong.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace fuzz_parsers {

/// The parameters of OpenCL kernels: the first line is the name of a kernel, the rest a source.
void kernel_signatures(std::string_view input);
/// A file of the cache of OpenCL programs.
void cache_files(std::string_view input);
/// The value of each environment variable LANEFOLD_*.
void environment(std::string_view input);
/// Each line is an argument of `lanefold-info occupancy`.
void command_lines(std::string_view input);

/// Ends the process with a message if something is not so.
inline void require(bool holds, const char* what) {
  if (!holds) {
    std::fprintf(stderr, "not so: %s\n", what);
    std::abort();
  }
}

} // namespace fuzz_parsers
