// SPDX-License-Identifier: Apache-2.0
// Pools of USM: what is used again and when, limits, statistics, misuse.
#include "sanitized.hpp"
#include "thrown.hpp"

#include <lanefold/execution.hpp>
#include <lanefold/memory.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

namespace lf = lanefold;
using lf::errc;

namespace {

constexpr std::size_t kib = 1024;
const lf::property_list in_order{lf::property::in_order(), lf::property::threads(2)};

/// A task of a queue that lasts until it is told to end.
class gate {
public:
  explicit gate(lf::queue& q) {
    q.submit([&](lf::handler& h) {
      h.host_task([open = m_open] {
        while (!*open) {
          std::this_thread::yield();
        }
      });
    });
  }
  gate(const gate&) = delete;
  gate& operator=(const gate&) = delete;
  ~gate() { open(); }
  void open() { *m_open = true; }

private:
  std::shared_ptr<std::atomic<bool>> m_open = std::make_shared<std::atomic<bool>>(false);
};

TEST(memory_pool, a_block_is_used_again_at_once_in_the_order_of_its_queue) {
  lf::queue q(in_order);
  const lf::memory_pool pool(q, lf::usm::alloc::device);
  gate busy(q);
  void* const first = lf::async_malloc_from_pool(q, 100 * kib, pool);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(lf::get_pointer_type(first, q.get_context()), lf::usm::alloc::device);
  auto* const x = static_cast<int*>(first);
  q.parallel_for(lf::range<1>(1000), [=](lf::id<1> i) { x[i[0]] = 1; });
  lf::async_free(q, first);
  EXPECT_EQ(pool.get_used_size_current(), 0U);
  void* const second = lf::async_malloc_from_pool(q, 90 * kib, pool);
  EXPECT_EQ(second, first); // though nothing has run
  q.parallel_for(lf::range<1>(1000), [=](lf::id<1> i) { x[i[0]] += 1; });
  busy.open();
  q.wait();
  EXPECT_EQ(x[999], 2);
  lf::async_free(q, second);
  const lf::memory_pool_statistics seen = pool.get_statistics();
  EXPECT_EQ(seen.allocations, 2U);
  EXPECT_EQ(seen.reused, 1U);
  EXPECT_EQ(seen.used_high, seen.reserved_high);
  EXPECT_GE(seen.used_high, 100 * kib);
}

TEST(memory_pool, other_queues_get_a_block_when_its_commands_are_complete) {
  lf::queue q(in_order), other(in_order);
  const lf::memory_pool pool(q, lf::usm::alloc::shared);
  void* const first = lf::async_malloc_from_pool(q, 10 * kib, pool);
  {
    gate busy(q);
    lf::async_free(q, first);
    void* const elsewhere = lf::async_malloc_from_pool(other, 10 * kib, pool);
    EXPECT_NE(elsewhere, first);
    lf::async_free(other, elsewhere);
  }
  q.wait();
  other.wait();
  void* const again = lf::async_malloc_from_pool(other, 10 * kib, pool);
  void* const both = lf::async_malloc_from_pool(other, 10 * kib, pool);
  EXPECT_EQ(pool.get_statistics().reused, 2U);
  lf::async_free(other, again);
  lf::async_free(other, both);
}

TEST(memory_pool, queues_without_order_use_a_block_again_when_they_have_nothing_to_do) {
  lf::queue q;
  const lf::memory_pool pool(q, lf::usm::alloc::device);
  void* const first = lf::async_malloc_from_pool(q, 10 * kib, pool);
  void* second = nullptr;
  {
    gate busy(q);
    lf::async_free(q, first);
    second = lf::async_malloc_from_pool(q, 10 * kib, pool);
    EXPECT_NE(second, first);
  }
  q.wait();
  lf::async_free(q, second);
  EXPECT_NE(lf::async_malloc_from_pool(q, 10 * kib, pool), nullptr); // it is never freed: the pool lives on with it
  EXPECT_EQ(pool.get_statistics().reused, 1U);
}

TEST(memory_pool, command_groups_allocate_and_free) {
  lf::queue q;
  const lf::memory_pool pool(q, lf::usm::alloc::device);
  void* memory = nullptr;
  const lf::event allocated = q.submit([&](lf::handler& h) { memory = lf::async_malloc_from_pool(h, 4 * kib, pool); });
  std::atomic<bool> open{false};
  const lf::event used = q.submit([&](lf::handler& h) {
    h.depends_on(allocated);
    h.host_task([&, memory] {
      while (!open) {
        std::this_thread::yield();
      }
      std::memset(memory, 1, 4 * kib);
    });
  });
  lf::event freed = q.submit([&](lf::handler& h) {
    h.depends_on(used);
    lf::async_free(h, memory);
  });
  EXPECT_EQ(pool.get_used_size_current(), 4 * kib);
  open = true;
  freed.wait();
  EXPECT_EQ(pool.get_used_size_current(), 0U);
  void* again = nullptr;
  q.submit([&](lf::handler& h) { again = lf::async_malloc_from_pool(h, 4 * kib, pool); }).wait();
  EXPECT_EQ(again, memory);
  lf::async_free(q, again);
}

TEST(memory_pool, a_free_that_is_refused_or_never_submitted_changes_nothing) {
  lf::queue q;
  const lf::memory_pool pool(q, lf::usm::alloc::shared);
  void* const memory = lf::async_malloc_from_pool(q, kib, pool);
  q.submit([&](lf::handler& h) {
     h.host_task([] {});
     EXPECT_EQ(code_thrown_by([&] { lf::async_free(h, memory); }), errc::invalid);
   }).wait();
  EXPECT_EQ(pool.get_used_size_current(), kib);
  EXPECT_THROW(q.submit([&](lf::handler& h) {
    lf::async_free(h, memory);
    throw std::runtime_error("the command group ends");
  }),
               std::runtime_error);
  EXPECT_EQ(pool.get_used_size_current(), kib);
  q.submit([&](lf::handler& h) { lf::async_free(h, memory); }).wait();
  EXPECT_EQ(pool.get_used_size_current(), 0U);
}

TEST(memory_pool, sizes_that_do_not_fit_are_reserved_and_others_given_back) {
  lf::queue q(in_order);
  const lf::memory_pool pool(q, lf::usm::alloc::device);
  const auto once = [&](std::size_t bytes) {
    void* const memory = lf::async_malloc_from_pool(q, bytes, pool);
    lf::async_free(q, memory);
    q.wait();
  };
  once(10 * kib);
  once(100 * kib); // the small one goes
  EXPECT_EQ(pool.get_statistics().reused, 0U);
  EXPECT_EQ(pool.get_reserved_size_current(), 100 * kib);
  EXPECT_EQ(pool.get_statistics().released, 1U);
  once(10 * kib); // the large one is more than twice as large, and goes
  EXPECT_EQ(pool.get_reserved_size_current(), 10 * kib);

  lf::memory_pool keeps(q, lf::usm::alloc::device, lf::property::memory_pool::initial_threshold(200 * kib));
  EXPECT_EQ(keeps.get_threshold(), 200 * kib);
  for (const std::size_t bytes : {10 * kib, 100 * kib, 10 * kib, 100 * kib}) {
    lf::async_free(q, lf::async_malloc_from_pool(q, bytes, keeps));
    q.wait();
  }
  EXPECT_EQ(keeps.get_statistics().reused, 2U);
  EXPECT_EQ(keeps.get_reserved_size_current(), 110 * kib);
  keeps.trim_to(50 * kib);
  EXPECT_EQ(keeps.get_reserved_size_current(), 10 * kib);
  keeps.trim_to(0);
  EXPECT_EQ(keeps.get_reserved_size_current(), 0U);
  keeps.increase_threshold_to(1);
  EXPECT_EQ(keeps.get_threshold(), 200 * kib);
}

TEST(memory_pool, what_is_busy_is_not_given_back) {
  lf::queue q(in_order);
  lf::memory_pool pool(q, lf::usm::alloc::device);
  void* const memory = lf::async_malloc_from_pool(q, 10 * kib, pool);
  gate busy(q);
  lf::async_free(q, memory);
  pool.trim_to(0);
  EXPECT_EQ(pool.get_reserved_size_current(), 10 * kib);
  busy.open();
  q.wait();
  pool.trim_to(0);
  EXPECT_EQ(pool.get_reserved_size_current(), 0U);
}

TEST(memory_pool, the_maximum_size_bounds_it) {
  lf::queue q(in_order);
  const lf::memory_pool pool(q, lf::usm::alloc::device, lf::property::memory_pool::maximum_size(100 * kib));
  void* const first = lf::async_malloc_from_pool(q, 60 * kib, pool);
  EXPECT_EQ(code_thrown_by([&] { (void)lf::async_malloc_from_pool(q, 60 * kib, pool); }), errc::memory_allocation);
  EXPECT_EQ(code_thrown_by([&] { (void)lf::async_malloc_from_pool(q, 200 * kib, pool); }), errc::memory_allocation);
  EXPECT_EQ(pool.get_reserved_size_current(), 60 * kib);
  lf::async_free(q, first);
  q.wait();
  void* const second = lf::async_malloc_from_pool(q, 100 * kib, pool); // in place of the first one
  EXPECT_NE(second, nullptr);
  lf::async_free(q, second);
  EXPECT_EQ(code_thrown_by([&] { (void)lf::async_malloc_from_pool(q, SIZE_MAX, pool); }), errc::memory_allocation);
#if !defined(LANEFOLD_TEST_SANITIZED) // sanitizers end the program
  const lf::memory_pool unbounded(q, lf::usm::alloc::device);
  EXPECT_EQ(code_thrown_by([&] { (void)lf::async_malloc_from_pool(q, SIZE_MAX / 4, unbounded); }),
            errc::memory_allocation);
  EXPECT_EQ(unbounded.get_reserved_size_current(), 0U);
#endif
}

/// Gives a context memory that is not zero, as memory is that was used before.
class used_memory final : public lf::detail::usm_source {
public:
  explicit used_memory(const lf::context& of) : m_context(of) {
    lf::detail::add_usm_source(m_context.usm_context(), *this);
  }
  used_memory(const used_memory&) = delete;
  used_memory& operator=(const used_memory&) = delete;
  ~used_memory() { lf::detail::remove_usm_source(m_context.usm_context()); }

  void* allocate(std::size_t bytes, std::size_t /*alignment*/, lf::usm::alloc /*kind*/) override {
    void* const memory = std::malloc(bytes);
    return memory == nullptr ? nullptr : std::memset(memory, 0xff, bytes);
  }
  void free(void* memory) noexcept override { std::free(memory); }

private:
  lf::context m_context;
};

TEST(memory_pool, new_memory_is_zero_where_it_is_asked_for) {
  constexpr std::size_t count = 100;
  const lf::context where;
  const used_memory source(where);
  for (const bool ordered : {true, false}) {
    lf::queue q(where, lf::device(), ordered ? in_order : lf::property_list());
    const lf::memory_pool as_it_is(q, lf::usm::alloc::shared);
    const lf::memory_pool pool(q, lf::usm::alloc::shared, lf::property::memory_pool::zero_init());
    const auto allocate = [&](const lf::memory_pool& from) {
      return static_cast<int*>(lf::async_malloc_from_pool(q, count * sizeof(int), from));
    };
    int* const used = allocate(as_it_is);
    int* const x = allocate(pool);
    int* y = nullptr;
    q.submit([&](lf::handler& h) { y = static_cast<int*>(lf::async_malloc_from_pool(h, count * sizeof(int), pool)); });
    q.wait();
    EXPECT_EQ(used[count - 1], -1);
    EXPECT_EQ(std::vector<int>(x, x + count), std::vector<int>(count, 0));
    EXPECT_EQ(std::vector<int>(y, y + count), std::vector<int>(count, 0));
    x[0] = 5;
    lf::async_free(q, x);
    EXPECT_EQ(allocate(pool), x);
    EXPECT_EQ(x[0], 5); // it is new no more
    for (int* const each : {used, x, y}) {
      lf::async_free(q, each);
    }
    q.wait();
  }
}

TEST(memory_pool, a_block_that_cannot_be_made_zero_is_not_allocated) {
  lf::queue q;
  const lf::memory_pool pool(q, lf::usm::alloc::shared, lf::property::memory_pool::zero_init());
  q.submit([&](lf::handler& h) {
     h.host_task([] {}); // the group has its action
     EXPECT_EQ(code_thrown_by([&] { (void)lf::async_malloc_from_pool(h, kib, pool); }), errc::invalid);
   }).wait();
  EXPECT_EQ(pool.get_used_size_current(), 0U);
  EXPECT_EQ(pool.get_reserved_size_current(), 0U);
  const lf::memory_pool_statistics seen = pool.get_statistics();
  EXPECT_EQ(seen.allocations, 0U);
  EXPECT_EQ(seen.used_high, 0U);
  EXPECT_EQ(seen.reserved_high, 0U);
  q.submit([&](lf::handler& h) {
     h.host_task(
         [&] { EXPECT_EQ(code_thrown_by([&] { (void)lf::async_malloc_from_pool(q, kib, pool); }), errc::invalid); });
   }).wait();
  EXPECT_EQ(pool.get_reserved_size_current(), 0U);
}

TEST(memory_pool, default_pools_are_those_of_context_device_and_kind) {
  lf::queue q(in_order);
  void* const memory = lf::async_malloc(q, lf::usm::alloc::device, 3 * kib);
  const lf::memory_pool of_device =
      q.get_context().ext_oneapi_get_default_memory_pool(q.get_device(), lf::usm::alloc::device);
  EXPECT_GE(of_device.get_used_size_current(), 3 * kib);
  EXPECT_EQ(of_device.get_alloc_kind(), lf::usm::alloc::device);
  EXPECT_EQ(of_device.get_device(), q.get_device());
  EXPECT_EQ(of_device.get_context(), q.get_context());
  lf::async_free(q, memory);
  const lf::memory_pool of_host = q.get_context().ext_oneapi_get_default_memory_pool(lf::usm::alloc::host);
  EXPECT_FALSE(of_host == of_device);
  lf::async_free(q, lf::async_malloc(q, lf::usm::alloc::host, kib));
  EXPECT_EQ(of_host.get_statistics().allocations, 1U);
  EXPECT_EQ(lf::async_malloc(q, lf::usm::alloc::host, 0), nullptr);
  lf::async_free(q, nullptr);
}

TEST(memory_pool, misuse_is_refused) {
  lf::queue q(in_order);
  const lf::context where;
  const lf::memory_pool pool(q, lf::usm::alloc::device), stranger(where, q.get_device(), lf::usm::alloc::device);
  using kind = lf::usm::alloc;
  EXPECT_EQ(code_thrown_by([&] { (void)lf::memory_pool(q, kind::unknown); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { (void)lf::memory_pool(where, kind::device); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { (void)lf::memory_pool(where, q.get_device(), kind::host); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { (void)lf::async_malloc(q, kind::unknown, 1); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { (void)lf::async_malloc_from_pool(q, 1, stranger); }), errc::invalid);
  int local = 0;
  EXPECT_EQ(code_thrown_by([&] { lf::async_free(q, &local); }), errc::invalid);
  void* const memory = lf::async_malloc_from_pool(q, 1, pool);
  lf::queue elsewhere(where, q.get_device());
  EXPECT_EQ(code_thrown_by([&] { lf::async_free(elsewhere, memory); }), errc::invalid);
  lf::async_free(q, memory);
  EXPECT_EQ(code_thrown_by([&] { lf::async_free(q, memory); }), errc::invalid);
}

TEST(memory_pool, threads_allocate_and_free_and_never_share_a_block) {
  const lf::context where;
  const lf::device on;
  const lf::memory_pool pool(where, on, lf::usm::alloc::device);
  std::atomic<int> wrong{0};
  const auto work = [&](std::uint32_t seed) {
    lf::queue q(where, on, lf::property_list{lf::property::in_order(), lf::property::threads(1)});
    std::minstd_rand random(seed);
    for (int i = 0; i < 300; ++i) {
      const std::size_t count = 1 + random() % 5000;
      auto* const x = static_cast<std::uint32_t*>(lf::async_malloc_from_pool(q, count * sizeof(std::uint32_t), pool));
      const std::uint32_t mark = random();
      q.parallel_for(lf::range<1>(count), [=](lf::id<1> at) { x[at[0]] = mark; });
      q.parallel_for(lf::range<1>(count), [=, &wrong](lf::id<1> at) { wrong += x[at[0]] == mark ? 0 : 1; });
      lf::async_free(q, x);
      if (random() % 16 == 0) {
        q.wait();
      }
    }
    q.wait();
  };
  std::vector<std::thread> threads;
  for (std::uint32_t t = 1; t <= 3; ++t) {
    threads.emplace_back(work, t);
  }
  for (std::thread& t : threads) {
    t.join();
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(pool.get_used_size_current(), 0U);
  EXPECT_GT(pool.get_statistics().reused, 600U);
}

TEST(memory_pool, all_goes_back_with_the_last_handle) {
  const std::size_t before = lf::detail::usm_in_use().bytes;
  {
    lf::queue q(in_order);
    const lf::memory_pool pool(q, lf::usm::alloc::device);
    auto* const x = static_cast<int*>(lf::async_malloc_from_pool(q, kib, pool));
    q.parallel_for(lf::range<1>(kib / sizeof(int)), [=](lf::id<1> i) { x[i[0]] = 1; });
    lf::async_free(q, x);
    EXPECT_GT(lf::detail::usm_in_use().bytes, before);
  }
  EXPECT_EQ(lf::detail::usm_in_use().bytes, before);
}

} // namespace
