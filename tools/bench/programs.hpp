// SPDX-License-Identifier: Apache-2.0
/// The programs that a lanefold-bench measures: who links it with other ones defines these two functions.
#pragma once

#include "report.hpp"

#include <vector>

namespace lanefold_bench {

/// A program: it tells `report::absolute` of its forms, one side after the other.
struct program {
  const char* name;
  void (*measure)(lanefold_benchmarks::report&, const lanefold_benchmarks::options&);
};
const std::vector<program>& programs();

/// Called first, with the arguments of main: it may start the process again with other settings.
void prepare(unsigned threads, char** argv);

} // namespace lanefold_bench
