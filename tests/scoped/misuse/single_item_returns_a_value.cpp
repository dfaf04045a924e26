// SPDX-License-Identifier: Apache-2.0
// misuse: the callable of single_item returns nothing
#include <lanefold/execution/queue.hpp>
#include <lanefold/scoped.hpp>

void right(lanefold::queue& q) {
  q.parallel(lanefold::range<1>(1), lanefold::range<1>(8), [](auto group) { lanefold::single_item(group, [] {}); });
}
#ifdef LANEFOLD_MISUSE
void wrong(lanefold::queue& q) {
  q.parallel(lanefold::range<1>(1), lanefold::range<1>(8),
             [](auto group) { lanefold::single_item(group, [] { return 1; }); });
}
#endif
