// SPDX-License-Identifier: Apache-2.0
// misuse: the callable of memory_environment returns nothing
#include <lanefold/execution/queue.hpp>
#include <lanefold/scoped.hpp>

void right(lanefold::queue& q) {
  q.parallel(lanefold::range<1>(1), lanefold::range<1>(8),
             [](auto group) { lanefold::memory_environment(group, lanefold::require_local_mem<int>(), [](int&) {}); });
}
#ifdef LANEFOLD_MISUSE
void wrong(lanefold::queue& q) {
  q.parallel(lanefold::range<1>(1), lanefold::range<1>(8), [](auto group) {
    lanefold::memory_environment(group, lanefold::require_local_mem<int>(), [](int& x) { return x; });
  });
}
#endif
