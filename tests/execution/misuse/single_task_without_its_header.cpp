// SPDX-License-Identifier: Apache-2.0
// misuse: single_task needs #include <lanefold/execution/single_task.hpp>
#include <lanefold/execution/queue.hpp>
#ifndef LANEFOLD_MISUSE
#include <lanefold/execution/single_task.hpp>
#endif

void wrong(lanefold::queue& q) {
  q.single_task([] {});
}
