// SPDX-License-Identifier: Apache-2.0
// misuse: auto v = it.var(i) makes a variable
#include <lanefold/simd/lane_index.hpp>

using index_type = lanefold::lane_index<lanefold::simd<16>, lanefold::stride::zero, lanefold::stride::one>;

auto right(const index_type& i) { return i + 1; }
#ifdef LANEFOLD_MISUSE
void wrong(index_type& i) { i = i + 1; }
#endif
