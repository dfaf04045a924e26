// SPDX-License-Identifier: Apache-2.0
// Scoped and hierarchical kernels in graphs, with other numbers of groups and other values; many nodes of one group.
#include <lanefold/execution.hpp>
#include <lanefold/scoped.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <numeric>
#include <stdexcept>
#include <string>
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

/// Nodes of one kernel, a group of eight items each, that no other node waits for: they run in a row.
class scoped_graph_rows : public testing::Test {
protected:
  static constexpr std::size_t nodes = 200;

  scoped_graph_rows() {
    for (std::size_t i = 0; i < nodes; ++i) {
      all.push_back(g.add([&](lf::handler& h) {
        h.parallel(lf::range<1>(1), lf::range<1>(8), [i, this](auto group) {
          if (i == fails) {
            throw std::runtime_error("node of the test");
          }
          lf::single_item_and_wait(group, [&] { ++x[group.get_group_id(0) * nodes + i]; });
        });
      }));
    }
  }

  lf::queue q{lf::property_list{lf::property::threads(2)}};
  std::vector<int> x = std::vector<int>(3 * nodes); // a row for each group of a node
  std::size_t fails = nodes;
  graph::command_graph<> g{q};
  std::vector<graph::node> all;
};

TEST_F(scoped_graph_rows, each_node_runs_once) {
  auto exec = g.finalize();
  for (int run = 1; run < 4; ++run) {
    q.ext_oneapi_graph(exec).wait();
    EXPECT_EQ(std::count(x.begin(), x.begin() + nodes, run), nodes);
  }
}

TEST_F(scoped_graph_rows, end_with_the_node_that_fails) {
  auto exec = g.finalize();
  fails = 100;
  q.ext_oneapi_graph(exec);
  try {
    q.wait_and_throw();
    FAIL() << "no error";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("node of the test"), std::string::npos) << error.what();
  }
  EXPECT_EQ(x[fails], 0);
  EXPECT_LT(*std::max_element(x.begin(), x.end()), 2);
  fails = nodes;
  std::fill(x.begin(), x.end(), 0);
  q.ext_oneapi_graph(exec).wait_and_throw();
  EXPECT_EQ(std::count(x.begin(), x.begin() + nodes, 1), nodes);
}

/// Local memory of all sizes, and more of it that each group takes behind the accessors.
TEST(scoped_graph_rows_of_one_kernel, have_local_memory_of_their_own_sizes) {
  constexpr std::size_t nodes = 100;
  lf::queue q{lf::property_list{lf::property::threads(2)}};
  std::vector<int> x(nodes);
  graph::command_graph<> g{q};
  for (std::size_t i = 0; i < nodes; ++i) {
    g.add([&](lf::handler& h) {
      const std::size_t size = i * 37 % nodes + 1;
      lf::local_accessor<int> own(size, h);
      h.parallel(lf::range<1>(1), lf::range<1>(8), [=, at = &x[i]](auto group) {
        for (std::size_t k = 0; k < size; ++k) {
          own[k] = static_cast<int>(k + i);
        }
        lf::memory_environment(group, lf::require_local_mem<int[8]>(), [&](auto& more) {
          lf::distribute_items_and_wait(group, [&](auto it) { more[it.get_local_id(group, 0)] = -1; });
          int sum = more[7];
          for (std::size_t k = 0; k < size; ++k) {
            sum += own[k];
          }
          lf::single_item_and_wait(group, [&] { *at = sum; });
        });
      });
    });
  }
  auto exec = g.finalize();
  for (int run = 0; run < 3; ++run) {
    std::fill(x.begin(), x.end(), 0);
    q.ext_oneapi_graph(exec).wait_and_throw();
    for (std::size_t i = 0; i < nodes; ++i) {
      const auto size = static_cast<int>(i * 37 % nodes + 1);
      EXPECT_EQ(x[i], size * (size - 1) / 2 + size * static_cast<int>(i) - 1) << i;
    }
  }
}

TEST_F(scoped_graph_rows, a_node_gets_more_groups) {
  auto exec = g.finalize(graph::property::graph::updatable());
  q.ext_oneapi_graph(exec).wait();
  all[7].update_range(lf::range<1>(3));
  exec.update(all[7]);
  q.ext_oneapi_graph(exec).wait();
  all[7].update_range(lf::range<1>(1));
  exec.update(all[7]);
  q.ext_oneapi_graph(exec).wait();
  EXPECT_EQ(std::count(x.begin(), x.begin() + nodes, 3), nodes);
  EXPECT_EQ(x[nodes + 7], 1);
  EXPECT_EQ(x[2 * nodes + 7], 1);
  EXPECT_EQ(std::accumulate(x.begin() + nodes, x.end(), 0), 2);
}

} // namespace
