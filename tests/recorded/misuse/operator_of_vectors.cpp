// SPDX-License-Identifier: Apache-2.0
// misuse: with other operators call them for each element
#include <lanefold/recorded.hpp>

namespace lf = lanefold;

std::string text(lf::view<lf::vec<float, 2>> x) {
  return lf::gpu::source(
      [=](auto it) {
        const auto i = it.get_global_id(0);
#ifdef LANEFOLD_MISUSE
        x[i] = lf::reduce_over_group(it.get_group(), x[i], [](auto a, auto b) { return a + b * 2.F; });
#else
        x[i] = lf::reduce_over_group(it.get_group(), x[i], lf::plus<>());
#endif
      },
      lf::nd_range<1>(64, 64));
}
