// SPDX-License-Identifier: Apache-2.0
// misuse: an index is a whole number
#include <lanefold/recorded.hpp>

namespace lf = lanefold;

std::string text(lf::view<float> x) {
  return lf::gpu::source(
      [=](auto it) {
        const auto i = it.get_global_id(0);
#ifdef LANEFOLD_MISUSE
        const auto f = lf::convert<float>(i);
        x[f] = 0.f;
#else
        x[i] = 0.f;
#endif
        x[i] = 1.f;
      },
      lf::nd_range<1>(64, 64));
}
