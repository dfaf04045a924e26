// SPDX-License-Identifier: Apache-2.0
// misuse: a varying is not one bool
#include <lanefold/simd/varying.hpp>

int right(const lanefold::varying<int, 16>& x) { return lanefold::any(x != 0) ? 1 : 0; }
#ifdef LANEFOLD_MISUSE
int wrong(const lanefold::varying<int, 16>& x) { return x ? 1 : 0; }
#endif
