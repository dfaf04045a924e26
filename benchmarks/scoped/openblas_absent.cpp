// SPDX-License-Identifier: Apache-2.0
/// Built instead of openblas.cpp where OpenBLAS is not there.
#include "sides.hpp"

namespace lanefold_benchmarks::scoped {

std::vector<work> openblas_dgemm(const double*, const double*, double*, std::size_t) { return {}; }
std::string openblas_core() { return "absent"; }

} // namespace lanefold_benchmarks::scoped
