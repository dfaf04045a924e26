// SPDX-License-Identifier: Apache-2.0
// misuse: exclusive_scan_over_group without init needs a known_identity of operator and type
#include <lanefold/recorded.hpp>

namespace lf = lanefold;

std::string text(lf::view<lf::vec<float, 2>> x) {
  return lf::gpu::source(
      [=](auto it) {
        const auto i = it.get_global_id(0);
        const auto op = [](auto a, auto b) { return a + b * 2.F; };
#ifdef LANEFOLD_MISUSE
        x[i] = lf::exclusive_scan_over_group(it.get_group(), x[i], op);
#else
        x[i] = lf::exclusive_scan_over_group(it.get_group(), x[i], lf::vec<float, 2>(0.F), op);
#endif
      },
      lf::nd_range<1>(64, 64));
}
