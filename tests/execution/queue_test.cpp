// SPDX-License-Identifier: Apache-2.0

#include "thrown.hpp"

#include <lanefold/execution/detail/environment.hpp>
#include <lanefold/execution/kernels.hpp>
#include <lanefold/execution/queue.hpp>
#include <lanefold/memory/local_accessor.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace lf = lanefold;

namespace {

class first_kernel;
class second_kernel;

// ---- queues

TEST(queue, is_a_handle) {
  lf::queue a;
  lf::queue b = a;
  const lf::queue c;
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
  EXPECT_FALSE(a.is_in_order());
  EXPECT_TRUE(a.get_device().is_cpu());
  EXPECT_GE(a.threads(), 1u);
  a = c;
  EXPECT_EQ(a, c);
  int ran = 0;
  b.single_task([&] { ran = 1; }).wait();
  EXPECT_EQ(ran, 1);
}

TEST(queue, is_empty_for_who_has_waited) {
  for (const bool in_order : {true, false}) {
    lf::queue q = in_order ? lf::queue(lf::property_list{lf::property::in_order(), lf::property::threads(2)})
                           : lf::queue(lf::property::threads(2));
    for (int round = 0; round < 1000; ++round) {
      std::atomic<int> runs{0};
      q.parallel_for(lf::range<1>(1 + round % 40), [&](lf::item<1>) { ++runs; });
      q.wait();
      ASSERT_TRUE(q.khr_empty()) << round;
      ASSERT_EQ(runs, 1 + round % 40);
    }
  }
}

TEST(queue, properties) {
  const lf::queue q(lf::property_list{lf::property::queue::in_order{}, lf::property::threads(3),
                                      lf::property::fiber_engine(lf::fiber_engine::boost_context)});
  EXPECT_TRUE(q.is_in_order());
  EXPECT_EQ(q.threads(), 3u);
  EXPECT_EQ(q.fiber_engine(), lf::fiber_engine::boost_context);
  EXPECT_TRUE(q.has_property<lf::property::in_order>());
  EXPECT_EQ(q.get_property<lf::property::threads>().count, 3u);
  const lf::queue plain{lf::device(), [](lf::exception_list) {}};
  EXPECT_FALSE(plain.has_property<lf::property::threads>());
  EXPECT_THROW((void)plain.get_property<lf::property::threads>(), lf::exception);
  const lf::queue single{lf::property::in_order{}};
  EXPECT_TRUE(single.is_in_order());
}

TEST(queue, thread_counts_that_cannot_be) {
  for (const std::size_t n : {std::size_t{0}, std::size_t{5000}, std::numeric_limits<std::size_t>::max()}) {
    const std::string text = text_thrown_by([&] { lf::queue q{lf::property::threads(n)}; }, lf::errc::invalid);
    EXPECT_MENTIONS(text, std::to_string(n));
  }
}

class scoped_variable {
public:
  scoped_variable(const char* name, const char* value) : m_name(name) { ::setenv(name, value, 1); }
  ~scoped_variable() { ::unsetenv(m_name); }
  scoped_variable(const scoped_variable&) = delete;
  scoped_variable& operator=(const scoped_variable&) = delete;

private:
  const char* m_name;
};

TEST(queue, environment_variables) {
  {
    const scoped_variable threads("LANEFOLD_NUM_THREADS", "3");
    const scoped_variable engine("LANEFOLD_FIBER_ENGINE", "boost_fiber");
    const lf::queue q;
    EXPECT_EQ(q.threads(), 3u);
    EXPECT_EQ(q.fiber_engine(), lf::fiber_engine::boost_fiber);
    const lf::queue properties_win(
        lf::property_list{lf::property::threads(2), lf::property::fiber_engine(lf::fiber_engine::native)});
    EXPECT_EQ(properties_win.threads(), 2u);
    EXPECT_EQ(properties_win.fiber_engine(), lf::fiber_engine::native);
  }
  const auto stack_bytes = [](const char* value) {
    const scoped_variable variable("LANEFOLD_STACK_SIZE", value);
    return lf::detail::environment::read().stack_bytes;
  };
  EXPECT_EQ(stack_bytes(""), 0u);
  EXPECT_EQ(stack_bytes("65536"), 65536u);
  EXPECT_EQ(stack_bytes("64K"), 65536u);
  EXPECT_EQ(stack_bytes("1m"), 1u << 20);
  EXPECT_EQ(stack_bytes("1G"), 1u << 30);
  const auto refused = [](const char* name, const char* value) {
    const scoped_variable variable(name, value);
    const std::string text = text_thrown_by([] { lf::queue q; }, lf::errc::invalid);
    EXPECT_MENTIONS(text, name);
    EXPECT_MENTIONS(text, value);
    EXPECT_MENTIONS(text, "it must be ");
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  };
  for (const char* value : {"0", "-1", "two", "2 ", "4097", "99999999999999999999999", "1.5"}) {
    refused("LANEFOLD_NUM_THREADS", value);
  }
  for (const char* value : {"1", "On", "0-3"}) {
    refused("LANEFOLD_PIN", value);
  }
  for (const char* value :
       {"0", "100", "-4K", "K", "64KB", "8K", "16383", "1025M", "2G", "99999999999999999999K", "lots"}) {
    refused("LANEFOLD_STACK_SIZE", value);
  }
  for (const char* value : {"fast", "Native", "boost"}) {
    refused("LANEFOLD_FIBER_ENGINE", value);
  }
  for (const char* value : {"on", "1", "Lenient"}) {
    refused("LANEFOLD_BARRIERS", value);
  }
  for (const char* value : {"no", "0", "OFF"}) {
    refused("LANEFOLD_STACK_MESSAGES", value);
  }
  for (const char* value : {"2", "on", "loudly"}) {
    refused("LANEFOLD_EXPLAIN", value);
  }
  for (const char* value : {"on", "1", "Group"}) { // in every build, though only checked ones look for races
    refused("LANEFOLD_RACE_CHECK", value);
  }
  for (const char* value : {"-1", "4294967296", "random"}) {
    refused("LANEFOLD_SCHEDULE", value);
  }
}

TEST(fiber_engines, have_names) {
  for (const lf::fiber_engine engine : {lf::fiber_engine::automatic, lf::fiber_engine::native,
                                        lf::fiber_engine::boost_context, lf::fiber_engine::boost_fiber}) {
    EXPECT_EQ(lf::fiber_engine_from_string(lf::to_string(engine)), engine);
  }
  EXPECT_FALSE(lf::fiber_engine_from_string("").has_value());
}

// ---- forms of submission

TEST(queue, every_form_of_parallel_for) {
  lf::queue q{lf::property::in_order{}};
  std::atomic<int> runs{0};
  const lf::property::fiber_engine engine(lf::fiber_engine::boost_context);
  const lf::event e = q.single_task([&] { ++runs; });
  const std::vector<lf::event> events{e, lf::event(), e};

  q.parallel_for(lf::range<1>(3), [&](lf::item<1>) { ++runs; });
  q.parallel_for(3, [&](lf::id<1>) { ++runs; });
  q.parallel_for({3}, [&](lf::item<1>) { ++runs; });
  q.parallel_for({3, 2}, [&](lf::item<2>) { ++runs; });
  q.parallel_for({3, 2, 2}, [&](lf::item<3>) { ++runs; });
  q.parallel_for<first_kernel>(lf::range<2>(3, 2), engine, [&](lf::item<2>) { ++runs; });
  q.parallel_for<first_kernel>(lf::range<2>(3, 2), e, lf::properties{engine}, [&](lf::item<2>) { ++runs; });
  q.parallel_for(lf::nd_range<1>(4, 2), [&](lf::nd_item<1>) { ++runs; });
  q.parallel_for(lf::nd_range<1>(4, 2), e, [&](lf::nd_item<1>) { ++runs; });
  q.parallel_for(lf::nd_range<1>(4, 2), events, [&](lf::nd_item<1>) { ++runs; });
  q.parallel_for(lf::nd_range<1>(4, 2), {e, e}, [&](lf::nd_item<1>) { ++runs; });
  q.parallel_for({4}, {e, e}, [&](lf::item<1>) { ++runs; });
  q.single_task({e, e}, [&] { runs += 0; });
  q.parallel_for<second_kernel>(lf::nd_range<1>(4, 2), events, engine, [&](lf::nd_item<1>) { ++runs; });
  q.parallel_for<second_kernel>(lf::nd_range<2>({4, 2}, {2, 2}), lf::properties{engine},
                                [&](lf::nd_item<2>) { ++runs; });
  q.submit([&](lf::handler& h) {
    h.depends_on(e);
    h.depends_on(events);
    h.parallel_for<second_kernel>(lf::nd_range<3>({4, 2, 2}, {2, 2, 1}), [&](lf::nd_item<3>) { ++runs; });
  });
  q.submit([&](lf::handler& h) { h.parallel_for({5}, [&](lf::item<1>) { ++runs; }); });
  q.submit([&](lf::handler& h) { h.single_task<first_kernel>([&] { ++runs; }); });
  q.single_task(e, [&] { ++runs; });
  q.single_task<first_kernel>(events, [&] { ++runs; });
  q.wait();
  EXPECT_EQ(runs, 1 + 3 + 3 + 3 + 6 + 12 + 6 + 6 + 4 + 4 + 4 + 4 + 4 + 4 + 8 + 16 + 5 + 1 + 1 + 1);
}

TEST(queue, a_kernel_may_be_moved_in_and_keeps_its_state_to_itself) {
  lf::queue q;
  const auto shared = std::make_shared<std::atomic<int>>(0);
  auto kernel = [held = shared, calls = 0]() mutable { *held += ++calls; };
  lf::event a = q.single_task(kernel);
  lf::event b = q.single_task(std::move(kernel));
  a.wait();
  b.wait();
  EXPECT_EQ(*shared, 2);
  EXPECT_EQ(shared.use_count(), 1) << "a complete command holds no kernel";
}

TEST(queue, empty_ranges_and_empty_groups_complete) {
  for (const bool in_order : {false, true}) {
    lf::queue q = in_order ? lf::queue(lf::property_list{lf::property::in_order{}}) : lf::queue();
    int ran = 0;
    q.parallel_for(lf::range<1>(0), [&](lf::item<1>) { ++ran; }).wait();
    q.parallel_for(lf::range<2>(5, 0), [&](lf::item<2>) { ++ran; }).wait();
    q.parallel_for(lf::nd_range<1>(0, 4), [&](lf::nd_item<1>) { ++ran; }).wait();
    q.submit([](lf::handler&) {}).wait();
    q.memcpy(nullptr, nullptr, 0).wait();
    q.fill<int>(nullptr, 1, 0).wait();
    q.wait();
    EXPECT_EQ(ran, 0);
  }
}

TEST(queue, an_empty_group_waits_for_what_it_depends_on) {
  lf::queue q;
  std::atomic<bool> done{false};
  const lf::event slow = q.single_task([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    done = true;
  });
  lf::event barrier = q.submit([&](lf::handler& h) { h.depends_on(slow); });
  barrier.wait();
  EXPECT_TRUE(done);
}

// ---- order

TEST(queue, in_order_commands_run_in_order) {
  lf::queue q{lf::property::in_order{}};
  std::vector<int> order; // not atomic, not locked: the queue orders the accesses
  for (int i = 0; i < 1000; ++i) {
    q.single_task([&order, i] { order.push_back(i); });
    if (i % 100 == 50) {
      q.wait();
    }
  }
  q.wait();
  std::vector<int> expected(1000);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(order, expected);
}

TEST(queue, one_thread_runs_commands_in_the_order_of_submission) {
  lf::queue q{lf::property::threads(1)};
  EXPECT_FALSE(q.is_in_order());
  std::vector<int> order;
  for (int i = 0; i < 200; ++i) {
    q.single_task([&order, i] { order.push_back(i); });
  }
  q.wait();
  std::vector<int> expected(200);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(order, expected);
}

TEST(queue, out_of_order_commands_run_at_the_same_time) {
  lf::queue q{lf::property::threads(2)};
  // Each waits for the other.
  std::atomic<int> arrived{0};
  std::atomic<bool> met{true};
  const auto kernel = [&] {
    ++arrived;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (arrived < 2 && met) {
      if (std::chrono::steady_clock::now() > end) {
        met = false;
      }
      std::this_thread::yield();
    }
  };
  q.single_task(kernel);
  q.single_task(kernel);
  q.wait();
  EXPECT_TRUE(met);
}

TEST(queue, a_slow_command_does_not_block_submission) {
  lf::queue q{lf::property::in_order{}};
  std::atomic<bool> go{false};
  q.single_task([&] {
    while (!go) {
      std::this_thread::yield();
    }
  });
  int ran = 0;
  for (int i = 0; i < 100; ++i) {
    q.single_task([&] { ++ran; });
  }
  go = true; // would never be reached otherwise
  q.wait();
  EXPECT_EQ(ran, 100);
}

TEST(queue, commands_outlive_their_queue) {
  std::atomic<int> ran{0};
  std::vector<lf::event> events;
  {
    lf::queue q;
    const lf::queue copy = q;
    for (int i = 0; i < 20; ++i) {
      events.push_back(q.parallel_for(lf::range<1>(10), [&](lf::item<1>) {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
        ++ran;
      }));
    }
  }
  lf::event::wait(events);
  EXPECT_EQ(ran, 200);
}

TEST(queue, events_outlive_their_queue) {
  lf::event e;
  {
    lf::queue q;
    e = q.single_task([] {});
  }
  e.wait();
  EXPECT_EQ(e.get_info<lf::info::event::command_execution_status>(), lf::info::event_command_status::complete);
  lf::queue other;
  int ran = 0;
  other.single_task(e, [&] { ran = 1; }).wait();
  EXPECT_EQ(ran, 1);
}

TEST(queue, dependencies_across_queues) {
  lf::queue a{lf::property::in_order{}};
  lf::queue b{lf::property::threads(3)};
  lf::queue c{lf::property::threads(1)};
  int value = 1;
  lf::event last;
  for (int i = 0; i < 300; ++i) {
    lf::queue& q = i % 3 == 0 ? a : i % 3 == 1 ? b : c;
    last = q.single_task(last, [&value, i] { value = (value * 7 + i) % 1000003; });
  }
  last.wait();
  int expected = 1;
  for (int i = 0; i < 300; ++i) {
    expected = (expected * 7 + i) % 1000003;
  }
  EXPECT_EQ(value, expected);
}

TEST(queue, ten_thousand_queues_and_events) {
  std::atomic<int> ran{0};
  std::vector<lf::queue> queues;
  std::vector<lf::event> events;
  for (int i = 0; i < 10000; ++i) {
    queues.emplace_back(i % 2 == 0 ? lf::property_list{lf::property::in_order{}} : lf::property_list{});
    events.push_back(queues.back().single_task([&] { ++ran; }));
  }
  lf::event::wait(events);
  EXPECT_EQ(ran, 10000);
}

// ---- command groups that are refused

TEST(queue, a_refused_command_group_leaves_nothing) {
  for (const bool in_order : {false, true}) {
    lf::queue q = in_order ? lf::queue(lf::property_list{lf::property::in_order{}}) : lf::queue();
    std::atomic<int> ran{0};
    EXPECT_MENTIONS(text_thrown_by(
                        [&] {
                          q.submit([&](lf::handler& h) {
                            h.single_task<first_kernel>([&] { ++ran; });
                            h.single_task([&] { ++ran; });
                          });
                        },
                        lf::errc::invalid),
                    "first_kernel");
    EXPECT_THROW(q.submit([&](lf::handler& h) {
      h.parallel_for(lf::range<1>(1), [&](lf::item<1>) { ++ran; });
      throw std::runtime_error("changed my mind");
    }),
                 std::runtime_error);
    EXPECT_MENTIONS(text_thrown_by([&] { q.parallel_for(lf::nd_range<1>(10, 3), [&](lf::nd_item<1>) { ++ran; }); },
                                   lf::errc::nd_range),
                    "does not divide");
    q.wait();
    EXPECT_EQ(ran, 0);
    q.single_task([&] { ++ran; }).wait();
    EXPECT_EQ(ran, 1);
  }
}

TEST(queue, local_memory_is_limited) {
  lf::queue q;
  constexpr std::size_t limit = lf::device::local_memory_bytes();
  q.submit([&](lf::handler& h) {
    EXPECT_EQ(h.allocate_local(1, 1).offset, 0u);
    EXPECT_EQ(h.allocate_local(8, 8).offset, 8u);
    EXPECT_EQ(h.allocate_local(std::size_t{3}, std::size_t{4}, std::size_t{64}), 64u);
    EXPECT_EQ(h.allocate_local(limit - 128, 64).offset, 128u);
    EXPECT_EQ(h.allocate_local(0, 1).offset, limit);
    EXPECT_MENTIONS(text_thrown_by([&] { h.allocate_local(1, 1); }, lf::errc::memory_allocation),
                    std::to_string(limit));
  });
  const auto refused = [&](std::size_t count, std::size_t element) {
    text_thrown_by([&] { q.submit([&](lf::handler& h) { h.allocate_local(count, element, std::size_t{4}); }); },
                   lf::errc::memory_allocation);
  };
  refused(limit + 1, 1);
  refused(limit / 4 + 1, 4);
  refused(std::numeric_limits<std::size_t>::max(), 1);
  refused(std::numeric_limits<std::size_t>::max() / 4 + 2, 8); // the product overflows
  EXPECT_MENTIONS(
      text_thrown_by([&] { q.submit([&](lf::handler& h) { lf::local_accessor<double, 2> a({1 << 20, 1 << 20}, h); }); },
                     lf::errc::memory_allocation),
      "local memory");
  text_thrown_by([&] { q.submit([&](lf::handler& h) { h.allocate_local(std::size_t{4}, std::size_t{3}); }); },
                 lf::errc::invalid);
  q.wait();
}

#if defined(__x86_64__)
TEST(queue, a_program_for_another_cpu_is_refused) {
  if (lf::supports(lf::isa_id::neon)) {
    GTEST_SKIP();
  }
  EXPECT_MENTIONS(text_thrown_by([] { lf::detail::require_isa(lf::isa_id::neon); }, lf::errc::platform), "neon");
  EXPECT_NO_THROW(lf::detail::require_isa(lf::isa_id::generic));
}
#endif

} // namespace
