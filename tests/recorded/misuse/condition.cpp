// SPDX-License-Identifier: Apache-2.0
// misuse: a condition is a recorded bool
#include <lanefold/recorded.hpp>

namespace lf = lanefold;

std::string text(lf::view<float> x) {
  return lf::gpu::source(
      [=](auto it) {
        const auto i = it.get_global_id(0);
#ifdef LANEFOLD_MISUSE
        auto left = it.var(3);
        it.while_([&] { return left - 1; }, [&] { --left; });
#else
        auto left = it.var(3);
        it.while_([&] { return left > 1; }, [&] { --left; });
#endif
        x[i] = 1.f;
      },
      lf::nd_range<1>(64, 64));
}
