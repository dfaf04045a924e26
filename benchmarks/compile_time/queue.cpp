// SPDX-License-Identifier: Apache-2.0
/// A program that submits and has no kernel: queue, buffer, event, copies. scripts/walls counts the headers that it
/// reads.
#include <lanefold/execution/buffer.hpp>
#include <lanefold/execution/event.hpp>
#include <lanefold/execution/queue.hpp>

#include <cstdio>
#include <vector>

namespace lf = lanefold;

int main() {
  std::vector<float> x(1 << 16, 4.f);
  std::vector<float> y(x.size());
  lf::queue q;
  const lf::event copied = q.copy(x.data(), y.data(), x.size());
  q.fill(x.data(), 1.f, x.size(), copied).wait();
  lf::buffer<float> b(y.data(), lf::range<1>(y.size()));
  q.submit([&](lf::handler& h) { h.host_task([] {}); }).wait();
  std::printf("%g %g %zu\n", static_cast<double>(x.back()), static_cast<double>(y.back()), b.size());
}
