// SPDX-License-Identifier: Apache-2.0
#include "lanefold_queues.hpp"

#include <algorithm>
#include <memory>

namespace lanefold_benchmarks::ours {

namespace {

using lanefold_peers::heavy_item;

constexpr std::size_t row = 32; // items in a row of two dimensions
constexpr std::size_t line = 8; // and of three, with four lines to a plane

template <class Run>
lf::event submit(lf::queue& q, const heavy_items& of, space over, int* sum, const Run& run) {
  switch (over) {
  case space::range: return q.parallel_for(lf::range<1>(of.count), [=](lf::id<1> i) { run(i[0]); });
  case space::range_2d:
    return q.parallel_for(lf::range<2>(of.count / row, row), [=](lf::item<2> it) { run(it.get_linear_id()); });
  case space::range_3d:
    return q.parallel_for(lf::range<3>(of.count / row, row / line, line),
                          [=](lf::item<3> it) { run(it.get_linear_id()); });
  case space::nd_range:
    return q.parallel_for(lf::nd_range<1>(of.count, std::clamp<std::size_t>(of.count / 64, 1, 64)),
                          [=](lf::nd_item<1> it) { run(it.get_global_id(0)); });
  case space::nd_range_3d:
    return q.parallel_for(lf::nd_range<3>({of.count / row, row / line, line}, {1, 2, 2}),
                          [=](lf::nd_item<3> it) { run(it.get_global_linear_id()); });
  case space::groups_of_256: // as programs for GPUs have them: few groups
    return q.parallel_for(lf::nd_range<1>(of.count, 256), [=](lf::nd_item<1> it) { run(it.get_global_id(0)); });
  case space::reduction: break;
  }
  return q.parallel_for(lf::range<1>(of.count), lf::reduction(sum, lf::plus<>()), [=](lf::id<1> i, auto& total) {
    run(i[0]);
    total += 1;
  });
}

} // namespace

std::vector<work> heavy(const heavy_items& of, space over, unsigned threads) {
  lf::queue& q = queue_with(threads);
  const auto sum = std::make_shared<int>(0);
  if (of.steps == nullptr) {
    const auto run = [of](std::size_t i) { of.values[i] = heavy_item(i, lanefold_peers::even_steps); };
    return {{"work-items", [=, &q] { submit(q, of, over, sum.get(), run).wait(); }, {}}};
  }
  const auto run = [of](std::size_t i) { of.values[i] = heavy_item(i, of.steps[i]); };
  return {{"work-items", [=, &q] { submit(q, of, over, sum.get(), run).wait(); }, {}}};
}

} // namespace lanefold_benchmarks::ours
