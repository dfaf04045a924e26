// SPDX-License-Identifier: Apache-2.0
// misuse: values of lanes do not change: auto v = it.var(x) makes a variable
#include <lanefold/execution.hpp>

namespace lf = lanefold;

void right(lf::queue& q, lf::view<int> x) {
  q.parallel_for(lf::nd_range<1>(64, 64), [=](auto it) {
    const auto i = it.get_global_id(0);
    it.for_(0, x[i], [&](auto k) {
      auto twice = it.var(k);
      twice *= 2;
      x[i] += twice;
    });
  });
}
#ifdef LANEFOLD_MISUSE
void wrong(lf::queue& q, lf::view<int> x) {
  q.parallel_for(lf::nd_range<1>(64, 64), [=](auto it) {
    const auto i = it.get_global_id(0);
    it.for_(0, x[i], [&](auto k) {
      k *= 2;
      x[i] += k;
    });
  });
}
#endif
