// SPDX-License-Identifier: Apache-2.0
// misuse: parallel_for needs #include <lanefold/execution/kernels.hpp>
#include <lanefold/execution/queue.hpp>
#ifndef LANEFOLD_MISUSE
#include <lanefold/execution/kernels.hpp>
#endif

void wrong(lanefold::queue& q) {
  q.parallel_for(lanefold::range<1>(8), [](auto) {});
}
