// SPDX-License-Identifier: Apache-2.0
// misuse: a kernel returns nothing
#include <lanefold/execution/queue.hpp>
#include <lanefold/scoped.hpp>

void right(lanefold::queue& q) {
  q.parallel(lanefold::range<1>(1), lanefold::range<1>(8), [](auto) {});
}
#ifdef LANEFOLD_MISUSE
void wrong(lanefold::queue& q) {
  q.parallel(lanefold::range<1>(1), lanefold::range<1>(8), [](auto) { return 1; });
}
#endif
