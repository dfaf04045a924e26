// SPDX-License-Identifier: Apache-2.0
// misuse: no plain if on recorded values: it.if_, it.while_, select
#include <lanefold/recorded.hpp>

namespace lf = lanefold;

std::string text(lf::view<float> x) {
  return lf::gpu::source(
      [=](auto it) {
        const auto i = it.get_global_id(0);
        it.if_(x[i] > 0.f, [&] { x[i] = 0.f; });
#ifdef LANEFOLD_MISUSE
        if (x[i] > 0.f) {
          x[i] = 0.f;
        }
#endif
      },
      lf::nd_range<1>(64, 64));
}
