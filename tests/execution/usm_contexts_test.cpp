// SPDX-License-Identifier: Apache-2.0
/// USM with queues, devices and contexts: whom memory belongs to, containers, hints.
#include "thrown.hpp"

#include <lanefold/execution.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <list>
#include <numeric>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace lf = lanefold;

namespace {

using lf::usm::alloc;

TEST(usm_contexts, every_form_takes_queue_or_device_and_context) {
  const lf::queue q;
  const lf::device d = q.get_device();
  const lf::context c;
  const lf::property_list none;
  const std::vector<std::pair<void*, alloc>> of_context = {
      {lf::malloc_device(64, d, c), alloc::device},
      {lf::malloc_device<int>(64, d, c, none), alloc::device},
      {lf::aligned_alloc_device(128, 64, d, c, none), alloc::device},
      {lf::malloc_host(64, c), alloc::host},
      {lf::malloc_host<int>(64, c, none), alloc::host},
      {lf::aligned_alloc_host<int>(128, 64, c), alloc::host},
      {lf::malloc_shared(64, d, c), alloc::shared},
      {lf::malloc_shared<int>(64, d, c, none), alloc::shared},
      {lf::aligned_alloc_shared<int>(128, 64, d, c), alloc::shared},
      {lf::malloc(64, d, c, alloc::shared), alloc::shared},
      {lf::malloc<int>(64, d, c, alloc::host, none), alloc::host},
      {lf::aligned_alloc(128, 64, d, c, alloc::device), alloc::device},
      {lf::aligned_alloc<int>(128, 64, d, c, alloc::device, none), alloc::device},
  };
  for (const auto& [memory, kind] : of_context) {
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(lf::get_pointer_type(memory, c), kind);
    EXPECT_EQ(lf::get_pointer_device(memory, c), d);
    EXPECT_EQ(lf::get_pointer_type(memory, q.get_context()), alloc::unknown);
    EXPECT_NE(text_thrown_by([&, m = memory] { std::ignore = lf::get_pointer_device(m, q.get_context()); },
                             lf::errc::invalid),
              "");
    lf::free(memory, c);
  }
  const std::vector<void*> of_queue = {
      lf::malloc_device(64, q, none),           lf::malloc_host<int>(64, q, none),
      lf::malloc_shared<int>(64, q, none),      lf::malloc(64, q, alloc::shared, none),
      lf::malloc<int>(64, q, alloc::host),      lf::aligned_alloc_shared(64, 64, q, none),
      lf::aligned_alloc(64, 64, q, alloc::host)};
  for (void* const memory : of_queue) {
    ASSERT_NE(memory, nullptr);
    EXPECT_NE(lf::get_pointer_type(memory, q), alloc::unknown);
    lf::free(memory, q.get_context());
  }
}

TEST(usm_contexts, free_refuses_memory_of_another_context) {
  const lf::context mine, other;
  const lf::queue of_mine(mine, lf::device()), of_other(other, lf::device()), of_default;
  int* const memory = lf::malloc_shared<int>(100, of_mine);
  for (const std::string& text : {text_thrown_by([&] { lf::free(memory, other); }, lf::errc::invalid),
                                  text_thrown_by([&] { lf::free(memory, of_other); }, lf::errc::invalid),
                                  text_thrown_by([&] { lf::free(memory, of_default); }, lf::errc::invalid)}) {
    EXPECT_NE(text.find("another context"), std::string::npos) << text;
  }
  memory[99] = 1; // it was not freed
  EXPECT_EQ(lf::get_pointer_type(memory, of_mine), alloc::shared);
  EXPECT_EQ(lf::get_pointer_type(memory, of_other), alloc::unknown);
  lf::free(memory, mine);
}

/// Handles of the same context are the same place, also after the first has gone; a new context never takes its place.
TEST(usm_contexts, are_known_by_a_number_of_their_own) {
  void* memory = nullptr;
  {
    const lf::context gone;
    memory = lf::malloc_host(64, gone);
    const lf::context copy = gone; // NOLINT: a second handle
    EXPECT_EQ(lf::get_pointer_type(memory, copy), alloc::host);
  }
  for (int i = 0; i < 100; ++i) {
    const lf::context later;
    EXPECT_EQ(lf::get_pointer_type(memory, later), alloc::unknown);
  }
  lf::detail::usm_free(memory, 0);
}

/// On the CPU kernels reach all memory of the process, whatever its context.
TEST(usm_contexts, kernels_reach_memory_of_all) {
  const lf::context c;
  int* const memory = lf::malloc_device<int>(1000, lf::device(), c);
  lf::queue q;
  q.parallel_for(lf::range<1>(1000), [=](lf::id<1> i) { memory[i] = static_cast<int>(i); }).wait();
  EXPECT_EQ(std::accumulate(memory, memory + 1000, 0), 499500);
  lf::free(memory, c);
}

TEST(usm_allocator, serves_containers) {
  lf::queue q;
  using allocator = lf::usm_allocator<int, alloc::shared>;
  const allocator a(q);
  {
    std::vector<int, allocator> v(1000, 7, a);
    int* const data = v.data();
    EXPECT_EQ(lf::get_pointer_type(data, q), alloc::shared);
    q.parallel_for(lf::range<1>(v.size()), [=](lf::id<1> i) { data[i] += static_cast<int>(i); }).wait();
    for (std::size_t i = 0; i < v.size(); ++i) {
      ASSERT_EQ(v[i], static_cast<int>(i) + 7);
    }
    v.resize(5000);
    std::vector<int, allocator> moved = std::move(v);
    EXPECT_EQ(moved.size(), 5000U);
    std::list<int, allocator> nodes(a); // rebinds
    nodes.push_back(3);
    EXPECT_EQ(lf::get_pointer_type(&nodes.front(), q), alloc::shared);
  }
  const std::vector<int, allocator> from_queue(10, 3, q);
  EXPECT_EQ(lf::get_pointer_type(from_queue.data(), q), alloc::shared);
  lf::usm_allocator<double, alloc::host, 4096> wide(q.get_context(), q.get_device());
  double* const memory = wide.allocate(3);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 4096, 0U);
  EXPECT_EQ(lf::get_pointer_type(memory, q), alloc::host);
  wide.deallocate(memory, 3);
}

/// Calls `free` while a kernel waits, and returns whether the kernel was complete when that returned.
template <class Free>
bool is_complete_after(lf::queue& q, const Free& free) {
  std::atomic<bool> go{false}, complete{false};
  q.single_task([&] {
    while (!go) {
      std::this_thread::yield();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    complete = true;
  });
  go = true;
  free();
  const bool was_complete = complete;
  q.wait_and_throw();
  return was_complete;
}

TEST(usm_free, waits_for_the_commands_of_its_queue) {
  lf::queue q;
  int* const memory = lf::malloc_shared<int>(1, q);
  EXPECT_TRUE(is_complete_after(q, [&] { lf::free(memory, q); }));
  EXPECT_TRUE(is_complete_after(q, [&] {
    using allocator = lf::usm_allocator<int, alloc::shared>;
    const std::vector<int, allocator> of_queue(100, 0, allocator(q));
    const std::list<int, allocator> rebound(3, 0, allocator(q));
  }));
}

TEST(usm_free, does_not_wait_for_the_command_that_calls_it) {
  lf::queue q;
  using allocator = lf::usm_allocator<int, alloc::shared>;
  std::size_t sum = 0;
  q.submit([&](lf::handler& h) {
    h.host_task([&] {
      const std::vector<int, allocator> inside(100, 1, allocator(q));
      sum = std::accumulate(inside.begin(), inside.end(), std::size_t{0});
    });
  });
  q.wait_and_throw();
  EXPECT_EQ(sum, 100u);
}

TEST(usm_free, works_when_the_queue_has_gone) {
  using allocator = lf::usm_allocator<int, alloc::host>;
  const std::vector<int, allocator> kept = [] {
    lf::queue q;
    return std::vector<int, allocator>(100, 7, allocator(q));
  }();
  EXPECT_EQ(kept.back(), 7);
}

TEST(usm_allocator, is_equal_within_a_context) {
  const lf::queue q;
  const lf::context other;
  const lf::usm_allocator<int, alloc::shared> a(q), b(q.get_context(), q.get_device()), c(other, q.get_device());
  const lf::usm_allocator<double, alloc::shared> d(a);
  EXPECT_TRUE(a == b);
  EXPECT_TRUE(a == d);
  EXPECT_FALSE(a == c);
  EXPECT_FALSE((a == lf::usm_allocator<int, alloc::host>(q)));
  EXPECT_FALSE((a == lf::usm_allocator<int, alloc::shared, 128>(q)));
  static_assert(!std::is_default_constructible_v<lf::usm_allocator<int, alloc::shared>>);
}

TEST(usm_allocator, says_when_there_is_no_memory) {
  lf::usm_allocator<double, alloc::shared> a{lf::queue()};
  try {
    std::ignore = a.allocate(std::numeric_limits<std::size_t>::max() / 4);
    FAIL() << "nothing was thrown";
  } catch (const lf::exception& e) {
    EXPECT_EQ(e.code(), lf::errc::memory_allocation);
  }
}

/// Hints are commands: they wait for what they depend on, and others wait for them.
TEST(usm_hints, change_nothing_and_keep_their_place) {
  lf::queue q;
  int* const memory = lf::malloc_shared<int>(100000, q);
  const lf::event filled = q.fill(memory, 5, 100000);
  const lf::event fetched = q.prefetch(memory, 100000 * sizeof(int), filled);
  const lf::event advised = q.mem_advise(memory + 7, 1000, 0, {fetched});
  q.submit([&](lf::handler& h) {
     h.depends_on(advised);
     h.prefetch(memory + 1, 100);
   }).wait();
  q.submit([&](lf::handler& h) { h.mem_advise(memory, 100, 3); }).wait();
  q.prefetch(nullptr, 0).wait();
  for (int i = 0; i < 100000; ++i) {
    ASSERT_EQ(memory[i], 5);
  }
  EXPECT_NE(text_thrown_by([&] { q.prefetch(nullptr, 1); }, lf::errc::invalid), "");
  EXPECT_NE(text_thrown_by([&] { q.mem_advise(nullptr, 1, 0); }, lf::errc::invalid), "");
  lf::free(memory, q);
}

} // namespace
