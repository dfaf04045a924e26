// SPDX-License-Identifier: Apache-2.0
// misuse: a varying bool is a mask<N>
#include <lanefold/simd/varying.hpp>

std::size_t right(const lanefold::mask<16>& m) { return m.count(); }
#ifdef LANEFOLD_MISUSE
std::size_t wrong(const lanefold::varying<bool, 16>& m) { return m.size(); }
#endif
