// SPDX-License-Identifier: Apache-2.0
// misuse: reductions into buffers need #include <lanefold/execution/accessor.hpp>
#include <lanefold/execution/buffer.hpp>
#include <lanefold/execution/kernels.hpp>
#include <lanefold/execution/queue.hpp>
#ifndef LANEFOLD_MISUSE
#include <lanefold/execution/accessor.hpp>
#endif

void wrong(lanefold::queue& q, lanefold::buffer<int>& sum) {
  q.submit([&](lanefold::handler& h) {
    h.parallel_for(lanefold::range<1>(8), lanefold::reduction(sum, h, lanefold::plus<>()),
                   [](lanefold::id<1>, auto& s) { s += 1; });
  });
}
