// SPDX-License-Identifier: Apache-2.0
// misuse: write lf::atomic_ref(x[i]), or lf::make_atomic_ref<order, scope>(x[i]), without the type of the element
#include <lanefold/memory/atomic_ref.hpp>
#include <lanefold/memory/view.hpp>

namespace lf = lanefold;
using lf::memory_order, lf::memory_scope;

template <class Index>
void right(lf::view<int> x, const Index& i) {
  lf::make_atomic_ref<memory_order::relaxed, memory_scope::work_group>(x[i]).fetch_add(1);
  lf::atomic_ref<int, memory_order::relaxed, memory_scope::work_group>(x[0]).fetch_add(1);
}
template void right(lf::view<int>, const lf::varying<int, 8>&);
#ifdef LANEFOLD_MISUSE
void wrong(lf::view<int> x, const lf::varying<int, 8>& i) {
  lf::atomic_ref<int, memory_order::relaxed, memory_scope::work_group>(x[i]).fetch_add(1);
}
#endif
