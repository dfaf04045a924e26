// SPDX-License-Identifier: Apache-2.0
/// The executor alone: launches of our own, random graphs of commands against serial execution.
#include "../../modules/execution/graph/src/queue_state.hpp"
#include "../../modules/execution/graph/src/scheduler.hpp"
#include "launches.hpp"

#include <lanefold/execution/queue.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace lf = lanefold;
using launch_testing::busy;
using launch_testing::function_launch;
using lf::detail::command_ptr;
using lf::detail::queue_state;
using lf::detail::scheduler;

namespace {

std::unique_ptr<lf::detail::launch> make(std::size_t size, std::size_t grain, std::function<void(std::size_t)> work) {
  return std::make_unique<function_launch>(size, grain, std::move(work));
}

command_ptr submit(const std::shared_ptr<queue_state>& queue, std::unique_ptr<lf::detail::launch> work,
                   std::vector<lf::event> dependencies) {
  return queue->submit(queue, {std::move(work), std::move(dependencies), {}, {}, false});
}

class executor_test : public ::testing::TestWithParam<std::size_t> {
protected:
  std::shared_ptr<queue_state> make_state(bool in_order) {
    return std::make_shared<queue_state>(scheduler::executor_for(GetParam()), lf::async_handler(), in_order);
  }
};
INSTANTIATE_TEST_SUITE_P(threads, executor_test, ::testing::Values(1, 2, 3, 8), ::testing::PrintToStringParamName());

// ---- the groups of one launch

TEST_P(executor_test, every_group_runs_once) {
  for (const bool in_order : {true, false}) {
    const auto state = make_state(in_order);
    for (const std::size_t size : {0, 1, 2, 3, 7, 64, 1000, 4097}) {
      for (const std::size_t grain : {1, 5, 64, 10000}) {
        std::vector<std::atomic<int>> runs(size);
        scheduler::wait(submit(state, make(size, grain, [&](std::size_t g) { ++runs[g]; }), {}));
        for (std::size_t g = 0; g < size; ++g) {
          ASSERT_EQ(runs[g], 1) << "group " << g << " of " << size << ", grain " << grain;
        }
      }
    }
    state->wait();
  }
}

TEST_P(executor_test, every_group_runs_once_when_groups_are_slow_and_uneven) {
  const auto state = make_state(true);
  for (int repeat = 0; repeat < 5; ++repeat) {
    std::vector<std::atomic<int>> runs(200);
    const auto work = [&](std::size_t g) {
      busy(std::chrono::microseconds(g % 17 == 0 ? 200 : 2));
      ++runs[g];
    };
    scheduler::wait(submit(state, make(200, 1, work), {}));
    for (std::size_t g = 0; g < runs.size(); ++g) {
      ASSERT_EQ(runs[g], 1);
    }
  }
  state->wait();
}

TEST_P(executor_test, no_more_threads_than_allowed) {
  const auto state = make_state(true);
  std::atomic<std::size_t> inside{0};
  std::atomic<std::size_t> most{0};
  const auto work = [&](std::size_t) {
    const std::size_t now = ++inside;
    std::size_t seen = most;
    while (seen < now && !most.compare_exchange_weak(seen, now)) {
    }
    busy(std::chrono::microseconds(20));
    --inside;
  };
  for (int repeat = 0; repeat < 20; ++repeat) {
    scheduler::wait(submit(state, make(64, 1, work), {}));
  }
  state->wait();
  EXPECT_LE(most, GetParam());
}

TEST_P(executor_test, a_launch_that_was_short_may_be_long_the_next_time) {
  const auto state = make_state(true);
  for (int repeat = 0; repeat < 50; ++repeat) {
    std::atomic<int> runs{0};
    const bool slow = repeat % 10 == 9;
    const auto work = [&](std::size_t) {
      if (slow) {
        busy(std::chrono::microseconds(50));
      }
      ++runs;
    };
    scheduler::wait(submit(state, make(100, 1, work), {}));
    ASSERT_EQ(runs, 100);
  }
  state->wait();
}

/// Who launches nothing but short launches, one behind the other, gets the other threads, too.
TEST(short_launches, are_worth_a_worker_one_behind_the_other) {
  const auto state = std::make_shared<queue_state>(scheduler::executor_for(2), lf::async_handler(), true);
  const std::thread::id here = std::this_thread::get_id();
  std::atomic<bool> elsewhere{false};
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  for (bool first = true; (first || !elsewhere) && std::chrono::steady_clock::now() < end; first = false) {
    for (int launch = 0; launch < 100; ++launch) {
      const auto work = [&](std::size_t) {
        if (!first && std::this_thread::get_id() != here) {
          elsewhere = true;
        }
        busy(std::chrono::nanoseconds(50));
      };
      scheduler::wait(submit(state, make(64, 1, work), {}));
    }
    if (first) {                                                  // of which nothing was known
      std::this_thread::sleep_for(std::chrono::milliseconds(10)); // workers have gone to sleep
    }
  }
  EXPECT_TRUE(elsewhere);
  state->wait();
}

TEST_P(executor_test, the_first_exception_stops_a_launch) {
  const auto state = make_state(true);
  for (const std::size_t failing : {std::size_t{0}, std::size_t{50000}, std::size_t{99999}}) {
    std::atomic<int> after{0};
    std::atomic<bool> thrown{false};
    const auto work = [&](std::size_t g) {
      // Time for the thread that throws to unwind and to say so, even where it loses its core in between.
      if (thrown && after++ < 1000) {
        std::this_thread::sleep_for(std::chrono::microseconds(1));
      }
      if (g == failing) {
        thrown = true;
        throw std::runtime_error("group " + std::to_string(g));
      }
    };
    const command_ptr c = submit(state, make(100000, 1, work), {});
    scheduler::wait(c);
    ASSERT_TRUE(c->error());
    EXPECT_THROW(std::rethrow_exception(c->error()->error()), std::runtime_error);
    EXPECT_LT(after, 99999) << "other threads finish the piece that they are in, no more";
    state->wait();
  }
  EXPECT_THROW(state->deliver_errors(), lf::exception);
}

// ---- graphs

/// A random graph: each node computes a value from those of its dependencies, in several groups.
struct graph {
  struct node {
    std::size_t queue;
    std::vector<std::size_t> dependencies;
    std::size_t groups;
    bool fails;
    std::chrono::nanoseconds time;
    bool expected_to_fail = false;
    std::vector<std::uint64_t> expected{};
    std::vector<std::uint64_t> values{};
  };
  std::vector<node> nodes;

  std::uint64_t compute(std::size_t n, std::size_t group, std::vector<std::uint64_t> node::* of) const {
    std::uint64_t value = n * 0x9e3779b97f4a7c15u + group;
    for (const std::size_t d : nodes[n].dependencies) {
      for (const std::uint64_t v : nodes[d].*of) {
        value = (value ^ v) * 0xbf58476d1ce4e5b9u;
        value ^= value >> 29;
      }
    }
    return value;
  }
};

/// Queue 0 is in-order, the others are not.
graph random_graph(std::mt19937& random, bool with_failures) {
  graph g;
  const std::size_t count = random() % 24 + 1;
  const std::size_t window = random() % 8 + 1;
  std::size_t last_of_ordered = count;
  for (std::size_t n = 0; n < count; ++n) {
    graph::node node{random() % 3,
                     {},
                     random() % 4 == 0 ? random() % 40 : random() % 3,
                     false,
                     std::chrono::nanoseconds(random() % 8 == 0 ? random() % 30000 : 0)};
    node.fails = with_failures && node.groups > 0 && random() % 10 == 0;
    std::set<std::size_t> dependencies;
    for (std::size_t d = random() % 4; n > 0 && d > 0; --d) {
      dependencies.insert(n - 1 - random() % std::min(n, window));
    }
    node.dependencies.assign(dependencies.begin(), dependencies.end());
    node.values.resize(node.groups);
    node.expected.resize(node.groups);
    g.nodes.push_back(node);
    graph::node& made = g.nodes.back();
    made.expected_to_fail = made.fails;
    for (const std::size_t d : made.dependencies) {
      made.expected_to_fail = made.expected_to_fail || g.nodes[d].expected_to_fail;
    }
    if (made.queue == 0) {
      made.expected_to_fail =
          made.expected_to_fail || (last_of_ordered < count && g.nodes[last_of_ordered].expected_to_fail);
      last_of_ordered = n;
    }
    if (!made.expected_to_fail) {
      for (std::size_t group = 0; group < made.groups; ++group) {
        made.expected[group] = g.compute(n, group, &graph::node::expected);
      }
    }
  }
  return g;
}

void run_graph(graph& g, std::mt19937& random) {
  // Two queues of the same executor and one of another.
  const auto first = scheduler::executor_for(2).threads();
  ASSERT_EQ(first, 2u);
  const std::shared_ptr<queue_state> queues[] = {
      std::make_shared<queue_state>(scheduler::executor_for(2), lf::async_handler(), true),
      std::make_shared<queue_state>(scheduler::executor_for(2), lf::async_handler(), false),
      std::make_shared<queue_state>(scheduler::executor_for(random() % 2 == 0 ? 4 : 1), lf::async_handler(), false)};
  std::vector<lf::event> events;
  for (std::size_t n = 0; n < g.nodes.size(); ++n) {
    graph::node& node = g.nodes[n];
    std::vector<lf::event> dependencies;
    for (const std::size_t d : node.dependencies) {
      dependencies.push_back(events[d]);
    }
    const auto work = [&g, n](std::size_t group) {
      graph::node& self = g.nodes[n];
      busy(self.time);
      if (self.fails && group == self.groups / 2) {
        throw std::runtime_error("node " + std::to_string(n));
      }
      self.values[group] = g.compute(n, group, &graph::node::values);
    };
    const std::shared_ptr<queue_state>& queue = queues[node.queue];
    events.emplace_back(submit(queue, node.groups == 0 ? nullptr : make(node.groups, 1, work), dependencies));
    // Sometimes the host waits for something in between.
    if (random() % 16 == 0) {
      scheduler::wait(events[random() % events.size()].command());
    }
  }
  if (random() % 2 == 0) {
    scheduler::wait(events[random() % events.size()].command());
  }
  for (const auto& queue : queues) {
    queue->wait();
  }
  for (std::size_t n = 0; n < g.nodes.size(); ++n) {
    const graph::node& node = g.nodes[n];
    ASSERT_TRUE(events[n].command()->is_complete()) << "node " << n;
    ASSERT_EQ(events[n].command()->error() != nullptr, node.expected_to_fail) << "node " << n;
    if (!node.expected_to_fail) {
      ASSERT_EQ(node.values, node.expected) << "node " << n;
    }
  }
}

class random_graphs : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(seeds, random_graphs, ::testing::Range(1u, 11u));

TEST_P(random_graphs, compute_what_serial_execution_computes) {
  for (unsigned i = 0; i < 100; ++i) {
    const unsigned seed = GetParam() * 1000 + i;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    graph g = random_graph(random, false);
    run_graph(g, random);
    if (HasFatalFailure()) {
      return;
    }
  }
}

TEST_P(random_graphs, fail_exactly_where_serial_execution_fails) {
  for (unsigned i = 0; i < 50; ++i) {
    const unsigned seed = GetParam() * 7000 + i;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    graph g = random_graph(random, true);
    run_graph(g, random);
    if (HasFatalFailure()) {
      return;
    }
  }
}

TEST_P(executor_test, a_long_chain_neither_recurses_nor_keeps_its_commands) {
  // Captured by each kernel: lives as long as the command has not run.
  const auto alive = std::make_shared<int>(0);
  for (const bool in_order : {true, false}) {
    const auto state = make_state(in_order);
    std::size_t sum = 0; // ordered by the chain
    lf::event last;
    constexpr std::size_t length = 20000;
    for (std::size_t i = 0; i < length; ++i) {
      const auto work = [alive, &sum, i](std::size_t) { sum = sum * 3 + i; };
      last = lf::event(
          submit(state, make(1, 1, work), in_order ? std::vector<lf::event>() : std::vector<lf::event>{last}));
    }
    scheduler::wait(last.command());
    std::size_t expected = 0;
    for (std::size_t i = 0; i < length; ++i) {
      expected = expected * 3 + i;
    }
    EXPECT_EQ(sum, expected);
    state->wait();
    EXPECT_EQ(alive.use_count(), 1);
  }
}

TEST_P(executor_test, a_long_chain_behind_a_failure) {
  const auto state = make_state(true);
  std::atomic<int> runs{0};
  std::atomic<bool> go{false};
  submit(state,
         make(1, 1,
              [&](std::size_t) {
                while (!go) {
                  std::this_thread::yield();
                }
                throw std::runtime_error("the first");
              }),
         {});
  for (int i = 0; i < 20000; ++i) {
    submit(state, make(1, 1, [&](std::size_t) { ++runs; }), {});
  }
  go = true;
  state->wait();
  EXPECT_EQ(runs, 0);
  EXPECT_THROW(state->deliver_errors(), std::runtime_error);
}

TEST_P(executor_test, several_host_threads_submit_and_wait) {
  const auto ordered = make_state(true);
  const auto unordered = make_state(false);
  std::atomic<int> runs{0};
  std::size_t in_order = 0; // ordered by the queue
  std::vector<std::thread> hosts;
  for (int t = 0; t < 4; ++t) {
    hosts.emplace_back([&] {
      for (int i = 0; i < 300; ++i) {
        const command_ptr a = submit(ordered, make(1, 1, [&](std::size_t) { ++in_order; }), {});
        const command_ptr b = submit(unordered, make(i % 30, 1, [&](std::size_t) { ++runs; }), {lf::event(a)});
        if (i % 3 == 0) {
          scheduler::wait(b);
        }
        if (i % 100 == 99) {
          unordered->wait();
          ordered->wait();
        }
      }
    });
  }
  for (std::thread& t : hosts) {
    t.join();
  }
  unordered->wait();
  ordered->wait();
  EXPECT_EQ(in_order, 4u * 300);
  EXPECT_EQ(runs, 4 * 10 * (29 * 30 / 2));
}

TEST_P(executor_test, sleeping_waiters_and_workers_wake) {
  for (const bool in_order : {true, false}) {
    const auto state = make_state(in_order);
    std::atomic<int> runs{0};
    // Long enough that whoever waits, waits asleep, and that workers sleep in between.
    const auto slow = [&](std::size_t) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      ++runs;
    };
    for (int i = 0; i < 5; ++i) {
      const command_ptr first = submit(state, make(1, 1, slow), {});
      submit(state, make(3, 1, slow), {lf::event(first)});
      submit(state, make(1, 1, slow), {});
      if (i % 2 == 0) {
        scheduler::wait(first);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      state->wait();
      EXPECT_EQ(runs, 5 * (i + 1));
    }
  }
}

// Workers join launches of many threads, each of which looks for its own ones when it waits.
TEST_P(executor_test, launches_of_many_threads_and_then_all_sleep) {
  constexpr std::size_t hosts = 80, launches = 20, groups = 40;
  std::atomic<std::size_t> runs{0};
  std::vector<std::thread> threads;
  threads.reserve(hosts);
  for (std::size_t t = 0; t < hosts; ++t) {
    threads.emplace_back([&, t] {
      const auto state = make_state(t % 2 == 0);
      for (std::size_t i = 0; i < launches; ++i) {
        const auto work = [&](std::size_t) {
          busy(std::chrono::microseconds(1)); // or it runs on one thread
          ++runs;
        };
        const command_ptr last = submit(state, make(groups, 1, work), {});
        if (i % 3 == 0) {
          scheduler::wait(last);
        }
      }
      state->wait();
    });
  }
  for (std::thread& t : threads) {
    t.join();
  }
  EXPECT_EQ(runs, hosts * launches * groups);
  // Workers look for work for 50 microseconds and go. Another try, because those of earlier tests may still run.
  double used = 1;
  for (int i = 0; i < 5 && used > 0.25; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const std::clock_t before = std::clock();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    used = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC / 0.1;
  }
  EXPECT_LT(used, 0.25) << "of a processor";
}

TEST_P(executor_test, a_command_runs_without_anybody_waiting) {
  const auto state = make_state(false);
  std::atomic<int> runs{0};
  for (int i = 0; i < 5; ++i) {
    submit(state, make(10, 1, [&](std::size_t) { ++runs; }), {});
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (runs < 50 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(runs, 50);
  state->wait();
}

} // namespace
