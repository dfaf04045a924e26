// SPDX-License-Identifier: Apache-2.0
// misuse: write 0.5f
#include <lanefold/simd/varying.hpp>

#pragma GCC diagnostic error "-Wdeprecated-declarations"

auto right(const lanefold::varying<float, 16>& x) { return x * 0.5f + lanefold::convert<double>(x) * 0.5 + 2 * x; }
auto integers(const lanefold::varying<int, 16>& x) { return x * 0.5; }
#ifdef LANEFOLD_MISUSE
auto wrong(const lanefold::varying<float, 16>& x) { return x > 0.25; }
#endif
