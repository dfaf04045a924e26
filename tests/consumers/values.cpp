// SPDX-License-Identifier: Apache-2.0
// A program with vectors of four floats alone, which needs lanefold::values.
#include <lanefold/memory/vec.hpp>

#include <cstdio>

namespace lf = lanefold;

int main() {
  const lf::vec<float, 4> x(1.0F, 2.0F, 3.0F, 4.0F);
  const lf::vec<float, 4> y = x * 2.0F + lf::vec<float, 4>(x.swizzle<3, 2, 1, 0>());
  if (y[0] != 6.0F || y[3] != 9.0F) {
    std::printf("the vector begins with %g and ends with %g, not with 6 and 9\n", static_cast<double>(y[0]),
                static_cast<double>(y[3]));
    return 1;
  }
}
