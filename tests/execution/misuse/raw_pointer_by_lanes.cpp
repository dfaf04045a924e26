// SPDX-License-Identifier: Apache-2.0
// misuse: use lf::view instead of a raw pointer
#include <lanefold/execution.hpp>

namespace lf = lanefold;

void wrong(lf::queue& q, float* p) {
#ifdef LANEFOLD_MISUSE
  const auto x = p;
#else
  const lf::view<float> x(p, 100);
#endif
  q.parallel_for(lf::range<1>(100), [=](auto i) { x[i] = 2.f; });
}
