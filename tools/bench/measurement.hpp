// SPDX-License-Identifier: Apache-2.0
/// Measures the forms of programs with Google Benchmark.
#pragma once

#include "programs.hpp"
#include "results.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace lanefold_bench {

/// Says what to measure, and how long.
struct plan {
  std::string filter; ///< a regular expression that "PROGRAM/FORM" must contain; empty for all
  bool quick = true;
  unsigned threads = 2;
};

/// The names "PROGRAM/FORM" of all forms that the plan asks for. Errors: std::runtime_error for a filter that is no
/// regular expression.
std::vector<std::string> names_of(const plan& what);

/// Measures them and shows how far it is. Ctrl-C ends it early; a second one ends the process.
results measure(const plan& what);

} // namespace lanefold_bench
