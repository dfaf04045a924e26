// SPDX-License-Identifier: Apache-2.0
// misuse: values of lanes do not change: auto v = it.var(x) makes a variable
#include <lanefold/simd/lane_index.hpp>

auto right(const lanefold::varying<float, 16>& x) { return x + 1.F; }
#ifdef LANEFOLD_MISUSE
void wrong(lanefold::varying<float, 16>& x) { x += 1.F; }
#endif
