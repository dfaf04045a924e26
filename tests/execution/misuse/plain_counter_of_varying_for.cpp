// SPDX-License-Identifier: Apache-2.0
// misuse: write [&](auto i)
#include <lanefold/execution.hpp>

namespace lf = lanefold;

void right(lf::queue& q, lf::view<int> x) {
  q.parallel_for(lf::nd_range<1>(64, 64), [=](auto it) {
    const auto i = it.get_global_id(0);
    it.for_(0, x[i], [&](auto k) { x[i] += k; });
  });
}
#ifdef LANEFOLD_MISUSE
void wrong(lf::queue& q, lf::view<int> x) {
  q.parallel_for(lf::nd_range<1>(64, 64), [=](auto it) {
    const auto i = it.get_global_id(0);
    it.for_(0, x[i], [&](int k) { x[i] += k; });
  });
}
#endif
