// SPDX-License-Identifier: Apache-2.0
// misuse: operator=
#include <lanefold/simd/varying.hpp>

auto right(const lanefold::varying<float, 16>& x) { return x + 1.F; }
#ifdef LANEFOLD_MISUSE
void wrong(lanefold::varying<float, 16>& x) { x = x + 1.F; }
#endif
