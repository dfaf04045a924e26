// SPDX-License-Identifier: Apache-2.0
// misuse: write lf::sqrt
#include <lanefold/simd.hpp>

#include <cmath>

namespace lf = lanefold;

lf::varying<float, 16> root(const lf::varying<float, 16>& x) {
#ifdef LANEFOLD_MISUSE
  return std::sqrt(x);
#else
  return lf::sqrt(x);
#endif
}
