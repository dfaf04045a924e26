// SPDX-License-Identifier: Apache-2.0
// Nodes of graphs that get other values, and other index spaces.

#include "thrown.hpp"

#include <lanefold/execution.hpp>
#include <lanefold/memory.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace lf = lanefold;
namespace graph = lf::graph;
using lf::errc;

namespace {

constexpr std::size_t n = 200;

/// A graph that is run by a queue of two threads, and elements for its kernels.
class graph_update : public ::testing::Test {
protected:
  using executable = graph::command_graph<graph::graph_state::executable>;

  [[nodiscard]] lf::view<int> elements() { return {x.data(), n}; }
  [[nodiscard]] executable finalize() const { return g.finalize(graph::property::graph::updatable()); }
  void run(const executable& exec) { q.ext_oneapi_graph(exec).wait(); }
  void run_with(executable& exec, const std::vector<graph::node>& changed) {
    exec.update(changed);
    run(exec);
  }

  lf::queue q{lf::property_list{lf::property::threads(2)}};
  graph::command_graph<> g{q};
  std::vector<int> x = std::vector<int>(n);
};

TEST_F(graph_update, a_number_changes_where_the_executable_graph_is_told) {
  std::vector<float> from(n, 1), y(n);
  const lf::view<float> vx(from.data(), n), vy(y.data(), n);
  graph::dynamic_parameter factor(g, 2.F);
  graph::node scale =
      g.add([&](lf::handler& h) { h.parallel_for(lf::range<1>(n), [=](auto i) { vy[i] = vx[i] * factor.get(); }); });
  auto exec = finalize();
  auto other = finalize();
  factor.update(3);
  run(exec);
  EXPECT_EQ(y, std::vector<float>(n, 2)); // it has not been told
  run_with(exec, {scale});
  EXPECT_EQ(y, std::vector<float>(n, 3));
  run(other);
  EXPECT_EQ(y, std::vector<float>(n, 2));
  run(g.finalize()); // made of the graph as it is now
  EXPECT_EQ(y, std::vector<float>(n, 3));
  factor.update(3); // the value that it has
  run_with(exec, {scale});
  EXPECT_EQ(y, std::vector<float>(n, 3));
}

TEST_F(graph_update, one_parameter_in_several_nodes_and_several_in_one) {
  int sum = 0;
  graph::dynamic_parameter a(g, 1);
  graph::dynamic_parameter b(g, lf::uniform<int>(10));
  graph::node first = g.add([&](lf::handler& h) { h.single_task([&sum, a, b] { sum = a.get() + b.get(); }); });
  graph::node second = g.add([&](lf::handler& h) { h.single_task([&sum, a] { sum += 100 * a.get(); }); },
                             graph::property::node::depends_on(first));
  auto exec = finalize();
  run(exec);
  EXPECT_EQ(sum, 111);
  a.update(2);
  b.update(20);
  run_with(exec, {first, second});
  EXPECT_EQ(sum, 222);
  auto copy = a; // stands for the same
  EXPECT_EQ(copy, a);
  copy.update(3);
  run_with(exec, {second});
  EXPECT_EQ(sum, 322);
}

TEST_F(graph_update, pointers_and_views_change) {
  std::vector<int> a(n, 1), b(n, 2);
  graph::dynamic_parameter from(g, lf::view<const int>(a.data(), n));
  graph::dynamic_parameter to(g, x.data());
  graph::node copy = g.add([&](lf::handler& h) {
    h.parallel_for(lf::nd_range<1>(n, 50), [=](auto it) {
      const auto i = it.get_global_id(0);
      lf::view<int>(to.get(), n)[i] = from.get()[i];
    });
  });
  auto exec = finalize();
  run(exec);
  EXPECT_EQ(x, a);
  std::vector<int> elsewhere(n);
  from.update(lf::view<const int>(b.data(), n));
  to.update(elsewhere.data());
  run_with(exec, {copy});
  EXPECT_EQ(x, a);
  EXPECT_EQ(elsewhere, b);
}

TEST_F(graph_update, accessors_change_and_bring_their_buffers) {
  std::vector<int> a(n, 1), b(n, 5), sums(2);
  {
    lf::buffer<int> first(a.data(), lf::range<1>(n)), second(b.data(), lf::range<1>(n));
    lf::buffer<int> total(sums.data(), lf::range<1>(2));
    using accessor = lf::accessor<int, 1, lf::access_mode::read_write>;
    graph::dynamic_parameter target(g, accessor(first));
    graph::node twice = g.add([&](lf::handler& h) {
      h.require(target);
      h.parallel_for(lf::range<1>(n), [=](lf::id<1> i) { target.get()[i] *= 2; });
    });
    graph::node add = g.add([&](lf::handler& h) {
      h.require(target);
      const lf::accessor out(total, h, lf::read_write);
      h.single_task([=] { out[0] = std::accumulate(target.get().begin(), target.get().end(), 0); });
    });
    EXPECT_EQ(add.get_predecessors(), std::vector{twice});
    auto exec = finalize();
    q.ext_oneapi_graph(exec);
    target.update(accessor(second));
    exec.update({twice, add});
    q.submit([&](lf::handler& h) { // the graph must wait for it
      const lf::accessor slow(second, h, lf::read_write);
      h.host_task([=] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        slow[0] = 6;
      });
    });
    q.ext_oneapi_graph(exec);
    {
      const lf::host_accessor seen(total, lf::read_only);
      EXPECT_EQ(seen[0], 10 * static_cast<int>(n) + 2);
    }
    {
      const lf::buffer<int> gone(lf::range<1>{n});
      target.update(accessor(gone));
      exec.update({twice, add});
    }
    EXPECT_EQ(code_thrown_by([&] { q.ext_oneapi_graph(exec); }), errc::accessor);
    target.update(accessor(first));
    exec.update({twice, add});
    q.ext_oneapi_graph(exec);
  }
  EXPECT_EQ(a, std::vector<int>(n, 4));
  EXPECT_EQ(b[1], 10);
}

TEST_F(graph_update, kernels_of_all_kinds_have_parameters) {
  int sum = 0;
  const auto v = elements();
  graph::dynamic_parameter step(g, 1);
  const auto after_all = graph::property::node::depends_on_all_leaves();
  g.add([&](lf::handler& h) {
    lf::local_accessor<int> tile(50, h);
    h.parallel_for(lf::nd_range<1>(n, 50), [=](auto it) {
      const auto l = it.get_local_id(0);
      tile[l] = lf::convert<int>(l) * step.get();
      lf::group_barrier(it.get_group());
      v[it.get_global_id(0)] = tile[49 - l];
    });
  });
  g.add(
      [&](lf::handler& h) {
        h.parallel_for(lf::range<1>(n), lf::reduction(&sum, lf::plus<int>()),
                       [=](lf::id<1> i, auto& total) { total += v[i] * step.get(); });
      },
      after_all);
  auto exec = finalize();
  const int once = static_cast<int>(n / 50) * 49 * 50 / 2;
  run(exec);
  EXPECT_EQ(sum, once);
  step.update(3);
  run_with(exec, g.get_nodes());
  EXPECT_EQ(sum, once + 9 * once);
}

TEST_F(graph_update, ranges_of_reductions_and_ranges_with_an_offset_change) {
  int sum = 0;
  const auto v = elements();
  graph::node moved = g.add([&](lf::handler& h) {
    h.parallel_for(lf::range<1>(2), lf::id<1>(10), [=](lf::item<1> it) { v[it.get_id(0)] += 1; });
  });
  graph::node reduced = g.add(
      [&](lf::handler& h) {
        h.parallel_for(lf::nd_range<1>(20, 10), lf::reduction(&sum, lf::plus<int>()),
                       [=](lf::nd_item<1> it, auto& total) { total += v[it.get_global_id(0)]; });
      },
      graph::property::node::depends_on(moved));
  auto exec = finalize();
  run(exec);
  EXPECT_EQ(sum, 2);
  moved.update_range(lf::range<1>(100));
  reduced.update_nd_range(lf::nd_range<1>(n, 40));
  run_with(exec, {moved, reduced});
  EXPECT_EQ(x[9], 0);
  EXPECT_EQ(x[11], 2);
  EXPECT_EQ(x[109], 1);
  EXPECT_EQ(x[110], 0);
  EXPECT_EQ(sum, 2 + 102);
}

TEST_F(graph_update, recorded_commands_of_a_queue_have_parameters_and_ranges) {
  const auto v = elements();
  graph::dynamic_parameter value(g, 1);
  g.begin_recording(q);
  const lf::event recorded = q.parallel_for(lf::range<1>(n), [=](auto i) { v[i] += value.get(); });
  g.end_recording(q);
  graph::node node = graph::node::get_node_from_event(recorded);
  auto exec = finalize();
  run(exec);
  value.update(10);
  node.update_range(lf::range<1>(n / 2));
  run_with(exec, {node});
  EXPECT_EQ(x[n / 2 - 1], 11);
  EXPECT_EQ(x[n / 2], 1);
}

TEST_F(graph_update, ranges_and_nd_ranges_change) {
  x.resize(n * n);
  std::vector<int> sizes(n * n);
  const lf::view<int> v(x.data(), n * n), s(sizes.data(), n * n);
  graph::node flat = g.add(
      [&](lf::handler& h) { h.parallel_for(lf::range<2>(2, 3), [=](lf::item<2> it) { v[it.get_linear_id()] += 1; }); });
  graph::node groups = g.add([&](lf::handler& h) {
    h.parallel_for(lf::nd_range<1>(32, 32),
                   [=](auto it) { s[it.get_global_id(0)] = static_cast<int>(it.get_local_range(0)); });
  });
  auto exec = finalize();
  run(exec);
  flat.update_range(lf::range<2>(n, n));
  groups.update_nd_range(lf::nd_range<1>(7000, 7));
  run(exec);
  EXPECT_EQ(std::accumulate(x.begin(), x.end(), 0), 12); // it has not been told
  run_with(exec, {flat, groups});
  EXPECT_EQ(std::accumulate(x.begin(), x.end(), 0), 12 + static_cast<int>(n * n));
  EXPECT_EQ(sizes[6999], 7);
  EXPECT_EQ(sizes[7000], 0);
}

TEST_F(graph_update, what_cannot_be_launched_changes_nothing) {
  const auto v = elements();
  graph::node groups = g.add(
      [&](lf::handler& h) { h.parallel_for(lf::nd_range<1>(n, 10), [=](auto it) { v[it.get_global_id(0)] += 1; }); });
  graph::node flat = g.add([&](lf::handler& h) { h.parallel_for(lf::range<1>(n), [=](auto i) { v[i] += 1; }); },
                           graph::property::node::depends_on(groups));
  graph::node once = g.add([](lf::handler& h) { h.single_task([] {}); });
  graph::node copy = g.add([&](lf::handler& h) { h.memset(x.data(), 0, 0); });
  EXPECT_EQ(code_thrown_by([&] { groups.update_nd_range(lf::nd_range<1>(n, 11)); }), errc::nd_range);
  EXPECT_EQ(code_thrown_by([&] { groups.update_nd_range(lf::nd_range<2>({n, 1}, {1, 1})); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { groups.update_range(lf::range<1>(n)); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { flat.update_nd_range(lf::nd_range<1>(n, 1)); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { flat.update_range(lf::range<2>(n, 1)); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { once.update_range(lf::range<1>(n)); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { copy.update_range(lf::range<1>(n)); }), errc::invalid);
  std::string text;
  EXPECT_EQ(code_thrown_by([&] { copy.update_nd_range(lf::nd_range<1>(n, 1)); }, &text), errc::invalid);
  EXPECT_TRUE(text.starts_with("update_nd_range: the node runs no kernel")) << text;
  EXPECT_EQ(code_thrown_by([&] { flat.update_nd_range(lf::nd_range<1>(n, 1)); }, &text), errc::invalid);
  EXPECT_TRUE(text.starts_with("update_nd_range: the kernel of the node has a range of 1 dimension")) << text;
  run(g.finalize());
  EXPECT_EQ(x, std::vector<int>(n, 2));

  graph::command_graph other(q);
  graph::dynamic_parameter stranger(other, 1);
  EXPECT_EQ(
      code_thrown_by([&] { g.add([&](lf::handler& h) { h.single_task([v, stranger] { v[0] = stranger.get(); }); }); }),
      errc::invalid);
  graph::dynamic_parameter number(g, 1);
  EXPECT_EQ(code_thrown_by([&] { g.add([&](lf::handler& h) { h.require(number); }); }), errc::invalid);
  lf::buffer<int> b(lf::range<1>{n});
  graph::dynamic_parameter access(g, lf::accessor<int>(b));
  EXPECT_EQ(code_thrown_by([&] { g.add([&](lf::handler& h) { h.single_task([=] { access.get()[0] = 1; }); }); }),
            errc::accessor); // not required
  EXPECT_EQ(code_thrown_by([&] {
              g.add([&](lf::handler& h) {
                h.require(access);
                h.memset(x.data(), 0, 1);
              });
            }),
            errc::invalid);
}

TEST_F(graph_update, an_update_that_fails_in_one_node_changes_none) {
  lf::buffer<int> b(x.data(), lf::range<1>(n));
  graph::dynamic_parameter access(g, lf::accessor<int>(b));
  graph::node first = g.add([&](lf::handler& h) {
    h.require(access);
    h.single_task([=] { access.get()[0] += 1; });
  });
  auto exec = finalize();
  lf::accessor<int> gone = [] {
    lf::buffer<int> short_lived(lf::range<1>{n});
    return lf::accessor<int>(short_lived);
  }();
  EXPECT_EQ(code_thrown_by([&] { access.update(gone); }), errc::accessor);
  exec.update(first);
  q.ext_oneapi_graph(exec);
  const lf::host_accessor seen(b);
  EXPECT_EQ(seen[0], 1);
}

TEST_F(graph_update, an_update_that_fails_in_two_nodes_changes_none) {
  std::vector<int> other(n, 100);
  lf::buffer<int> first(x.data(), lf::range<1>(n)), second(other.data(), lf::range<1>(n));
  lf::buffer<int> part(second, lf::id<1>(0), lf::range<1>(n / 2)); // a command cannot write it and the whole
  graph::dynamic_parameter target(g, lf::accessor<int>(first));
  graph::dynamic_parameter step(g, 1);
  const auto add = [&](bool uses_part) {
    return g.add([&](lf::handler& h) {
      h.require(target);
      if (uses_part) {
        const lf::accessor also(part, h, lf::read_write);
      }
      h.single_task([=] { target.get()[0] += step.get(); });
    });
  };
  const std::vector<graph::node> nodes{add(false), add(true), add(true)};
  auto exec = finalize();
  EXPECT_EQ(code_thrown_by([&] { target.update(lf::accessor<int>(second)); }), errc::accessor);
  step.update(2); // the launches that it makes have the accessor of before
  run_with(exec, nodes);
  EXPECT_EQ(lf::host_accessor(first)[0], 6);
  EXPECT_EQ(lf::host_accessor(second)[0], 100);
}

TEST_F(graph_update, a_value_that_changes_while_a_node_is_made_is_not_lost) {
  const auto v = elements();
  graph::dynamic_parameter value(g, 1);
  const auto store = [&](std::size_t at, int next) { // the kernel is launched, and no node yet
    return [=, &value](lf::handler& h) {
      h.single_task([=] { v[at] = value.get(); });
      value.update(next);
    };
  };
  g.add(store(0, 2));
  run(g.finalize());
  EXPECT_EQ(x[0], 2);
  g.begin_recording(q);
  q.submit(store(1, 3));
  g.end_recording();
  run(g.finalize());
  EXPECT_EQ(x[1], 3);
  graph::dynamic_command_group either(g, {store(2, 4), store(3, 5)});
  g.add(either);
  run(g.finalize());
  EXPECT_EQ(x[2], 5);
  either.set_active_index(1);
  run(g.finalize());
  EXPECT_EQ(x[3], 5);
}

TEST_F(graph_update, an_accessor_that_changes_while_a_node_is_made_brings_its_buffer) {
  std::vector<int> other(n);
  {
    lf::buffer<int> first(x.data(), lf::range<1>(n)), second(other.data(), lf::range<1>(n));
    graph::dynamic_parameter target(g, lf::accessor<int>(first));
    const graph::node node = g.add([&](lf::handler& h) {
      h.require(target);
      h.single_task([=] { target.get()[0] += 1; });
      target.update(lf::accessor<int>(second));
    });
    const graph::node later = g.add([&](lf::handler& h) {
      const lf::accessor to(second, h, lf::read_write);
      h.single_task([=] { to[0] *= 10; });
    });
    EXPECT_EQ(later.get_predecessors(), std::vector{node});
    q.ext_oneapi_graph(g.finalize());
  }
  EXPECT_EQ(x[0], 0);
  EXPECT_EQ(other[0], 10);
}

TEST_F(graph_update, threads_update_while_nodes_are_made) {
  std::vector<int> other(n);
  lf::buffer<int> first(x.data(), lf::range<1>(n)), second(other.data(), lf::range<1>(n));
  const std::array targets{lf::accessor<int>(first), lf::accessor<int>(second)};
  graph::dynamic_parameter target(g, targets[0]);
  std::atomic<bool> stop{false};
  std::thread updates([&] {
    for (std::size_t i = 0; !stop; ++i) {
      target.update(targets[i % 2]);
      std::this_thread::sleep_for(std::chrono::microseconds(10)); // else it keeps the other one waiting for seconds
    }
    target.update(targets[1]);
  });
  constexpr int nodes = 300;
  for (int i = 0; i < nodes; ++i) {
    g.add([&](lf::handler& h) {
      h.require(target);
      // A node comes behind those that use the buffer that it has when it is added; in the end all have the second one.
      h.single_task([=] { std::atomic_ref<int>(target.get()[0]).fetch_add(1); });
    });
  }
  stop = true;
  updates.join();
  run(g.finalize());
  EXPECT_EQ(lf::host_accessor(first)[0], 0);
  EXPECT_EQ(lf::host_accessor(second)[0], nodes);
}

TEST_F(graph_update, dynamic_command_groups_have_parameters_and_keep_ranges) {
  const auto v = elements();
  graph::dynamic_parameter value(g, 1);
  const auto add = [&](int factor) {
    return [=](lf::handler& h) { h.parallel_for(lf::range<1>(n), [=](auto i) { v[i] += factor * value.get(); }); };
  };
  graph::dynamic_command_group either(g, {add(1), add(100)});
  graph::node node = g.add(either);
  auto exec = finalize();
  run(exec);
  node.update_range(lf::range<1>(1)); // of the active one
  either.set_active_index(1);
  value.update(2); // of both
  run_with(exec, {node});
  EXPECT_EQ(x[0], 201);
  EXPECT_EQ(x[n - 1], 201);
  either.set_active_index(0);
  run_with(exec, {node});
  EXPECT_EQ(x[0], 203);
  EXPECT_EQ(x[n - 1], 201);
}

TEST_F(graph_update, whole_graphs_take_over_parameters) {
  int value = 0;
  const auto make = [&](graph::command_graph<>& to, const graph::dynamic_parameter<int>& p) {
    to.add([&](lf::handler& h) { h.single_task([&value, p] { value = p.get(); }); });
  };
  graph::command_graph other(q);
  graph::dynamic_parameter of_g(g, 1), of_other(other, 2);
  make(g, of_g);
  make(other, of_other);
  auto exec = finalize();
  of_other.update(3);
  exec.update(other);
  run(exec);
  EXPECT_EQ(value, 3);
}

TEST_F(graph_update, an_edge_that_came_after_finalize_is_no_edge_of_the_executable_graph) {
  const auto make = [](graph::command_graph<>& to) {
    const auto nothing = [](lf::handler& h) { h.single_task([] {}); };
    return std::array{to.add(nothing), to.add(nothing)};
  };
  auto of_g = make(g);
  auto exec = finalize();
  g.make_edge(of_g[0], of_g[1]);
  graph::command_graph other(q);
  auto of_other = make(other);
  EXPECT_EQ(code_thrown_by([&] { exec.update(other); }), errc::invalid);
  other.make_edge(of_other[0], of_other[1]);
  EXPECT_EQ(code_thrown_by([&] { exec.update(other); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { exec.update(g); }), errc::invalid);
  finalize().update(other);
}

TEST_F(graph_update, host_tasks_have_no_parameters) {
  graph::dynamic_parameter value(g, 1);
  EXPECT_EQ(code_thrown_by([&] { g.add([&](lf::handler& h) { h.host_task([value] { (void)value.get(); }); }); }),
            errc::invalid);
  EXPECT_TRUE(g.empty());
  value.update(2);
}

TEST_F(graph_update, the_parameter_may_outlive_its_graph_and_kernels_need_none) {
  int value = 0;
  auto p = [&] { return graph::dynamic_parameter(g, 5); }();
  p.update(6);
  q.single_task([&value, p] { value = p.get(); }).wait();
  EXPECT_EQ(value, 6);
  auto copy = p;
  copy.update(7); // kernels have the present value, whichever handle they capture
  q.single_task([&value, p] { value = p.get(); }).wait();
  EXPECT_EQ(value, 7);
}

TEST_F(graph_update, a_parameter_may_come_before_its_graph_and_serve_another_one_later) {
  const auto v = elements();
  graph::dynamic_parameter value(1);
  const auto store = [&](std::size_t at) {
    return [=](lf::handler& h) { h.single_task([=] { v[at] = value.get(); }); };
  };
  value.update(2);
  {
    graph::node node = g.add(store(0));
    auto exec = finalize();
    run(exec);
    EXPECT_EQ(x[0], 2);
    value.update(3);
    run_with(exec, {node});
    EXPECT_EQ(x[0], 3);
  }
  const auto fixed = g.finalize();
  EXPECT_EQ(code_thrown_by([&] { graph::command_graph(q).add(store(1)); }), errc::invalid); // g has it
  g = graph::command_graph(q);
  graph::node other = g.add(store(1));
  executable after = finalize();
  value.update(4);
  run_with(after, {other});
  EXPECT_EQ(x[1], 4);
  run(fixed); // nobody can update it
  EXPECT_EQ(x[0], 3);
}

TEST_F(graph_update, commands_outside_of_graphs_have_the_accessor_of_that_time) {
  std::vector<int> other(n);
  {
    lf::buffer<int> first(x.data(), lf::range<1>(n)), second(other.data(), lf::range<1>(n));
    graph::dynamic_parameter target(g, lf::accessor<int>(first));
    const auto add = [&](lf::handler& h) {
      h.require(target);
      h.parallel_for(lf::range<1>(n), [=](lf::id<1> i) { target.get()[i] += 1; });
    };
    q.submit(add);
    target.update(lf::accessor<int>(second));
    q.submit(add);
    q.submit(add);
  }
  EXPECT_EQ(x, std::vector<int>(n, 1));
  EXPECT_EQ(other, std::vector<int>(n, 2));
}

TEST_F(graph_update, threads_update_while_the_graph_runs) {
  const auto v = elements();
  graph::dynamic_parameter value(g, 0);
  graph::node node =
      g.add([&](lf::handler& h) { h.parallel_for(lf::range<1>(n), [=](lf::id<1> i) { v[i] = value.get(); }); });
  auto exec = finalize();
  std::atomic<bool> stop{false};
  std::thread other([&] {
    for (int i = 1; !stop; ++i) {
      value.update(i);
    }
  });
  for (int i = 0; i < 200; ++i) {
    run_with(exec, {node});
    ASSERT_EQ(x, std::vector<int>(n, x[0]));
  }
  stop = true;
  other.join();
}

} // namespace
