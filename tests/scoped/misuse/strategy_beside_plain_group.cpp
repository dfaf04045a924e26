// SPDX-License-Identifier: Apache-2.0
// misuse: a hierarchical kernel whose launch asks for a strategy takes its group as auto
#include <lanefold/execution/queue.hpp>
#include <lanefold/scoped.hpp>

void right(lanefold::handler& h) {
  h.parallel_for_work_group(lanefold::range<1>(1), lanefold::range<1>(8),
                            lanefold::property::strategy<lanefold::scalar>{}, [](auto) {});
}
#ifdef LANEFOLD_MISUSE
void wrong(lanefold::handler& h) {
  h.parallel_for_work_group(lanefold::range<1>(1), lanefold::range<1>(8),
                            lanefold::property::strategy<lanefold::scalar>{}, [](lanefold::group<1>) {});
}
#endif
