// SPDX-License-Identifier: Apache-2.0
// simd alone works. In the source tree it sees no other module; installed, all headers lie in one folder.
#include <lanefold/simd.hpp>

#include <array>
#include <cstdio>

#if defined(EXPECT_ONLY_SIMD) && (__has_include(<lanefold/memory.hpp>) || __has_include(<lanefold/execution.hpp>))
#error "a module sees a module that it does not link"
#endif

namespace lf = lanefold;

int main() {
  std::array<float, 8> data{1, 2, 3, 4, 5, 6, 7, 8};
  const auto v = lf::varying<float, 8>::load(data.data());
  lf::select(v > 4.f, v * v, v).store(data.data());
  if (data != std::array<float, 8>{1, 2, 3, 4, 25, 36, 49, 64}) {
    std::puts("wrong");
    return 1;
  }
  std::puts("ok");
}
