// SPDX-License-Identifier: Apache-2.0
// misuse: recorded values are no plain numbers: auto v = x
#include <lanefold/recorded.hpp>

namespace lf = lanefold;

std::string text(lf::view<float> x) {
  return lf::gpu::source(
      [=](auto it) {
        const auto i = it.get_global_id(0);
#ifdef LANEFOLD_MISUSE
        const float v = x[i] + 1.f;
#else
        const auto v = x[i] + 1.f;
#endif
        x[i] = v;
      },
      lf::nd_range<1>(64, 64));
}
