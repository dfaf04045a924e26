// SPDX-License-Identifier: Apache-2.0
// Graphs that are described once and run often.
#include "sanitized.hpp"
#include "thrown.hpp"

#include <lanefold/execution.hpp>
#include <lanefold/memory.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace lf = lanefold;
namespace graph = lf::graph;
using lf::errc;

namespace {

#if defined(LANEFOLD_TEST_SANITIZED)
constexpr std::size_t many = 400;
#else
constexpr std::size_t many = 3000;
#endif

TEST(replayed_graph, nodes_run_in_the_order_of_their_edges_each_time) {
  lf::queue q;
  std::vector<int> seen;
  graph::command_graph g(q);
  const auto task = [&](int number) {
    return [&seen, number](lf::handler& h) { h.host_task([&seen, number] { seen.push_back(number); }); };
  };
  graph::node a = g.add(task(1));
  graph::node b = g.add(task(2), graph::property::node::depends_on(a));
  graph::node c = g.add(task(3));
  g.make_edge(b, c);
  auto exec = g.finalize();
  EXPECT_TRUE(seen.empty()); // nothing runs before
  for (int i = 0; i < 3; ++i) {
    q.ext_oneapi_graph(exec).wait();
  }
  EXPECT_EQ(seen, (std::vector{1, 2, 3, 1, 2, 3, 1, 2, 3}));
  EXPECT_EQ(a.get_type(), graph::node_type::host_task);
  EXPECT_EQ(b.get_predecessors(), std::vector{a});
  EXPECT_EQ(b.get_successors(), std::vector{c});
  EXPECT_EQ(g.get_nodes(), (std::vector{a, b, c}));
  EXPECT_EQ(g.get_root_nodes(), std::vector{a});
}

TEST(replayed_graph, kernels_of_all_kinds_copies_fills_and_reductions_are_nodes) {
  lf::queue q(lf::property_list{lf::property::threads(4)});
  constexpr std::size_t n = 5000;
  std::vector<int> x(n), y(n), z(n);
  long sum = 0;
  long nd_sum = 0;
  const lf::view<int> vx(x.data(), n), vy(y.data(), n);
  const lf::view<int> vz(z.data(), n);
  graph::command_graph g(q);
  const auto after = [](const graph::node& before) { return graph::property::node::depends_on(before); };
  const auto fill = g.add([&](lf::handler& h) { h.fill(x.data(), 3, n); });
  const auto plus_index = g.add(
      [&](lf::handler& h) {
        h.parallel_for(lf::range<1>(n), [=](auto it) { vx[it] += lf::convert<int>(it.get_id(0)); });
      },
      after(fill));
  const auto copy = g.add([&](lf::handler& h) { h.copy(x.data(), y.data(), n); }, after(plus_index));
  const auto reversed = g.add(
      [&](lf::handler& h) {
        lf::local_accessor<int> tile(50, h);
        h.parallel_for(lf::nd_range<1>(n, 50), [=](auto it) {
          const auto l = it.get_local_id(0);
          tile[l] = vy[it.get_global_id(0)];
          lf::group_barrier(it.get_group());
          vz[it.get_global_id(0)] = tile[49 - l];
        });
      },
      after(copy));
  g.add(
      [&](lf::handler& h) {
        h.parallel_for(lf::range<1>(n), lf::reduction(&sum, lf::plus<long>()),
                       [=](lf::id<1> i, auto& total) { total += vz[i]; });
      },
      after(reversed));
  g.add(
      [&](lf::handler& h) {
        h.parallel_for(lf::nd_range<1>(n, 50), lf::reduction(&nd_sum, lf::plus<long>()),
                       [=](lf::nd_item<1> it, auto& total) { total += vz[it.get_global_id(0)]; });
      },
      after(reversed));
  g.add([&](lf::handler& h) { h.single_task([] {}); }, graph::property::node::depends_on_all_leaves());
  auto exec = g.finalize();
  const long once = 3L * n + static_cast<long>(n) * (n - 1) / 2;
  for (int i = 1; i <= 4; ++i) {
    std::fill(z.begin(), z.end(), -1);
    q.ext_oneapi_graph(exec).wait();
    EXPECT_EQ(z[0], 49 + 3);
    EXPECT_EQ(sum, i * once);
    EXPECT_EQ(nd_sum, i * once);
  }
}

TEST(replayed_graph, nodes_that_use_one_buffer_are_ordered_and_so_is_the_graph) {
  lf::queue q(lf::property_list{lf::property::threads(4)});
  std::vector<int> host(100, 1);
  {
    lf::buffer<int> a(host.data(), 100);
    lf::buffer<int> b{lf::range<1>(100)};
    graph::command_graph g(q, graph::property::graph::assume_buffer_outlives_graph());
    const graph::node first = g.add([&](lf::handler& h) {
      lf::accessor from(a, h, lf::read_only);
      lf::accessor to(b, h, lf::write_only, lf::no_init);
      h.parallel_for(lf::range<1>(100), [=](lf::id<1> i) { to[i] = 2 * from[i]; });
    });
    const graph::node second = g.add([&](lf::handler& h) {
      lf::accessor from(b, h, lf::read_only);
      lf::accessor to(a, h, lf::write_only);
      h.parallel_for(lf::range<1>(100), [=](lf::id<1> i) { to[i] = from[i] + 1; });
    });
    EXPECT_EQ(second.get_predecessors(), std::vector{first});
    auto exec = g.finalize();
    q.ext_oneapi_graph(exec);
    q.submit([&](lf::handler& h) {
      lf::accessor x(a, h);
      h.parallel_for(lf::range<1>(100), [=](lf::id<1> i) { x[i] *= 10; });
    });
    q.ext_oneapi_graph(exec);
  }
  EXPECT_EQ(host, std::vector<int>(100, 61));
}

TEST(replayed_graph, a_buffer_that_is_gone_is_an_error) {
  lf::queue q;
  graph::command_graph g(q);
  auto memory = std::make_unique<lf::buffer<int>>(lf::range<1>(10));
  g.add([&](lf::handler& h) {
    lf::accessor x(*memory, h);
    h.parallel_for(lf::range<1>(10), [=](lf::id<1> i) { x[i] = 1; });
  });
  auto exec = g.finalize();
  memory.reset();
  EXPECT_EQ(code_thrown_by([&] { (void)g.finalize(); }), errc::accessor);
  EXPECT_EQ(code_thrown_by([&] { q.ext_oneapi_graph(exec); }), errc::accessor);
  q.wait();
}

/// Edges at random from earlier to later nodes: each node finds its predecessors finished, in each run.
void run_random_graph(std::size_t threads, std::size_t nodes, std::uint32_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed) + ", threads " + std::to_string(threads));
  std::mt19937 random(seed);
  lf::queue q(lf::property_list{lf::property::threads(threads)});
  graph::command_graph g(q);
  std::vector<std::atomic<int>> runs(nodes);
  std::vector<std::atomic<int>> groups(nodes);
  std::atomic<int> wrong{0};
  std::vector<graph::node> all;
  std::vector<std::vector<std::size_t>> before(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    std::vector<graph::node> after;
    for (std::size_t e = random() % 4; e > 0 && i > 0; --e) {
      const std::size_t p = i - 1 - random() % std::min<std::size_t>(i, 40);
      before[i].push_back(p);
      after.push_back(all[p]);
    }
    const auto check = [&, i] {
      const int run = runs[i].load();
      for (const std::size_t p : before[i]) {
        wrong += runs[p].load() == run + 1 ? 0 : 1;
      }
    };
    if (i % 16 == 3) { // of several groups, the last of which counts the run
      all.push_back(g.add(
          [&](lf::handler& h) {
            h.parallel_for(lf::nd_range<1>(64, 4), [&, check, i](lf::nd_item<1> it) {
              if (it.get_local_id(0) == 0) {
                check();
                if (groups[i].fetch_add(1) % 16 == 15) {
                  ++runs[i];
                }
              }
            });
          },
          graph::property::node::depends_on(after)));
    } else {
      all.push_back(g.add(
          [&](lf::handler& h) {
            h.host_task([&, check, i] {
              check();
              ++runs[i];
            });
          },
          graph::property::node::depends_on(after)));
    }
  }
  auto exec = g.finalize();
  constexpr int times = 12;
  for (int i = 0; i < times; ++i) {
    q.ext_oneapi_graph(exec);
  }
  q.wait();
  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(std::all_of(runs.begin(), runs.end(), [](const auto& r) { return r == times; }));
}

TEST(replayed_graph, random_graphs_keep_their_order) {
  for (const std::size_t threads : {1, 2, 4, 8}) {
    for (std::uint32_t seed = 0; seed < 4; ++seed) {
      run_random_graph(threads, many / 8, seed);
    }
  }
  run_random_graph(4, many, 99);
}

TEST(replayed_graph, threads_without_work_sleep_and_are_woken) {
  lf::queue q(lf::property_list{lf::property::threads(4)});
  graph::command_graph g(q);
  std::atomic<int> count{0};
  const auto pause = [&](lf::handler& h) {
    h.host_task([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      ++count;
    });
  };
  graph::node last = g.add(pause);
  for (int stage = 0; stage < 4; ++stage) {
    std::vector<graph::node> fan;
    for (int i = 0; i < 4; ++i) {
      fan.push_back(g.add(pause, graph::property::node::depends_on(last)));
    }
    last = g.add(pause, graph::property::node::depends_on(fan));
  }
  auto exec = g.finalize();
  for (int i = 0; i < 5; ++i) {
    q.ext_oneapi_graph(exec).wait();
  }
  EXPECT_EQ(count, 5 * 21);
}

TEST(replayed_graph, a_run_that_is_refused_or_left_out_disturbs_no_other) {
  lf::queue q(lf::property_list{lf::property::threads(4)});
  graph::command_graph g(q);
  std::atomic<int> count{0};
  graph::node last = g.add([&](lf::handler& h) { h.host_task([&] { ++count; }); });
  for (int i = 0; i < 50; ++i) {
    last = g.add(
        [&](lf::handler& h) {
          h.host_task([&] {
            std::this_thread::sleep_for(std::chrono::microseconds(100));
            ++count;
          });
        },
        graph::property::node::depends_on(last));
  }
  auto exec = g.finalize();
  graph::command_graph recorded(q);
  recorded.begin_recording(q);
  const lf::event no_command = q.single_task([] {});
  recorded.end_recording();
  const lf::event run = q.ext_oneapi_graph(exec);
  EXPECT_EQ(code_thrown_by([&] { q.ext_oneapi_graph(exec, no_command); }), errc::invalid);
  lf::event bad = q.single_task([] { throw std::runtime_error("no luck"); });
  lf::event left_out = q.ext_oneapi_graph(exec, bad);
  EXPECT_THROW(left_out.wait(), lf::exception);
  q.ext_oneapi_graph(exec).wait();
  EXPECT_EQ(count, 2 * 51);
  EXPECT_THROW(q.wait(), std::exception);
}

TEST(replayed_graph, an_error_ends_the_run_and_not_the_graph) {
  lf::queue q(lf::property_list{lf::property::threads(4)});
  graph::command_graph g(q);
  bool fails = true;
  std::atomic<int> after{0};
  const graph::node bad = g.add([&](lf::handler& h) {
    h.single_task<class failing_node>([&] {
      if (fails) {
        throw std::runtime_error("no luck");
      }
    });
  });
  for (int i = 0; i < 20; ++i) {
    g.add([&](lf::handler& h) { h.single_task([&] { ++after; }); }, graph::property::node::depends_on(bad));
  }
  auto exec = g.finalize();
  for (int i = 0; i < 3; ++i) {
    try {
      q.ext_oneapi_graph(exec).wait();
      FAIL();
    } catch (const lf::exception& e) {
      EXPECT_NE(std::string(e.what()).find("failing_node"), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find("no luck"), std::string::npos) << e.what();
    }
    EXPECT_EQ(after, 0);
  }
  fails = false;
  q.ext_oneapi_graph(exec).wait();
  EXPECT_EQ(after, 20);
}

TEST(replayed_graph, a_failing_reduction_begins_anew) {
  lf::queue q;
  graph::command_graph g(q);
  bool fails = true;
  int sum = 0;
  g.add([&](lf::handler& h) {
    h.parallel_for(lf::range<1>(10000), lf::reduction(&sum, lf::plus<int>()), [&](lf::id<1> i, auto& total) {
      if (fails && i[0] == 7777) {
        throw std::runtime_error("no luck");
      }
      total += 1;
    });
  });
  auto exec = g.finalize();
  EXPECT_THROW(q.ext_oneapi_graph(exec).wait(), lf::exception);
  fails = false;
  sum = 0;
  q.ext_oneapi_graph(exec).wait();
  EXPECT_EQ(sum, 10000);
}

TEST(replayed_graph, a_launch_in_two_nodes_runs_once_at_a_time) {
  lf::queue q;
  int value = 0;
  graph::command_graph g(q);
  graph::dynamic_command_group group(g, {[&value](lf::handler& h) { h.single_task([&value] { value += 100; }); }});
  g.add(group);
  const graph::node again = g.add(group);
  EXPECT_EQ(again.get_predecessors().size(), 1U);
  q.ext_oneapi_graph(g.finalize()).wait();
  EXPECT_EQ(value, 200);
}

TEST(replayed_graph, updates_give_nodes_other_commands) {
  lf::queue q;
  int value = 0;
  graph::command_graph g(q);
  const auto add = [&](int what) {
    return [&value, what](lf::handler& h) { h.single_task([&value, what] { value += what; }); };
  };
  graph::dynamic_command_group either(g, {add(1), add(100)});
  graph::node n = g.add(either);
  auto fixed = g.finalize();
  auto exec = g.finalize(graph::property::graph::updatable());
  either.set_active_index(1);
  q.ext_oneapi_graph(exec).wait();
  EXPECT_EQ(value, 1); // it learns of it by update
  q.ext_oneapi_graph(exec);
  exec.update(n);
  q.ext_oneapi_graph(exec).wait();
  EXPECT_EQ(value, 102);
  EXPECT_EQ(code_thrown_by([&] { fixed.update(n); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { either.set_active_index(2); }), errc::invalid);

  graph::command_graph other(q);
  graph::node m = other.add(add(1000));
  EXPECT_EQ(code_thrown_by([&] { exec.update(m); }), errc::invalid);
  exec.update(other);
  q.ext_oneapi_graph(exec).wait();
  EXPECT_EQ(value, 1102);
  other.add(add(1));
  EXPECT_EQ(code_thrown_by([&] { exec.update(other); }), errc::invalid);
  q.submit([&](lf::handler& h) { h.host_task([&] { exec.update(n); }); });
  EXPECT_EQ(code_thrown_by([&] { q.wait(); }), errc::invalid);
}

TEST(replayed_graph, misuse_is_refused) {
  lf::queue q;
  graph::command_graph g(q);
  graph::command_graph other(q);
  graph::node a = g.add();
  graph::node b = g.add(graph::property::node::depends_on(a));
  graph::node stranger = other.add();
  EXPECT_EQ(a.get_type(), graph::node_type::empty);
  EXPECT_EQ(code_thrown_by([&] { g.make_edge(b, a); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { g.make_edge(a, a); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { g.make_edge(a, stranger); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { g.add(graph::property::node::depends_on(stranger)); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { (void)graph::node::get_node_from_event(q.single_task([] {})); }), errc::invalid);
  EXPECT_EQ(g.get_nodes().size(), 2U);

  g.begin_recording(q);
  EXPECT_EQ(code_thrown_by([&] { g.begin_recording(q); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { other.begin_recording(q); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { g.add(); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { g.make_edge(a, b); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { other.end_recording(q); }), errc::invalid);
  const lf::event outside = lf::queue().single_task([] {});
  EXPECT_EQ(code_thrown_by([&] { q.single_task(outside, [] {}); }), errc::invalid);
  auto exec = other.finalize();
  g.end_recording(q);
  EXPECT_EQ(code_thrown_by([&] { graph::command_graph(q, graph::property::graph::enable_native_recording()); }),
            errc::feature_not_supported);

  graph::command_graph unchecked(q, graph::property::graph::no_cycle_check());
  graph::node c = unchecked.add();
  graph::node d = unchecked.add();
  unchecked.make_edge(c, d);
  unchecked.make_edge(d, c);
  EXPECT_EQ(code_thrown_by([&] { (void)unchecked.finalize(); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] {
              q.submit([&](lf::handler& h) {
                h.ext_oneapi_graph(exec);
                h.single_task([] {});
              });
            }),
            errc::invalid);
  EXPECT_EQ(code_thrown_by([&] {
              g.add([](lf::handler& h) {
                lf::stream out(100, 100, h);
                h.single_task([=] { out << 1; });
              });
            }),
            errc::feature_not_supported);
}

TEST(replayed_graph, empty_graphs_and_graphs_of_empty_nodes_run) {
  lf::queue q;
  graph::command_graph g(q);
  auto nothing = g.finalize();
  graph::node a = g.add();
  g.add(graph::property::node::depends_on(a));
  auto empty = g.finalize();
  for (int i = 0; i < 3; ++i) {
    q.ext_oneapi_graph(nothing).wait();
    q.ext_oneapi_graph(empty).wait();
  }
}

TEST(replayed_graph, is_known_by_a_number_and_made_for_a_device) {
  const lf::device on;
  graph::command_graph g(on);
  const graph::command_graph copy = g;
  const graph::command_graph later(on);
  EXPECT_TRUE(g.empty());
  g.add();
  EXPECT_FALSE(copy.empty());
  EXPECT_EQ(g.get_id(), copy.get_id());
  EXPECT_LT(g.get_id(), later.get_id());
  lf::queue q(on, lf::property_list{lf::property::queue::enable_profiling()});
  const lf::event run = q.ext_oneapi_graph(g.finalize(graph::property::graph::enable_profiling()));
  EXPECT_LE(run.get_profiling_info<lf::info::event_profiling::command_start>(),
            run.get_profiling_info<lf::info::event_profiling::command_end>());
}

TEST(replayed_graph, nodes_have_the_types_of_their_commands) {
  lf::queue q;
  std::vector<int> x(8);
  graph::command_graph g(q);
  const auto type_of = [&](const auto& group) { return g.add(group).get_type(); };
  using graph::node_type;
  EXPECT_EQ(g.add().get_type(), node_type::empty);
  EXPECT_EQ(type_of([](lf::handler& h) { h.single_task([] {}); }), node_type::kernel);
  EXPECT_EQ(type_of([](lf::handler& h) { h.host_task([] {}); }), node_type::host_task);
  EXPECT_EQ(type_of([&](lf::handler& h) { h.memcpy(&x[0], &x[4], 4); }), node_type::memcpy);
  EXPECT_EQ(type_of([&](lf::handler& h) { h.memset(x.data(), 1, 4); }), node_type::memset);
  EXPECT_EQ(type_of([&](lf::handler& h) { h.ext_oneapi_memset2d(x.data(), 8, 1, 4, 2); }), node_type::memset);
  EXPECT_EQ(type_of([&](lf::handler& h) { h.fill(x.data(), 1, 4); }), node_type::memfill);
  EXPECT_EQ(type_of([&](lf::handler& h) { h.prefetch(x.data(), 4); }), node_type::prefetch);
  EXPECT_EQ(type_of([&](lf::handler& h) { h.mem_advise(x.data(), 4, 0); }), node_type::memadvise);
  EXPECT_EQ(type_of([&](lf::handler& h) { h.ext_oneapi_graph(graph::command_graph(q).finalize()); }),
            node_type::subgraph);
}

std::string drawing_of(const graph::command_graph<>& g, bool verbose) {
  const std::string path = testing::TempDir() + "/replayed_graph.dot";
  g.print_graph(path, verbose);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(replayed_graph, is_drawn) {
  lf::queue q;
  lf::buffer<int> b(lf::range<1>{10});
  graph::command_graph part(q);
  part.add();
  graph::command_graph g(q);
  graph::node a = g.add([&](lf::handler& h) {
    const lf::accessor x(b, h, lf::write_only);
    h.parallel_for<class drawn>(lf::nd_range<2>({6, 4}, {2, 4}), [=](lf::nd_item<2>) { static_cast<void>(x); });
  });
  g.add([&](lf::handler& h) { h.ext_oneapi_graph(part.finalize()); }, graph::property::node::depends_on(a));
  const std::string brief = drawing_of(g, false);
  EXPECT_NE(brief.find("0 -> 1;"), std::string::npos) << brief;
  EXPECT_NE(brief.find("0: kernel\\n"), std::string::npos) << brief;
  EXPECT_NE(brief.find("drawn"), std::string::npos) << brief;
  EXPECT_NE(brief.find("1: subgraph of 1 node"), std::string::npos) << brief;
  EXPECT_EQ(brief.find("6 x 4"), std::string::npos) << brief;
  const std::string all = drawing_of(g, true);
  EXPECT_NE(all.find("6 x 4 in groups of 2 x 4"), std::string::npos) << all;
  EXPECT_NE(all.find("writes buffer"), std::string::npos) << all;
  EXPECT_NE(all.find("bytes 0 to 40"), std::string::npos) << all;
  EXPECT_EQ(code_thrown_by([&] { g.print_graph("/nowhere/at/all.dot"); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { g.print_graph(testing::TempDir() + "/graph.png"); }), errc::invalid);
}

} // namespace
