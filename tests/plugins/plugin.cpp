// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution.hpp>

#include <numeric>
#include <vector>

/// Returns the sum of 0 … count - 1, in groups whose work-items meet at a barrier.
extern "C" int sum_below(int count) {
  namespace lf = lanefold;
  constexpr std::size_t group = 10;
  const std::size_t items = static_cast<std::size_t>(count) / group * group;
  std::vector<int> values(items, 0);
  int* const out = values.data();
  lf::queue q;
  q.parallel_for(lf::nd_range<1>(items, group), [=](lf::nd_item<1> it) {
     lf::group_barrier(it.get_group());
     const std::size_t i = it.get_global_id(0);
     out[i] = static_cast<int>(i);
   }).wait();
  return std::accumulate(values.begin(), values.end(), 0);
}
