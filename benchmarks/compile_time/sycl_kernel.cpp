// SPDX-License-Identifier: Apache-2.0
/// The SYCL program whose compile time scripts/targets measures: one kernel through a buffer.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <vector>

int main() {
  std::vector<float> x(1 << 16, 4.f);
  {
    sycl::queue q;
    sycl::buffer b(x);
    q.submit([&](sycl::handler& h) {
      sycl::accessor a(b, h, sycl::read_write);
      h.parallel_for(sycl::nd_range<1>(x.size(), 256),
                     [=](sycl::nd_item<1> it) { a[it.get_global_id()] = sycl::sqrt(a[it.get_global_id()]); });
    });
  }
  std::printf("%g\n", static_cast<double>(x.back()));
}
