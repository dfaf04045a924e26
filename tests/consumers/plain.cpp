// SPDX-License-Identifier: Apache-2.0
// A plain SYCL program that knows nothing of Lanefold.
#include <sycl/sycl.hpp>

#include <cmath>
#include <iostream>
#include <vector>

int main() {
  std::vector<float> x(1000, 4.0f), y(1000);
  float sum = 0;
  try {
    sycl::queue q;
    sycl::buffer<float> in(x.data(), x.size()), out(y.data(), y.size()), total(&sum, 1);
    q.submit([&](sycl::handler& h) {
      sycl::accessor a(in, h, sycl::read_only);
      sycl::accessor b(out, h, sycl::write_only, sycl::no_init);
      auto all = sycl::reduction(total, h, sycl::plus<float>());
      h.parallel_for(sycl::range<1>(x.size()), all, [=](sycl::id<1> i, auto& to) {
        b[i] = sycl::sqrt(a[i]);
        to += b[i];
      });
    });
  } catch (const sycl::exception& e) {
    std::cerr << e.what() << '\n';
    return 2;
  }
  return std::fabs(sum - 2000.0f) < 0.01f && y[999] == 2.0f ? 0 : 1;
}
