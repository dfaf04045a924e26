// SPDX-License-Identifier: Apache-2.0
// misuse: atomic operations of recorded kernels are for numbers of 32 and 64 bits
#include <lanefold/recorded.hpp>

namespace lf = lanefold;

std::string text(lf::view<float> x, lf::view<std::int8_t> b, lf::view<std::int32_t> c) {
  return lf::gpu::source(
      [=](auto it) {
        const auto i = it.get_global_id(0);
#ifdef LANEFOLD_MISUSE
        ++lf::atomic_ref(b[i]);
#else
        ++lf::atomic_ref(c[i]);
#endif
        x[i] = 1.f;
      },
      lf::nd_range<1>(64, 64));
}
