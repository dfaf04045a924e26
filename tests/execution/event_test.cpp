// SPDX-License-Identifier: Apache-2.0
#include "sanitized.hpp"

#include <lanefold/execution/kernels.hpp>
#include <lanefold/execution/queue.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <unordered_set>
#include <vector>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace lf = lanefold;
using status = lf::info::event_command_status;

namespace {

status status_of(const lf::event& e) { return e.get_info<lf::info::event::command_execution_status>(); }

/// A command that runs until it is released.
class gate {
public:
  lf::event submit(lf::queue& q) {
    return q.single_task([open = m_open] {
      while (!*open) {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      }
    });
  }
  void release() { *m_open = true; }

private:
  std::shared_ptr<std::atomic<bool>> m_open = std::make_shared<std::atomic<bool>>(false);
};

TEST(event, a_default_event_is_complete) {
  lf::event e;
  EXPECT_EQ(status_of(e), status::complete);
  EXPECT_TRUE(e.get_wait_list().empty());
  e.wait();
  e.wait_and_throw();
  lf::event::wait({e, e});
  lf::event::wait_and_throw({});
  EXPECT_NE(e, lf::event());
  lf::queue q;
  q.single_task(e, [] {}).wait();
}

TEST(event, handles_of_one_command_are_equal) {
  lf::queue q;
  const lf::event a = q.single_task([] {});
  const lf::event b = a;
  const lf::event c = q.single_task([] {});
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
  EXPECT_NE(a, lf::event());
  EXPECT_EQ(std::hash<lf::event>()(a), std::hash<lf::event>()(b));
  EXPECT_EQ(std::unordered_set<lf::event>({a, b, c}).size(), 2u);
  q.wait();
}

TEST(event, status) {
  lf::queue q{lf::property::threads(2)};
  gate g;
  const lf::event first = g.submit(q);
  lf::event second = q.single_task(first, [] {});
  EXPECT_EQ(status_of(second), status::submitted);
  while (status_of(first) == status::submitted) {
    std::this_thread::yield(); // a worker takes it
  }
  EXPECT_EQ(status_of(first), status::running);
  g.release();
  second.wait();
  EXPECT_EQ(status_of(first), status::complete);
  EXPECT_EQ(status_of(second), status::complete);
}

TEST(event, wait_list_names_what_is_open) {
  lf::queue q;
  gate g;
  const lf::event done = q.single_task([] {});
  lf::event(done).wait();
  const lf::event open = g.submit(q);
  lf::event e = q.submit([&](lf::handler& h) {
    h.depends_on({done, open, lf::event()});
    h.single_task([] {});
  });
  EXPECT_EQ(e.get_wait_list(), std::vector<lf::event>{open});
  g.release();
  e.wait();
  EXPECT_TRUE(e.get_wait_list().empty());
}

TEST(event, wait_is_for_this_command_only) {
  lf::queue q{lf::property::threads(2)};
  gate g;
  g.submit(q);
  // Must return although the other command runs.
  for (int i = 0; i < 100; ++i) {
    int ran = 0;
    q.single_task([&] { ran = 1; }).wait();
    ASSERT_EQ(ran, 1);
  }
  g.release();
}

TEST(event, several_threads_wait_for_one_command) {
  lf::queue q;
  gate g;
  const lf::event e = g.submit(q);
  const lf::event last = q.single_task(e, [] {});
  std::atomic<int> returned{0};
  std::vector<std::thread> hosts;
  for (int i = 0; i < 4; ++i) {
    hosts.emplace_back([&, mine = i % 2 == 0 ? e : last]() mutable {
      mine.wait();
      ++returned;
    });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(returned, 0);
  g.release();
  for (std::thread& t : hosts) {
    t.join();
  }
  EXPECT_EQ(returned, 4);
}

TEST(event, the_same_dependency_twice) {
  lf::queue q;
  gate g;
  const lf::event e = g.submit(q);
  int ran = 0;
  lf::event dependent = q.submit([&](lf::handler& h) {
    h.depends_on({e, e, e});
    h.single_task([&] { ++ran; });
  });
  g.release();
  dependent.wait();
  EXPECT_EQ(ran, 1);
}

TEST(event, a_failed_command_throws_to_everybody_who_waits_for_it) {
  lf::queue q;
  lf::event e = q.single_task([] { throw std::runtime_error("broken"); });
  EXPECT_THROW(e.wait(), lf::exception);
  EXPECT_THROW(e.wait(), lf::exception);
  EXPECT_THROW(lf::event::wait({lf::event(), e}), lf::exception);
  EXPECT_EQ(status_of(e), status::complete);
  EXPECT_NO_THROW(q.wait()); // it was delivered
}

TEST(event, waiting_for_several_waits_for_all_even_if_one_fails) {
  lf::queue q;
  std::atomic<bool> done{false};
  const lf::event failed = q.single_task([] { throw std::runtime_error("broken"); });
  const lf::event slow = q.single_task([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    done = true;
  });
  EXPECT_THROW(lf::event::wait({failed, slow}), lf::exception);
  EXPECT_TRUE(done);
}

#if defined(__GLIBC__) && !defined(LANEFOLD_TEST_SANITIZED)
TEST(event, complete_commands_take_no_memory) {
  for (const bool in_order : {true, false}) {
    lf::queue q = in_order ? lf::queue(lf::property_list{lf::property::in_order{}}) : lf::queue();
    std::atomic<std::size_t> sum{0};
    lf::event last;
    const auto submit_many = [&] {
      for (int i = 0; i < 5000; ++i) {
        last = q.parallel_for(lf::range<1>(3), last, [&](lf::item<1>) { ++sum; });
        if (i % 50 == 0) {
          last.wait(); // so that the number of commands that wait stays small
        }
      }
      last.wait();
    };
    submit_many();
    const std::size_t before = ::mallinfo2().uordblks;
    for (int i = 0; i < 50; ++i) {
      submit_many();
    }
    q.wait();
    const std::size_t after = ::mallinfo2().uordblks;
    // One byte a command. 4 to 17 KiB were seen; 80 KiB once, on 16 cores, in the caches of threads.
    EXPECT_LT(after, before + 256 * 1024) << "250,000 commands more";
    EXPECT_EQ(sum, 51u * 5000 * 3);
  }
}
#endif

} // namespace
