// SPDX-License-Identifier: Apache-2.0
/// The program whose compile time scripts/targets measures: one kernel, the umbrella header.
#include <lanefold/lanefold.hpp>

#include <cstdio>

namespace lf = lanefold;

int main() {
  constexpr std::size_t n = 1 << 16;
  lf::queue q;
  float* const x = lf::malloc_shared<float>(n, q);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = static_cast<float>(i);
  q.parallel_for(lf::nd_range<1>{n, 256}, [=, v = lf::view<float>(x, n)](auto it) {
     const auto i = it.get_global_id(0);
     v[i] = lf::sqrt(v[i]);
   }).wait();
  std::printf("%g\n", static_cast<double>(x[n - 1]));
  lf::free(x, q);
}
