// SPDX-License-Identifier: Apache-2.0
// misuse: the callable of distribute_groups returns nothing
#include <lanefold/execution/queue.hpp>
#include <lanefold/scoped.hpp>

void right(lanefold::queue& q) {
  q.parallel(lanefold::range<1>(1), lanefold::range<1>(8),
             [](auto group) { lanefold::distribute_groups(group, [](auto) {}); });
}
#ifdef LANEFOLD_MISUSE
void wrong(lanefold::queue& q) {
  q.parallel(lanefold::range<1>(1), lanefold::range<1>(8),
             [](auto group) { lanefold::distribute_groups(group, [](auto) { return 1; }); });
}
#endif
