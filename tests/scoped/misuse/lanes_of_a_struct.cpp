// SPDX-License-Identifier: Apache-2.0
// misuse: with lanes, what lies in private memory is an arithmetic type
#include <lanefold/execution/queue.hpp>
#include <lanefold/scoped.hpp>

struct pair {
  int a, b;
};

template <class Item>
void kernel(lanefold::queue& q) {
  q.parallel(lanefold::range<1>(1), lanefold::range<1>(8), [](auto group) {
    lanefold::memory_environment(group, lanefold::require_private_mem<pair>(), [&](auto& own) {
      lanefold::distribute_items(group, [&](Item it) { own(it).a = 1; });
    });
  });
}
void right(lanefold::queue& q) { kernel<lanefold::s_item<1>>(q); }
#ifdef LANEFOLD_MISUSE
void wrong(lanefold::queue& q) { kernel<lanefold::s_item<1, lanefold::simd<16>>>(q); }
#endif
