// SPDX-License-Identifier: Apache-2.0
/// One program of source files with <sycl/sycl.hpp> and with <lanefold/lanefold.hpp>: each gets its kernels as it says.
#include "kernels.hpp"

#include <cstdio>

int main() {
  const std::vector<int> lanefold = surfaces::lanes_by_lanefold(), sycl = surfaces::lanes_by_sycl();
  int wrong = 0;
  for (std::size_t i = 0; i < lanefold.size(); ++i) {
    const bool is_size = i == 9, is_task = i == 5;
    const bool is_value = i == 10;
    const bool right = is_value  ? lanefold[i] == 27 && sycl[i] == 27
                       : is_size ? sycl[i] == 32
                                 : lanefold[i] > 1 && sycl[i] == (is_task ? 0 : 1);
    if (!right) {
      std::printf("launch %zu: %d (lanes, or a value) in the file with <lanefold/lanefold.hpp>, %d in that with "
                  "<sycl/sycl.hpp>\n",
                  i, lanefold[i], sycl[i]);
      ++wrong;
    }
  }
  return wrong;
}
