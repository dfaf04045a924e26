// SPDX-License-Identifier: Apache-2.0
// misuse: recorded values do not change: auto v = it.var(x)
#include <lanefold/recorded.hpp>

namespace lf = lanefold;

std::string text(lf::view<float> x) {
  return lf::gpu::source(
      [=](auto it) {
        const auto i = it.get_global_id(0);
        auto v = it.var(x[i] + 1.f);
        v = v * 2.f;
#ifdef LANEFOLD_MISUSE
        auto w = x[i] + 1.f;
        w = w * 2.f;
#endif
        x[i] = v;
      },
      lf::nd_range<1>(64, 64));
}
