// SPDX-License-Identifier: Apache-2.0
// misuse: a callable for items returns nothing
#include <lanefold/execution/queue.hpp>
#include <lanefold/scoped.hpp>

void right(lanefold::queue& q) {
  q.submit([](lanefold::handler& h) {
    h.parallel_for_work_group(lanefold::range<1>(1), lanefold::range<1>(8),
                              [](lanefold::group<1> g) { g.parallel_for_work_item([](lanefold::h_item<1>) {}); });
  });
}
#ifdef LANEFOLD_MISUSE
void wrong(lanefold::queue& q) {
  q.submit([](lanefold::handler& h) {
    h.parallel_for_work_group(lanefold::range<1>(1), lanefold::range<1>(8), [](lanefold::group<1> g) {
      g.parallel_for_work_item([](lanefold::h_item<1>) { return 1; });
    });
  });
}
#endif
