// SPDX-License-Identifier: Apache-2.0
// misuse: write lf::fmax
#include <lanefold/simd.hpp>

#include <cmath>

namespace lf = lanefold;

lf::varying<float, 16> at_least_two(const lf::varying<float, 16>& x) {
#ifdef LANEFOLD_MISUSE
  return std::fmax(2.F, x);
#else
  return lf::fmax(2.F, x);
#endif
}
