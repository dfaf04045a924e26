// SPDX-License-Identifier: Apache-2.0
// misuse: access by the indices of lanes needs #include <lanefold/memory/view.hpp>
#include <lanefold/execution/accessor.hpp>
#include <lanefold/simd/reference.hpp>
#ifndef LANEFOLD_MISUSE
#include <lanefold/memory/view.hpp>
#endif

using eight_indices = lanefold::lane_index<lanefold::simd<8>, lanefold::stride::zero, lanefold::stride::one>;

void wrong(const lanefold::accessor<float>& a, const eight_indices& i) { a[i] = 1.f; }
