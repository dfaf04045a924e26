// SPDX-License-Identifier: Apache-2.0
// Queues that record their commands to graphs.

#include "thrown.hpp"

#include <lanefold/execution.hpp>
#include <lanefold/memory.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace lf = lanefold;
namespace graph = lf::graph;
using lf::errc;

namespace {

TEST(graph_recording, a_recording_queue_makes_nodes_that_its_events_order) {
  lf::queue q(lf::property_list{lf::property::threads(4)});
  graph::command_graph g(q);
  int value = 0;
  g.begin_recording(q);
  EXPECT_EQ(q.ext_oneapi_get_state(), graph::queue_state::recording);
  lf::event add = q.single_task([&] { value += 2; });
  const lf::event twice = q.single_task(add, [&] { value *= 10; });
  q.ext_oneapi_submit_barrier();
  q.single_task([&] { value += 1; });
  EXPECT_EQ(code_thrown_by([&] { add.wait(); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { q.wait(); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { (void)add.get_info<lf::info::event::command_execution_status>(); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { g.add([](lf::handler&) {}); }), errc::invalid);
  g.end_recording();
  EXPECT_EQ(q.ext_oneapi_get_state(), graph::queue_state::executing);
  EXPECT_EQ(graph::node::get_node_from_event(twice).get_predecessors(),
            std::vector{graph::node::get_node_from_event(add)});
  EXPECT_EQ(code_thrown_by([&] { q.single_task(add, [] {}); }), errc::invalid);
  EXPECT_EQ(g.get_nodes().size(), 4U);
  auto exec = g.finalize();
  q.wait();
  EXPECT_EQ(value, 0);
  q.ext_oneapi_graph(exec);
  q.ext_oneapi_graph(exec);
  q.wait();
  EXPECT_EQ(value, ((0 + 2) * 10 + 1 + 2) * 10 + 1);
}

TEST(graph_recording, an_in_order_queue_records_a_chain) {
  lf::queue q(lf::property_list{lf::property::in_order()});
  graph::command_graph g(q);
  std::vector<int> seen;
  g.begin_recording(std::vector{q});
  for (int i = 0; i < 5; ++i) {
    if (i == 3) { // a pause does not break the chain
      g.end_recording(q);
      q.submit([&](lf::handler& h) { h.host_task([] {}); }).wait();
      g.begin_recording(q);
    }
    q.submit([&](lf::handler& h) { h.host_task([&seen, i] { seen.push_back(i); }); });
  }
  g.end_recording(q);
  EXPECT_EQ(g.get_root_nodes().size(), 1u);
  auto exec = g.finalize();
  q.ext_oneapi_graph(exec).wait();
  EXPECT_EQ(seen, (std::vector{0, 1, 2, 3, 4}));
}

TEST(graph_recording, a_graph_that_goes_ends_the_recording) {
  lf::queue q;
  int value = 0;
  {
    graph::command_graph g(q);
    g.begin_recording(q);
    q.single_task([&] { value = 1; });
  }
  q.single_task([&] { value = 2; }).wait();
  EXPECT_EQ(value, 2);
}

TEST(graph_recording, a_queue_knows_its_graph) {
  lf::queue q;
  graph::command_graph g(q);
  EXPECT_EQ(code_thrown_by([&] { (void)q.ext_oneapi_get_graph(); }), errc::invalid);
  g.begin_recording(q);
  EXPECT_EQ(q.ext_oneapi_get_graph(), g);
  EXPECT_EQ(q.ext_oneapi_get_graph().get_id(), g.get_id());
  g.end_recording();
  EXPECT_EQ(code_thrown_by([&] { (void)q.ext_oneapi_get_graph(); }), errc::invalid);
}

TEST(graph_recording, a_queue_joins_that_depends_on_a_node) {
  lf::queue q, second, third{lf::property_list{lf::property::in_order()}};
  std::vector<int> x(100);
  const lf::view<int> v(x.data(), x.size());
  graph::command_graph g(q);
  graph::dynamic_parameter step(g, 1);
  g.begin_recording(q);
  const lf::event first = q.fill(x.data(), 1, x.size());
  const lf::event doubled = second.parallel_for(lf::range<1>(x.size()), first, [=](lf::id<1> i) { v[i] *= 2; });
  EXPECT_EQ(second.ext_oneapi_get_state(), graph::queue_state::recording);
  EXPECT_EQ(second.ext_oneapi_get_graph(), g);
  const lf::event added = third.submit([&](lf::handler& h) {
    h.depends_on({first, doubled});
    h.parallel_for(lf::range<1>(x.size()), [=](lf::id<1> i) { v[i] += step.get(); });
  });
  third.single_task([=] { v[0] = 50; }); // behind it, as in an in-order queue
  const lf::event barrier = q.ext_oneapi_submit_barrier({added});
  g.end_recording();
  EXPECT_EQ(second.ext_oneapi_get_state(), graph::queue_state::executing);
  EXPECT_EQ(third.ext_oneapi_get_state(), graph::queue_state::executing);
  EXPECT_EQ(g.get_nodes().size(), 5U);
  EXPECT_EQ(graph::node::get_node_from_event(doubled).get_predecessors(),
            std::vector{graph::node::get_node_from_event(first)});
  EXPECT_EQ(graph::node::get_node_from_event(barrier).get_type(), graph::node_type::ext_oneapi_barrier);
  graph::node changing = graph::node::get_node_from_event(added);
  auto exec = g.finalize(graph::property::graph::updatable());
  EXPECT_EQ(x[1], 0); // nothing has run
  q.ext_oneapi_graph(exec).wait();
  EXPECT_EQ(x[0], 50);
  EXPECT_EQ(x[99], 3);
  step.update(10);
  changing.update_range(lf::range<1>(50));
  exec.update(changing);
  q.ext_oneapi_graph(exec).wait();
  EXPECT_EQ(x[49], 12);
  EXPECT_EQ(x[50], 2);
}

TEST(graph_recording, a_queue_that_cannot_join_is_told_why) {
  lf::queue q, other;
  const lf::context where;
  lf::queue elsewhere(where, lf::device());
  graph::command_graph g(q), another(other);
  g.begin_recording(q);
  const lf::event node = q.single_task([] {});
  EXPECT_EQ(code_thrown_by([&] { elsewhere.single_task(node, [] {}); }), errc::invalid); // of another context
  another.begin_recording(other);
  EXPECT_EQ(code_thrown_by([&] { other.single_task(node, [] {}); }), errc::invalid); // records elsewhere
  another.end_recording();
  EXPECT_EQ(code_thrown_by([&] {
              other.submit([&](lf::handler& h) {
                h.single_task([] {});
                h.depends_on(node); // too late
              });
            }),
            errc::invalid);
  lf::buffer<int> b(lf::range<1>{1});
  graph::dynamic_parameter place(g, lf::accessor<int, 1, lf::access_mode::read_write>(b));
  EXPECT_EQ(code_thrown_by([&] {
              other.submit([&](lf::handler& h) {
                h.require(place); // would be that of now
                h.depends_on(node);
              });
            }),
            errc::invalid);
  graph::command_graph part(q);
  const auto finished = part.finalize();
  EXPECT_EQ(code_thrown_by([&] {
              other.submit([&](lf::handler& h) {
                h.ext_oneapi_graph(finished);
                h.depends_on(node);
              });
            }),
            errc::invalid);
  EXPECT_EQ(code_thrown_by([&] {
              other.submit([&](lf::handler& h) {
                h.depends_on(node);
                h.require(place);
                h.host_task([] {}); // which cannot have parameters
              });
            }),
            errc::invalid);
  EXPECT_EQ(other.ext_oneapi_get_state(), graph::queue_state::executing);
  g.end_recording();
  EXPECT_EQ(code_thrown_by([&] { other.single_task(node, [] {}); }), errc::invalid); // nobody records any more
  EXPECT_EQ(other.ext_oneapi_get_state(), graph::queue_state::executing);
  EXPECT_EQ(g.get_nodes().size(), 1U);
  EXPECT_TRUE(another.empty());
  int ran = 0;
  other.single_task([&] { ran = 1; }).wait();
  EXPECT_EQ(ran, 1);
}

TEST(graph_recording, all_of_several_queues_record_or_none) {
  lf::queue a, b, c;
  graph::command_graph g(a), other(a);
  other.begin_recording(c);
  EXPECT_EQ(code_thrown_by([&] { g.begin_recording({a, b, c}); }), errc::invalid);
  EXPECT_EQ(a.ext_oneapi_get_state(), graph::queue_state::executing);
  EXPECT_EQ(b.ext_oneapi_get_state(), graph::queue_state::executing);
  EXPECT_EQ(c.ext_oneapi_get_graph(), other);
  EXPECT_EQ(code_thrown_by([&] { g.begin_recording({a, a}); }), errc::invalid);
  EXPECT_EQ(a.ext_oneapi_get_state(), graph::queue_state::executing);
}

} // namespace
