// SPDX-License-Identifier: Apache-2.0
// misuse: while_ asks its condition before each round
#include <lanefold/execution.hpp>

namespace lf = lanefold;

void right(lf::queue& q, lf::view<int> x) {
  q.parallel_for(lf::nd_range<1>(64, 64), [=](auto it) {
    auto v = it.var(x[it.get_global_id(0)]);
    it.while_([&] { return v < 5; }, [&] { v += 1; });
    x[it.get_global_id(0)] = v;
  });
}
#ifdef LANEFOLD_MISUSE
void wrong(lf::queue& q, lf::view<int> x) {
  q.parallel_for(lf::nd_range<1>(64, 64), [=](auto it) {
    auto v = it.var(x[it.get_global_id(0)]);
    it.while_(v < 5, [&] { v += 1; });
    x[it.get_global_id(0)] = v;
  });
}
#endif
