// SPDX-License-Identifier: Apache-2.0
// Memory operations of queues.

#include "thrown.hpp"

#include <lanefold/execution/kernels.hpp>
#include <lanefold/execution/queue.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

namespace lf = lanefold;

namespace {

TEST(queue, memory_operations) {
  lf::queue q{lf::property::in_order{}};
  // Around the size of the pieces that threads share, and larger.
  for (const std::size_t n : {std::size_t{1}, std::size_t{1000}, std::size_t{262143}, std::size_t{262144},
                              std::size_t{262145}, std::size_t{3000001}}) {
    auto* const from = lf::malloc_host<unsigned char>(n, q);
    auto* const to = lf::malloc_device<unsigned char>(n + 2, q);
    ASSERT_NE(from, nullptr);
    ASSERT_NE(to, nullptr);
    for (std::size_t i = 0; i < n; ++i) {
      from[i] = static_cast<unsigned char>(i * 7 + i / 251);
    }
    q.memset(to, 0x1ee, n + 2); // the low byte counts
    q.memcpy(to + 1, from, n).wait();
    EXPECT_EQ(to[0], 0xee);
    EXPECT_EQ(to[n + 1], 0xee);
    EXPECT_TRUE(std::equal(from, from + n, to + 1));
    q.fill(to, static_cast<unsigned char>(3), n);
    q.copy(to, from, n);
    q.wait();
    EXPECT_TRUE(std::all_of(from, from + n, [](unsigned char c) { return c == 3; }));
    lf::free(from, q);
    lf::free(to, q);
  }
}

template <std::size_t Width>
void check_fill(lf::queue& q) {
  using pattern = std::array<unsigned char, Width>;
  pattern rising, equal, last_differs, behind;
  std::iota(rising.begin(), rising.end(), static_cast<unsigned char>(1));
  equal.fill(3);
  last_differs = equal;
  last_differs.back() = 4;
  behind.fill(9);
  for (const pattern& p : {rising, equal, last_differs}) {
    for (const std::size_t count : {std::size_t{1}, std::size_t{100}, 600000 / Width + 3}) {
      std::vector<pattern> out(count + 1, behind);
      q.fill(out.data(), p, count).wait();
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(out[i], p) << Width << " bytes, element " << i;
      }
      ASSERT_EQ(out[count], behind);
    }
  }
}

TEST(queue, fill_with_patterns_of_any_width) {
  lf::queue q;
  check_fill<1>(q);
  check_fill<2>(q);
  check_fill<3>(q);
  check_fill<8>(q);
  check_fill<24>(q);
  check_fill<1000>(q);
  check_fill<5000>(q);
}

TEST(queue, memory_operations_wait_for_events) {
  lf::queue q;
  std::vector<int> a(1000), b(1000), c(1000);
  const lf::event slow = q.single_task([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::iota(a.begin(), a.end(), 1);
  });
  const lf::event e1 = q.memcpy(b.data(), a.data(), a.size() * sizeof(int), slow);
  const lf::event e2 = q.copy(b.data(), c.data(), b.size(), std::vector<lf::event>{e1, slow});
  const lf::event e3 = q.fill(a.data(), 0, a.size(), e2);
  const lf::event e4 = q.memset(b.data(), 0, b.size() * sizeof(int), {e2, e3});
  q.fill(a.data(), 5, 1, std::vector<lf::event>{e4});
  q.copy(a.data() + 1, a.data() + 2, 1, e4);
  q.wait();
  EXPECT_EQ(c[0], 1);
  EXPECT_EQ(c[999], 1000);
  EXPECT_EQ(a[0], 5);
  EXPECT_EQ(a[999], 0);
  EXPECT_EQ(b[999], 0);
}

lf::info::event_command_status status_of(const lf::event& of) {
  return of.get_info<lf::info::event::command_execution_status>();
}

/// Who submits a small copy, fill or barrier that waits for nothing has it done at once: a worker would be woken for
/// it.
TEST(queue, small_memory_operations_that_wait_for_nothing_are_done_at_once) {
  using enum lf::info::event_command_status;
  for (const lf::property_list& order : {lf::property_list{}, lf::property_list{lf::property::in_order{}}}) {
    lf::queue q(order);
    std::vector<int> x(100, 1);
    std::vector<int> y(100);
    EXPECT_EQ(status_of(q.memcpy(y.data(), x.data(), 400)), complete);
    EXPECT_EQ(y.back(), 1);
    EXPECT_EQ(status_of(q.memset(y.data(), 0, 400)), complete);
    EXPECT_EQ(status_of(q.fill(x.data(), 7, 100)), complete);
    EXPECT_EQ(status_of(q.ext_oneapi_submit_barrier()), complete);
    EXPECT_EQ(y.back(), 0);
    EXPECT_EQ(x.back(), 7);
  }
}

TEST(queue, small_memory_operations_keep_the_order) {
  lf::queue q{lf::property::in_order{}};
  lf::queue other;
  std::atomic<bool> may_go{false};
  int x = 0;
  int y = 0;
  const lf::event first = q.single_task([&] {
    while (!may_go) {
      std::this_thread::yield();
    }
    x = 1;
  });
  lf::event copied = q.memcpy(&y, &x, sizeof(int));
  const lf::event of_other = other.memset(&y, 0xff, sizeof(int), copied);
  EXPECT_NE(status_of(copied), lf::info::event_command_status::complete);
  EXPECT_NE(status_of(of_other), lf::info::event_command_status::complete);
  EXPECT_EQ(y, 0);
  may_go = true;
  copied.wait();
  other.wait();
  EXPECT_EQ(y, -1);
  q.wait();
}

TEST(queue, small_memory_operations_of_host_tasks) {
  lf::queue q;
  int x = 5;
  int y = 0;
  lf::event copied;
  q.submit([&](lf::handler& h) { h.host_task([&] { copied = q.memcpy(&y, &x, sizeof(int)); }); }).wait();
  copied.wait();
  EXPECT_EQ(y, 5);
}

TEST(queue, memory_operations_that_cannot_be) {
  lf::queue q;
  int x = 0;
  EXPECT_MENTIONS(text_thrown_by([&] { q.memcpy(nullptr, &x, 4); }, lf::errc::invalid), "null");
  EXPECT_MENTIONS(text_thrown_by([&] { q.memcpy(&x, nullptr, 4); }, lf::errc::invalid), "null");
  EXPECT_MENTIONS(text_thrown_by([&] { q.memset(nullptr, 0, 4); }, lf::errc::invalid), "memset: a pointer is null");
  EXPECT_MENTIONS(text_thrown_by([&] { q.fill(nullptr, 1.0, 4); }, lf::errc::invalid), "null");
  constexpr std::size_t huge = std::numeric_limits<std::size_t>::max() / 2;
  EXPECT_MENTIONS(text_thrown_by([&] { q.fill(&x, 1.0, huge); }, lf::errc::invalid), "more than memory");
  EXPECT_MENTIONS(text_thrown_by([&] { q.copy(&x, &x, huge); }, lf::errc::invalid), "more than memory");
  q.wait();
}

TEST(queue, usm_of_every_kind) {
  lf::queue q;
  auto* const x = lf::malloc_shared<float>(1000, q);
  auto* const y = lf::malloc_device<float>(1000, q.get_device(), q);
  EXPECT_EQ(lf::get_pointer_type(x, q), lf::usm::alloc::shared);
  q.fill(x, 2.0f, 1000).wait();
  q.parallel_for(lf::range<1>(1000), [=](lf::id<1> i) { y[i] = x[i] * 3; }).wait();
  EXPECT_EQ(y[999], 6.0f);
  lf::free(x, q);
  lf::free(y, q);
  EXPECT_THROW(lf::free(y, q), lf::exception);
}

} // namespace
