// SPDX-License-Identifier: Apache-2.0
// Graphs of devices with memory of their own.
#include "toy_device.hpp"

#include <lanefold/execution.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace lf = lanefold;
namespace ld = lanefold::detail;
using namespace toy_devices;

namespace {

using device_graph = device_backend;

TEST_F(device_graph, a_graph_is_one_command_whose_nodes_keep_their_order) {
  lf::queue q(toy());
  lf::buffer<int> x(4), y(4);
  q.submit([&](lf::handler& h) { h.fill(lf::accessor(x, h, lf::write_only), 1); });
  q.submit([&](lf::handler& h) { h.fill(lf::accessor(y, h, lf::write_only), 100); });
  lf::graph::command_graph g(q);
  add_change(g, x, 2, 0);
  add_change(g, x, 1, 3);
  add_change(g, y, 1, 1);
  g.add([&](lf::handler& h) {
    const lf::accessor to(x, h, lf::read_write);
    const lf::accessor from(y, h, lf::read_only);
    h.launch([](const std::vector<int*>& p) { p[0][0] += p[1][0]; }, anywhere, to, from);
  });
  lf::graph::node nothing = g.add(lf::graph::property::node::depends_on_all_leaves());
  g.add([&](lf::handler& h) {
    const lf::accessor to(x, h, lf::read_write);
    h.launch(change(4, 1, 1000), anywhere, to);
  });
  auto exec = g.finalize();
  int expected[2] = {1, 1};
  for (int run = 1; run <= 3; ++run) {
    const lf::event done = q.ext_oneapi_graph(exec);
    expected[0] = expected[0] * 2 + 3 + (100 + run) + 1000;
    expected[1] = expected[1] * 2 + 3 + 1000;
    std::vector<int> seen; // by a command of the host that comes after the event
    q.submit([&](lf::handler& h) {
      h.depends_on(done);
      const lf::accessor<int, 1, lf::access_mode::read, lf::target::host_task> a(x, h);
      h.host_task([=, &seen] { seen.assign({a[0], a[1]}); });
    });
    q.wait();
    EXPECT_EQ(seen, (std::vector{expected[0], expected[1]})) << run;
  }
  EXPECT_EQ(nothing.get_predecessors().size(), 1U);
  EXPECT_EQ(lf::host_accessor<int>(y)[0], 103);
}

TEST_F(device_graph, a_graph_gets_other_commands_by_updates) {
  lf::queue q(toy());
  lf::buffer<int> x(2);
  q.submit([&](lf::handler& h) { h.fill(lf::accessor(x, h, lf::write_only), 1); });
  lf::graph::command_graph g(q), other(q);
  add_change(g, x, 1, 1);
  add_change(g, x, 2, 0);
  add_change(other, x, 1, 10);
  add_change(other, x, 3, 0);
  auto exec = g.finalize(lf::graph::property::graph::updatable());
  q.ext_oneapi_graph(exec); // (1 + 1) * 2
  exec.update(other);
  q.ext_oneapi_graph(exec); // (4 + 10) * 3
  EXPECT_EQ(lf::host_accessor<int>(x)[0], 42);
}

TEST_F(device_graph, errors_of_nodes_are_those_of_the_graph) {
  std::vector<std::string> seen;
  lf::queue q(toy(), [&](lf::exception_list all) {
    for (const std::exception_ptr& each : all) {
      try {
        std::rethrow_exception(each);
      } catch (const std::exception& e) {
        seen.emplace_back(e.what());
      }
    }
  });
  lf::buffer<int> x(1);
  bool fails = true;
  lf::graph::command_graph g(q);
  add_change(g, x, 0, 1);
  g.add([&](lf::handler& h) {
    const lf::accessor a(x, h, lf::read_write);
    h.launch(
        [&fails](const std::vector<int*>&) {
          if (fails) {
            throw std::runtime_error("the second node");
          }
        },
        anywhere, a);
  });
  add_change(g, x, 1, 5);
  auto exec = g.finalize();
  q.ext_oneapi_graph(exec);
  q.wait_and_throw();
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_NE(seen[0].find("the second node"), std::string::npos) << seen[0];
  fails = false;
  q.ext_oneapi_graph(exec);
  q.wait_and_throw();
  EXPECT_EQ(seen.size(), 1U);
  EXPECT_EQ(lf::host_accessor<int>(x)[0], 6);
}

TEST_F(device_graph, graphs_of_devices_refuse_what_is_not_theirs) {
  lf::queue q(toy());
  lf::graph::command_graph g(q);
  std::string why;
  EXPECT_EQ(code_thrown_by([&] { g.add([](lf::handler& h) { h.host_task([] {}); }); }, &why),
            lf::errc::feature_not_supported);
  EXPECT_NE(why.find("runs on the host"), std::string::npos) << why;
  auto nothing = g.finalize();
  q.ext_oneapi_graph(nothing).wait();
  g.add();
  auto empty = g.finalize();
  q.ext_oneapi_graph(empty).wait();
  EXPECT_EQ(code_thrown_by([&] { lf::queue(toy(1)).ext_oneapi_graph(empty); }), lf::errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { lf::queue().ext_oneapi_graph(empty); }, &why), lf::errc::invalid);
  EXPECT_NE(why.find("another device"), std::string::npos) << why;
  lf::graph::command_graph of_cpu{lf::queue()};
  auto on_cpu = of_cpu.finalize();
  EXPECT_EQ(code_thrown_by([&] { q.ext_oneapi_graph(on_cpu); }), lf::errc::invalid);
}

TEST_F(device_graph, a_graph_is_a_node_of_one_of_its_device) {
  std::vector<int> data(100, 1);
  {
    lf::buffer<int> x(data.data(), lf::range<1>(data.size()));
    lf::queue q(toy());
    lf::graph::command_graph part(q);
    add_change(part, x, 2, 0);
    add_change(part, x, 1, 3);
    const auto inner = part.finalize();
    lf::graph::command_graph g(q);
    add_change(g, x, 1, 1);
    g.add([&](lf::handler& h) { h.ext_oneapi_graph(inner); });
    add_change(g, x, 10, 0);
    q.ext_oneapi_graph(g.finalize()); // ((1 + 1) * 2 + 3) * 10
    q.ext_oneapi_graph(inner);
    q.wait();
    lf::graph::command_graph elsewhere{lf::queue(toy(1))};
    EXPECT_EQ(code_thrown_by([&] { elsewhere.add([&](lf::handler& h) { h.ext_oneapi_graph(inner); }); }),
              lf::errc::invalid);
  }
  EXPECT_EQ(data, std::vector<int>(100, 143));
}

} // namespace
