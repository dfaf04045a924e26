// SPDX-License-Identifier: Apache-2.0
// misuse: a mask is not one bool
#include <lanefold/simd/varying.hpp>

int right(const lanefold::varying<float, 16>& x) { return lanefold::any(x > 0.F) ? 1 : 0; }
#ifdef LANEFOLD_MISUSE
int wrong(const lanefold::varying<float, 16>& x) {
  if (x > 0.F)
    return 1;
  return 0;
}
#endif
