// SPDX-License-Identifier: Apache-2.0
// misuse: lanes have no registers in a plain SYCL source file
#ifndef LANEFOLD_MISUSE
#define LANEFOLD_LANES
#endif
#include <sycl/sycl.hpp>

namespace lf = lanefold;

void add_one(sycl::queue& q, lf::view<float> x) {
  q.parallel_for(sycl::nd_range<1>(256, 64), lf::property::strategy<lf::simd<16>>{},
                 [=](auto it) { x[it.get_global_id(0)] += 1.f; });
}
