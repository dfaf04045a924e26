// SPDX-License-Identifier: Apache-2.0
// misuse: operators for group algorithms of recorded kernels take auto
#include <lanefold/recorded.hpp>

namespace lf = lanefold;

std::string text(lf::view<float> x) {
  return lf::gpu::source(
      [=](auto it) {
        const auto i = it.get_global_id(0);
#ifdef LANEFOLD_MISUSE
        x[i] = lf::reduce_over_group(it.get_group(), x[i], [](float a, float b) { return a + b; });
#else
        x[i] = lf::reduce_over_group(it.get_group(), x[i], [](auto a, auto b) { return a + b; });
#endif
        x[i] = 1.f;
      },
      lf::nd_range<1>(64, 64));
}
