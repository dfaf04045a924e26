// SPDX-License-Identifier: Apache-2.0
// Graphs as nodes of graphs.

#include "thrown.hpp"

#include <lanefold/execution.hpp>
#include <lanefold/memory.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace lf = lanefold;
namespace graph = lf::graph;
using lf::errc;

namespace {

/// Graphs whose nodes append letters to a text.
class subgraph : public ::testing::Test {
protected:
  using modifiable = graph::command_graph<>;
  using executable = graph::command_graph<graph::graph_state::executable>;
  using group = std::function<void(lf::handler&)>;

  group letter(char c) {
    return [this, c](lf::handler& h) { h.host_task([this, c] { text += c; }); };
  }
  static group part(const executable& of) {
    return [of](lf::handler& h) { h.ext_oneapi_graph(of); };
  }
  /// A chain of letters.
  executable chain(const std::string& letters) {
    modifiable of(q);
    add_chain(of, letters);
    return of.finalize();
  }
  void add_chain(modifiable& to, const std::string& letters) {
    for (const char c : letters) {
      to.add(letter(c), after_all);
    }
  }
  std::string run(const executable& exec) {
    text.clear();
    q.ext_oneapi_graph(exec).wait();
    return text;
  }

  lf::queue q{lf::property_list{lf::property::threads(3)}};
  const graph::property::node::depends_on_all_leaves after_all{};
  std::string text;
};

TEST_F(subgraph, is_a_part_between_other_nodes) {
  const executable inner = chain("bc");
  modifiable g(q);
  g.add(letter('a'));
  const graph::node whole = g.add(part(inner), after_all);
  g.add(letter('d'), graph::property::node::depends_on(whole));
  EXPECT_EQ(whole.get_type(), graph::node_type::subgraph);
  const executable outer = g.finalize();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(run(outer), "abcd");
    EXPECT_EQ(run(inner), "bc"); // it is what it was
  }
}

TEST_F(subgraph, may_have_subgraphs_and_be_empty) {
  modifiable g(q);
  const executable nothing = chain("");
  g.add(part(nothing));
  g.add(letter('a'), after_all);
  g.add(part(nothing), after_all);
  g.add(part(chain("bc")), after_all);
  const executable inner = g.finalize();
  modifiable top(q);
  top.add(letter('0'));
  top.add(part(inner), after_all);
  top.add(part(chain("de")), after_all);
  top.add(letter('f'), after_all);
  EXPECT_EQ(run(top.finalize()), "0abcdef");
}

TEST_F(subgraph, begins_and_ends_with_all_of_its_nodes) {
  std::atomic<int> inside{0};
  modifiable of(q);
  for (int i = 0; i < 20; ++i) {
    of.add([&](lf::handler& h) { h.parallel_for(lf::range<1>(10), [&](lf::id<1>) { ++inside; }); });
  }
  int before = -1;
  int behind = -1;
  modifiable g(q);
  g.add([&](lf::handler& h) { h.host_task([&] { before = inside; }); });
  g.add(part(of.finalize()), after_all);
  g.add([&](lf::handler& h) { h.host_task([&] { behind = inside; }); }, after_all);
  const executable exec = g.finalize();
  for (int i = 0; i < 10; ++i) {
    inside = 0;
    q.ext_oneapi_graph(exec).wait();
    ASSERT_EQ(before, 0);
    ASSERT_EQ(behind, 200);
  }
}

TEST_F(subgraph, runs_once_at_a_time) {
  std::atomic<int> inside{0};
  std::atomic<bool> met{false};
  int runs = 0;
  modifiable of(q);
  of.add([&](lf::handler& h) {
    h.host_task([&] {
      met = met || ++inside != 1;
      ++runs;
      std::this_thread::yield();
      --inside;
    });
  });
  const executable inner = of.finalize();
  const executable same_launches = of.finalize();
  modifiable g(q);
  const graph::node first = g.add(part(inner));
  const graph::node second = g.add(part(same_launches)); // they have no edge but for that
  EXPECT_EQ(second.get_predecessors(), std::vector{first});
  const executable outer = g.finalize();
  lf::queue other(lf::property_list{lf::property::threads(2)});
  for (int i = 0; i < 50; ++i) {
    q.ext_oneapi_graph(outer);
    other.ext_oneapi_graph(inner);
  }
  q.wait();
  other.wait();
  EXPECT_EQ(runs, 150);
  EXPECT_FALSE(met);
}

TEST_F(subgraph, brings_its_buffers) {
  std::vector<int> data(10, 1);
  std::optional<executable> kept;
  {
    lf::buffer<int> b(data.data(), lf::range<1>(10));
    modifiable of(q);
    of.add([&](lf::handler& h) {
      const lf::accessor x(b, h, lf::read_write);
      h.parallel_for(lf::range<1>(10), [=](lf::id<1> i) { x[i] += 5; });
    });
    modifiable g(q);
    const auto twice = [&](lf::handler& h) {
      const lf::accessor x(b, h, lf::read_write);
      h.parallel_for(lf::range<1>(10), [=](lf::id<1> i) { x[i] *= 2; });
    };
    const graph::node before = g.add(twice);
    const graph::node whole = g.add(part(of.finalize()));
    const graph::node behind = g.add(twice);
    EXPECT_EQ(whole.get_predecessors(), std::vector{before});
    EXPECT_EQ(behind.get_predecessors(), std::vector{whole});
    kept = g.finalize();
    q.ext_oneapi_graph(*kept);
    EXPECT_EQ(lf::host_accessor(b)[9], 14);
  }
  EXPECT_EQ(data[0], 14);
  EXPECT_EQ(code_thrown_by([&] { q.ext_oneapi_graph(*kept); }), errc::accessor);
}

TEST_F(subgraph, keeps_the_values_that_it_had_and_nodes_beside_it_change) {
  const graph::property::graph::updatable updatable;
  modifiable of(q);
  graph::dynamic_parameter inside(of, 'b');
  const auto append = [this](const graph::dynamic_parameter<char>& what) {
    return [this, what](lf::handler& h) { h.single_task([to = &text, what] { *to += what.get(); }); };
  };
  graph::node changing = of.add(append(inside));
  executable inner = of.finalize(updatable);
  modifiable g(q);
  graph::dynamic_parameter outside(g, 'd');
  graph::node whole = g.add(part(inner));
  graph::node last = g.add(append(outside), after_all);
  executable outer = g.finalize(updatable);
  inside.update('B');
  inner.update(changing);
  outside.update('D');
  outer.update(last);
  EXPECT_EQ(run(outer), "bD");
  EXPECT_EQ(run(inner), "B");
  EXPECT_EQ(code_thrown_by([&] { outer.update(whole); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { outer.update({last, whole}); }), errc::invalid);
  outside.update('e');
  outer.update(g);
  EXPECT_EQ(run(outer), "be");
  modifiable like(q);
  like.add(part(inner));
  like.add(letter('d'), after_all);
  EXPECT_EQ(code_thrown_by([&] { outer.update(like); }), errc::invalid); // its part is another one
  const graph::node late = g.add();
  EXPECT_EQ(code_thrown_by([&] { outer.update({late}); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { outer.update(g); }), errc::invalid);
  EXPECT_EQ(run(outer), "be");
}

TEST_F(subgraph, is_recorded_by_queues) {
  const executable inner = chain("bc");
  modifiable g(q);
  lf::queue ordered{lf::property_list{lf::property::in_order()}};
  g.begin_recording(ordered);
  ordered.submit(letter('a'));
  const lf::event whole = ordered.ext_oneapi_graph(inner);
  ordered.submit(letter('d'));
  g.end_recording();
  EXPECT_EQ(graph::node::get_node_from_event(whole).get_type(), graph::node_type::subgraph);
  EXPECT_EQ(text, "");
  EXPECT_EQ(run(g.finalize()), "abcd");
}

TEST_F(subgraph, outlives_what_it_was_made_of) {
  modifiable g(q);
  g.add(part(chain("xy")));
  EXPECT_EQ(run(g.finalize()), "xy");
}

TEST_F(subgraph, fails_as_a_part) {
  bool fails = true;
  modifiable of(q);
  of.add([&](lf::handler& h) {
    h.host_task([&] {
      if (fails) {
        throw std::runtime_error("a part");
      }
    });
  });
  modifiable g(q);
  g.add(part(of.finalize()));
  g.add(letter('a'), after_all);
  const executable exec = g.finalize();
  EXPECT_THROW(q.ext_oneapi_graph(exec).wait(), std::exception);
  EXPECT_EQ(text, "");
  fails = false;
  EXPECT_EQ(run(exec), "a");
}

TEST_F(subgraph, misuse_is_refused) {
  modifiable g(q);
  g.add(letter('a'));
  const executable own = g.finalize();
  EXPECT_EQ(code_thrown_by([&] { g.add(part(own)); }), errc::invalid);
  modifiable between(q);
  between.add(part(own));
  EXPECT_EQ(code_thrown_by([&] { g.add(part(between.finalize())); }), errc::invalid);
  const std::vector<group> groups{part(chain("b"))};
  EXPECT_EQ(code_thrown_by([&] { graph::dynamic_command_group(g, groups); }), errc::invalid);
  lf::buffer<int> b(lf::range<1>{1});
  EXPECT_EQ(code_thrown_by([&] {
              g.add([&](lf::handler& h) {
                const lf::accessor x(b, h);
                h.ext_oneapi_graph(chain("b"));
              });
            }),
            errc::invalid);
  EXPECT_EQ(g.get_nodes().size(), 1U);
  EXPECT_EQ(run(g.finalize()), "a");
}

} // namespace
