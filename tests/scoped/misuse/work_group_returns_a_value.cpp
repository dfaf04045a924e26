// SPDX-License-Identifier: Apache-2.0
// misuse: a kernel returns nothing
#include <lanefold/execution/queue.hpp>
#include <lanefold/scoped.hpp>

void right(lanefold::queue& q) {
  q.submit([](lanefold::handler& h) {
    h.parallel_for_work_group(lanefold::range<1>(1), lanefold::range<1>(8), [](lanefold::group<1>) {});
  });
}
#ifdef LANEFOLD_MISUSE
void wrong(lanefold::queue& q) {
  q.submit([](lanefold::handler& h) {
    h.parallel_for_work_group(lanefold::range<1>(1), lanefold::range<1>(8), [](lanefold::group<1>) { return 1; });
  });
}
#endif
