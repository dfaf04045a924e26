// SPDX-License-Identifier: Apache-2.0
// Errors of commands: where they arrive, and what runs all the same.

#include "thrown.hpp"

#include <lanefold/execution/kernels.hpp>
#include <lanefold/execution/queue.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace lf = lanefold;

namespace {

class first_kernel;
class second_kernel;

TEST(queue_errors, wait_throws_the_error_of_the_kernel) {
  for (const bool in_order : {false, true}) {
    lf::queue q = in_order ? lf::queue(lf::property_list{lf::property::in_order{}}) : lf::queue();
    q.single_task<first_kernel>([] { throw std::runtime_error("out of ideas"); });
    try {
      q.wait();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const lf::exception& e) {
      EXPECT_EQ(e.code(), lf::errc::kernel);
      EXPECT_MENTIONS(e.what(), "first_kernel");
      EXPECT_MENTIONS(e.what(), "out of ideas");
      try {
        std::rethrow_if_nested(e);
        ADD_FAILURE() << "nothing was nested";
      } catch (const std::runtime_error& inner) {
        EXPECT_STREQ(inner.what(), "out of ideas");
      }
    }
    EXPECT_NO_THROW(q.wait()); // delivered once
    EXPECT_NO_THROW(q.wait_and_throw());
    int ran = 0;
    q.single_task([&] { ran = 1; });
    q.wait();
    EXPECT_EQ(ran, 1);
  }
}

TEST(queue_errors, an_exception_of_any_type) {
  lf::queue q;
  q.single_task([] { throw 42; });
  EXPECT_MENTIONS(text_thrown_by([&] { q.wait(); }, lf::errc::kernel), "unknown type");
  q.single_task([] { throw lf::exception(make_error_code(lf::errc::feature_not_supported), "not here"); });
  EXPECT_MENTIONS(text_thrown_by([&] { q.wait(); }, lf::errc::feature_not_supported), "not here");
}

TEST(queue_errors, later_commands_of_an_in_order_queue_do_not_run) {
  lf::queue q{lf::property::in_order{}};
  std::atomic<int> ran{0};
  q.single_task<first_kernel>([] { throw std::runtime_error("broken"); });
  lf::event second = q.single_task<second_kernel>([&] { ++ran; });
  q.parallel_for(lf::range<1>(100), [&](lf::item<1>) { ++ran; });
  const std::string text = text_thrown_by([&] { second.wait(); }, lf::errc::kernel);
  EXPECT_MENTIONS(text, "second_kernel");
  EXPECT_MENTIONS(text, "did not run");
  EXPECT_MENTIONS(text, "first_kernel");
  EXPECT_MENTIONS(text, "broken");
  EXPECT_MENTIONS(text_thrown_by([&] { q.wait(); }, lf::errc::kernel), "broken");
  EXPECT_EQ(ran, 0);
  q.single_task([&] { ++ran; });
  q.wait();
  EXPECT_EQ(ran, 1);
}

TEST(queue_errors, an_in_order_queue_goes_on_when_the_host_knows_the_error) {
  lf::queue q{lf::property::in_order{}};
  int ran = 0;
  lf::event failed = q.single_task([] { throw std::runtime_error("broken"); });
  EXPECT_THROW(failed.wait(), lf::exception);
  q.single_task([&] { ++ran; });
  q.wait();
  EXPECT_EQ(ran, 1);
}

TEST(queue_errors, dependents_in_other_queues_do_not_run) {
  lf::queue a;
  lf::queue b;
  int ran = 0;
  lf::event failed = a.single_task<first_kernel>([] { throw std::runtime_error("broken"); });
  lf::event dependent = b.single_task<second_kernel>(failed, [&] { ++ran; });
  lf::event third = b.submit([&](lf::handler& h) { h.depends_on(dependent); });
  EXPECT_MENTIONS(text_thrown_by([&] { third.wait(); }, lf::errc::kernel), "first_kernel");
  EXPECT_MENTIONS(text_thrown_by([&] { b.wait(); }, lf::errc::kernel), "second_kernel");
  EXPECT_MENTIONS(text_thrown_by([&] { a.wait(); }, lf::errc::kernel), "broken");
  EXPECT_EQ(ran, 0);
  // Whoever depends on it later does not run either, although the error is known.
  lf::event late = b.single_task(failed, [&] { ++ran; });
  EXPECT_MENTIONS(text_thrown_by([&] { late.wait(); }, lf::errc::kernel), "did not run");
  EXPECT_EQ(ran, 0);
  b.single_task([&] { ++ran; }).wait();
  EXPECT_EQ(ran, 1);
}

TEST(queue_errors, independent_commands_run) {
  lf::queue q;
  std::atomic<int> ran{0};
  for (int i = 0; i < 20; ++i) {
    q.single_task([&, i] {
      if (i % 2 == 0) {
        throw std::runtime_error("number " + std::to_string(i));
      }
      ++ran;
    });
  }
  const std::string text = text_thrown_by([&] { q.wait(); }, lf::errc::kernel);
  EXPECT_MENTIONS(text, "10 commands failed");
  EXPECT_MENTIONS(text, "number ");
  EXPECT_EQ(ran, 10);
  EXPECT_NO_THROW(q.wait());
}

TEST(queue_errors, the_async_handler_gets_them) {
  std::vector<std::string> got;
  const auto handler = [&](lf::exception_list errors) {
    for (const std::exception_ptr& error : errors) {
      try {
        std::rethrow_exception(error);
      } catch (const std::exception& e) {
        got.emplace_back(e.what());
      }
    }
  };
  lf::queue q(handler);
  lf::event failed = q.single_task<first_kernel>([] { throw std::runtime_error("one"); });
  EXPECT_NO_THROW(failed.wait());
  EXPECT_NO_THROW(q.wait());
  EXPECT_TRUE(got.empty());
  q.throw_asynchronous();
  ASSERT_EQ(got.size(), 1u);
  EXPECT_MENTIONS(got[0], "one");
  q.throw_asynchronous();
  EXPECT_EQ(got.size(), 1u);

  q.single_task([] { throw std::runtime_error("two"); });
  q.single_task([] { throw std::runtime_error("three"); });
  q.wait_and_throw();
  EXPECT_EQ(got.size(), 3u);

  lf::event again = q.single_task([] { throw std::runtime_error("four"); });
  again.wait_and_throw();
  EXPECT_EQ(got.size(), 4u);
  lf::event::wait_and_throw({again, lf::event()});
  EXPECT_EQ(got.size(), 4u);
}

TEST(queue_errors, the_async_handler_gets_them_when_the_queue_is_destroyed) {
  std::size_t got = 0;
  {
    lf::queue q([&](const lf::exception_list& errors) { got += errors.size(); });
    q.single_task([] { throw std::runtime_error("one"); });
    q.single_task([] { throw std::runtime_error("two"); });
    q.wait();
    const lf::queue copy = q;
    q = lf::queue();
    EXPECT_EQ(got, 0u) << "a handle of it is left";
  }
  EXPECT_EQ(got, 2u);
}

TEST(queue_errors, what_a_handler_throws_while_the_queue_is_destroyed_is_printed) {
  testing::internal::CaptureStderr();
  {
    lf::queue q([](lf::exception_list errors) { std::rethrow_exception(*errors.begin()); });
    q.single_task([] { throw std::runtime_error("one"); });
    q.wait();
  }
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_MENTIONS(text, "async handler");
  EXPECT_MENTIONS(text, "one");
}

TEST(queue_errors, what_a_handler_throws_reaches_the_caller) {
  lf::queue q([](lf::exception_list errors) { std::rethrow_exception(*errors.begin()); });
  q.single_task([] { throw std::runtime_error("one"); });
  EXPECT_THROW(q.wait_and_throw(), lf::exception);
  EXPECT_NO_THROW(q.wait_and_throw());
}

TEST(queue_errors, an_in_order_queue_with_a_handler_goes_on_after_a_wait) {
  int errors = 0;
  lf::queue q([&](lf::exception_list list) { errors += static_cast<int>(list.size()); },
              lf::property_list{lf::property::in_order{}});
  int ran = 0;
  q.single_task([] { throw std::runtime_error("one"); });
  q.wait();
  q.single_task([&] { ++ran; });
  q.wait();
  EXPECT_EQ(ran, 1);
  EXPECT_EQ(errors, 0);
  q.wait_and_throw();
  EXPECT_EQ(errors, 1);
}

TEST(queue_errors, what_nobody_asked_for_is_printed) {
  ::testing::internal::CaptureStderr();
  lf::event last;
  {
    lf::queue q{lf::property::in_order{}};
    q.single_task<first_kernel>([] { throw std::runtime_error("lost and found"); });
    last = q.single_task<second_kernel>([] {});
  }
  while (last.get_info<lf::info::event::command_execution_status>() != lf::info::event_command_status::complete) {
    std::this_thread::yield();
  }
  last = lf::event();
  std::this_thread::sleep_for(std::chrono::milliseconds(100)); // it is printed behind that
  std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_MENTIONS(text, "first_kernel");
  EXPECT_MENTIONS(text, "lost and found");
  EXPECT_EQ(text.find("second_kernel"), std::string::npos) << text; // it is the same error

  ::testing::internal::CaptureStderr();
  {
    lf::queue q;
    lf::event e = q.single_task([] { throw std::runtime_error("seen"); });
    EXPECT_THROW(e.wait(), lf::exception);
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(queue_errors, waiting_inside_a_kernel_is_refused) {
  for (const bool in_order : {false, true}) {
    lf::queue q = in_order ? lf::queue(lf::property_list{lf::property::in_order{}}) : lf::queue();
    lf::queue other;
    q.single_task([&] { q.wait(); });
    EXPECT_MENTIONS(text_thrown_by([&] { q.wait(); }, lf::errc::invalid), "inside a kernel");
    q.parallel_for(lf::range<1>(10000), [&](lf::item<1> i) {
      if (i.get_id(0) == 7) {
        other.single_task([] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }).wait();
      }
    });
    EXPECT_MENTIONS(text_thrown_by([&] { q.wait(); }, lf::errc::invalid), "inside a kernel");
    int ran = 0;
    q.single_task([&] { ran = 1; }).wait();
    EXPECT_EQ(ran, 1);
  }
}

TEST(queue_errors, the_last_handle_may_go_with_a_kernel) {
  for (int i = 0; i < 50; ++i) {
    std::atomic<int> ran{0};
    lf::event last;
    {
      std::optional<lf::queue> q(std::in_place, lf::property_list{lf::property::in_order{}});
      q->single_task([held = *q, &ran] { ++ran; });
      last = q->single_task([&ran] { ++ran; });
      q.reset(); // the last one, or the kernel's is
      last.wait();
    }
    EXPECT_EQ(ran, 2);
  }
}

TEST(queue_errors, kernels_may_submit) {
  lf::queue q;
  std::atomic<int> ran{0};
  q.single_task([&] { q.single_task([&] { ++ran; }); });
  q.wait();
  EXPECT_EQ(ran, 1);
}

} // namespace
