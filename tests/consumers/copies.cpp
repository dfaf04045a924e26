// SPDX-License-Identifier: Apache-2.0
// A program without kernels of its own, which needs lanefold::graph alone: a copy through a buffer's memory and a host
// task behind it.
#include <lanefold/execution/accessor.hpp>
#include <lanefold/execution/buffer.hpp>
#include <lanefold/execution/queue.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

namespace lf = lanefold;

int main() {
  constexpr std::size_t n = 1024;
  const std::vector<int> in(n, 3);
  std::vector<int> out(n);
  int sum = 0;
  lf::queue q;
  {
    lf::buffer<int> b(lf::range<1>{n});
    q.submit([&](lf::handler& h) { h.copy(in.data(), lf::accessor(b, h, lf::write_only)); });
    q.submit([&](lf::handler& h) { h.copy(lf::accessor(b, h, lf::read_only), out.data()); });
    q.submit([&](lf::handler& h) {
      const lf::accessor a(b, h, lf::read_only_host_task);
      h.host_task([a, &sum] {
        for (const int x : a) {
          sum += x;
        }
      });
    });
  }
  if (out != in || sum != 3 * static_cast<int>(n)) {
    std::printf("the sum is %d, not %d\n", sum, 3 * static_cast<int>(n));
    return 1;
  }
}
