// SPDX-License-Identifier: Apache-2.0
// Scoped and hierarchical kernels in graphs, with other numbers of groups and other values.
#include <lanefold/execution.hpp>
#include <lanefold/scoped.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <numeric>
#include <vector>

namespace lf = lanefold;
namespace graph = lf::graph;

namespace {

constexpr std::size_t n = 64;

/// A graph with a parameter, and what its kernels add to.
class scoped_graph_update : public testing::Test {
protected:
  lf::queue q;
  std::vector<int> x = std::vector<int>(n);
  lf::view<int> v{x.data(), n};
  graph::command_graph<> g{q};
  graph::dynamic_parameter<int> value{g, 1};
};

TEST_F(scoped_graph_update, the_groups_of_scoped_kernels_and_their_parameters_change) {
  graph::node node = g.add([&](lf::handler& h) {
    h.parallel(lf::range<1>(2), lf::range<1>(8), [v = v, value = value](auto group) {
      lf::distribute_items_and_wait(group, [&](auto it) { v[it.get_global_id(0)] += value.get(); });
    });
  });
  auto exec = g.finalize(graph::property::graph::updatable());
  q.ext_oneapi_graph(exec).wait();
  node.update_range(lf::range<1>(n / 8));
  value.update(10);
  exec.update(node);
  q.ext_oneapi_graph(exec).wait();
  EXPECT_EQ(x[15], 11);
  EXPECT_EQ(x[16], 10);
  EXPECT_EQ(x[n - 1], 10);
}

TEST_F(scoped_graph_update, the_groups_of_hierarchical_kernels_and_their_parameters_change) {
  graph::node node = g.add([&](lf::handler& h) {
    h.parallel_for_work_group(lf::range<1>(2), lf::range<1>(8), [v = v, value = value](lf::group<1> group) {
      group.parallel_for_work_item([&](lf::h_item<1> it) { v[it.get_global_id(0)] += value.get(); });
    });
  });
  auto exec = g.finalize(graph::property::graph::updatable());
  q.ext_oneapi_graph(exec).wait();
  value.update(100);
  node.update_range(lf::range<1>(1));
  exec.update(node);
  q.ext_oneapi_graph(exec).wait();
  EXPECT_EQ(x[7], 101);
  EXPECT_EQ(x[8], 1);
  EXPECT_EQ(std::accumulate(x.begin(), x.end(), 0), 16 + 800);
}

} // namespace
