// SPDX-License-Identifier: Apache-2.0
#include "lanefold_queues.hpp"

#include <memory>

namespace lanefold_benchmarks::ours {

work replayed_graph(const heavy_items& of, edges how, unsigned threads) {
  namespace graph = lf::graph;
  lf::queue& q = queue_with(threads);
  constexpr std::size_t width = 100; // nodes of a layer
  graph::command_graph g(q);
  std::vector<graph::node> all;
  for (std::size_t i = 0; i < of.count; ++i) {
    std::vector<graph::node> after;
    if (how == edges::chains && i >= 2) {
      after.push_back(all[i - 2]);
    } else if (how == edges::layers && i >= width) {
      const std::size_t place = i % width;
      const std::size_t above = i - width;
      for (std::size_t n = above - (place != 0 ? 1 : 0); n <= above + (place + 1 != width ? 1 : 0); ++n) {
        after.push_back(all[n]);
      }
    }
    all.push_back(g.add(
        [&](lf::handler& h) { h.single_task([of, i] { of.values[i] = lanefold_peers::heavy_item(i, of.steps[i]); }); },
        graph::property::node::depends_on(after)));
  }
  const auto exec = std::make_shared<graph::command_graph<graph::graph_state::executable>>(g.finalize());
  return {"replayed", [exec, &q] { q.ext_oneapi_graph(*exec).wait(); }, {}};
}

} // namespace lanefold_benchmarks::ours
