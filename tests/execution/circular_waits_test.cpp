// SPDX-License-Identifier: Apache-2.0
// Host threads that would wait for each other, or for themselves, get an error that says who waits for what.
#include "thrown.hpp"

#include <lanefold/execution.hpp>
#include <lanefold/execution/accessor.hpp>
#include <lanefold/execution/host_accessor.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace lf = lanefold;

/// Returns the text of what a function throws; nothing if it does not throw.
template <class Function>
std::string error_of(Function function) {
  std::string text;
  const lf::errc code = code_thrown_by(function, &text);
  return code == lf::errc::invalid || code == lf::errc::success ? text : "another code: " + text;
}

class kernel_of_the_circle;

/// A thread that has one buffer of a circle, and wants the next one when all have theirs.
class circle {
public:
  explicit circle(std::size_t threads) : m_size(threads) {
    for (std::size_t i = 0; i < threads; ++i) {
      m_buffers.emplace_back(lf::range<1>(i + 1));
    }
  }

  /// Calls `want(next)` in each thread. Returns what they have thrown.
  template <class Want>
  std::vector<std::string> run(Want want) {
    std::vector<std::future<std::string>> threads;
    for (std::size_t i = 0; i < m_size; ++i) {
      threads.push_back(std::async(std::launch::async, [&, i] {
        return error_of([&] {
          const lf::host_accessor mine(m_buffers[i]);
          ++m_ready;
          while (m_ready < m_size) {
            std::this_thread::yield();
          }
          want(m_buffers[(i + 1) % m_size]);
        });
      }));
    }
    std::vector<std::string> errors;
    for (std::future<std::string>& t : threads) {
      if (t.wait_for(std::chrono::seconds(60)) != std::future_status::ready) {
        std::fputs("threads wait in a circle\n", stderr);
        std::abort();
      }
      errors.push_back(t.get());
    }
    return errors;
  }

private:
  std::size_t m_size;
  std::vector<lf::buffer<int>> m_buffers;
  std::atomic<std::size_t> m_ready{0};
};

void expect_one_error(const std::vector<std::string>& errors, const std::string& text) {
  std::size_t failed = 0;
  for (const std::string& e : errors) {
    failed += e.empty() ? 0 : 1;
    if (!e.empty()) {
      EXPECT_NE(e.find(text), std::string::npos) << e;
      EXPECT_NE(e.find("wait for each other in a circle"), std::string::npos) << e;
    }
  }
  EXPECT_GE(failed, 1u);
  EXPECT_LT(failed, errors.size()) << "one thread goes on when another one has given up";
}

TEST(circular_waits, two_threads_with_host_accessors) {
  for (int i = 0; i < 20; ++i) {
    expect_one_error(circle(2).run([](lf::buffer<int>& next) { const lf::host_accessor a(next); }),
                     "of another thread, which waits for a host_accessor of a buffer of");
  }
}

TEST(circular_waits, four_threads_with_host_accessors) {
  expect_one_error(circle(4).run([](lf::buffer<int>& next) { const lf::host_accessor a(next); }), "of this thread");
}

TEST(circular_waits, threads_that_wait_for_commands) {
  lf::queue q{lf::property_list{lf::property::threads(2)}};
  expect_one_error(
      circle(2).run([&](lf::buffer<int>& next) {
        q.submit([&](lf::handler& h) {
           const lf::accessor a(next, h, lf::write_only);
           h.single_task<kernel_of_the_circle>([=] { a[0] = 1; });
         }).wait();
      }),
      "this thread waits for the command 'kernel_of_the_circle', which waits for a host_accessor of a buffer");
  q.wait();
}

/// Threads that wait in a row are no circle.
TEST(circular_waits, rows_of_threads_end) {
  lf::buffer<int> a((lf::range<1>(1)));
  lf::buffer<int> b((lf::range<1>(2)));
  std::atomic<int> ready{0};
  auto first = std::make_unique<lf::host_accessor<int>>(a);
  std::thread second([&] {
    const lf::host_accessor mine(b);
    ++ready;
    const lf::host_accessor waits(a);
  });
  while (ready == 0) {
    std::this_thread::yield();
  }
  std::thread third([&] { const lf::host_accessor waits(b); });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  first.reset();
  second.join();
  third.join();
}

TEST(circular_waits, a_thread_that_waits_for_itself) {
  lf::queue q;
  lf::buffer<int> buffer((lf::range<1>(10)));
  {
    const lf::host_accessor mine(buffer);
    lf::event e = q.submit([&](lf::handler& h) {
      const lf::accessor a(buffer, h);
      h.single_task<kernel_of_the_circle>([=] { a[0] = 1; });
    });
    const std::string expected = "this thread waits for the command 'kernel_of_the_circle', which waits for a "
                                 "host_accessor of a buffer of 40 bytes, which this thread has itself";
    EXPECT_NE(error_of([&] { e.wait(); }).find(expected), std::string::npos) << error_of([&] { e.wait(); });
    EXPECT_NE(error_of([&] { q.wait(); }).find(expected), std::string::npos);
    EXPECT_NE(error_of([&] { const lf::host_accessor again(buffer); }).find("wait would never return"),
              std::string::npos);
  }
  q.wait();
}

/// Host tasks and kernels do not wait: not for their queue, for their event or each other's, nor for what they use.
TEST(circular_waits, host_tasks) {
  lf::queue q;
  lf::queue other;
  lf::buffer<int> buffer((lf::range<1>(1)));
  std::array<std::string, 5> errors;
  std::atomic<bool> tried{false};
  std::promise<lf::event> second_event;
  std::promise<lf::event> first_event;
  lf::event first = q.submit([&](lf::handler& h) {
    const lf::accessor<int, 1, lf::access_mode::read_write, lf::target::host_task> a(buffer, h);
    h.host_task([&, a] {
      errors[0] = error_of([&] { q.wait(); });
      errors[1] = error_of([&] { first_event.get_future().get().wait(); });
      errors[2] = error_of([&] { const lf::host_accessor mine(buffer); });
      errors[3] = error_of([&] { second_event.get_future().get().wait(); });
      tried = true;
    });
  });
  lf::event second = other.submit([&](lf::handler& h) {
    h.host_task([&, first]() mutable {
      errors[4] = error_of([&] { first.wait(); });
      while (!tried) {
        std::this_thread::yield();
      }
    });
  });
  first_event.set_value(first);
  second_event.set_value(second);
  q.wait_and_throw();
  other.wait_and_throw();
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (i < 4 || !errors[i].empty()) { // the first task may be complete when the second one begins
      EXPECT_NE(errors[i].find("inside a kernel or host task"), std::string::npos) << i << ": " << errors[i];
    }
  }
}

// A thread that waits was taken for the one that it waits for, which had given its buffer back and slept for another.
TEST(circular_waits, threads_that_hold_nothing_while_they_wait_are_no_circle) {
  constexpr std::size_t buffers = 8, threads = 48;
  constexpr int rounds = 300;
  std::vector<lf::buffer<int>> all;
  for (std::size_t i = 0; i < buffers; ++i) {
    all.emplace_back(lf::range<1>(64));
  }
  const auto use = [&](std::size_t seed) {
    return error_of([&] {
      std::mt19937 random(static_cast<unsigned>(seed));
      lf::queue q;
      for (int i = 0; i < rounds; ++i) {
        const std::size_t a = random() % buffers, b = (a + 1 + random() % (buffers - 1)) % buffers;
        if (random() % 4 == 0) {
          const lf::host_accessor held(all[a]);
          held[0] = i;
          continue;
        }
        q.submit([&](lf::handler& h) {
          const lf::accessor x(all[a], h), y(all[b], h);
          h.host_task([=] { x[1] = y[1]; });
        });
        if (random() % 2 == 0) {
          q.wait();
        }
      }
    });
  };
  std::vector<std::future<std::string>> errors;
  for (std::size_t t = 0; t < threads; ++t) {
    errors.push_back(std::async(std::launch::async, use, t));
  }
  for (std::future<std::string>& error : errors) {
    EXPECT_EQ(error.get(), "");
  }
}

} // namespace
