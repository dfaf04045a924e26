// SPDX-License-Identifier: Apache-2.0
// misuse: scoped and hierarchical kernels need #include <lanefold/scoped.hpp>
#include <lanefold/execution/queue.hpp>
#ifndef LANEFOLD_MISUSE
#include <lanefold/scoped.hpp>
#endif

void wrong(lanefold::queue& q) {
  q.parallel(lanefold::range<1>(1), lanefold::range<1>(8), [](auto) {});
}
