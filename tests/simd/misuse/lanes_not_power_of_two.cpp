// SPDX-License-Identifier: Apache-2.0
// misuse: a varying has a power of two of lanes, 1 to 256
#include <lanefold/simd/varying.hpp>

auto right(const lanefold::varying<float, 8>& x) { return x + x; }
#ifdef LANEFOLD_MISUSE
auto wrong(const lanefold::varying<float, 12>& x) { return x + x; }
#endif
