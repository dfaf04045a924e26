// SPDX-License-Identifier: Apache-2.0
// The stacks of suspended units: how many, how large, what they cost, and what happens at their end.
#include "fiber_harness.hpp"

#include "../../modules/execution/fibers/src/sanitizer.hpp"
#include "../../modules/execution/fibers/src/stack_pool.hpp"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

namespace {

using namespace fiber_harness;
using detail::stack_pool;

std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

std::size_t resident_bytes(const std::byte* first, const std::byte* last) {
  const std::size_t page = page_bytes();
  const auto begin = reinterpret_cast<std::uintptr_t>(first) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(last) + page - 1) / page * page;
  std::vector<unsigned char> pages((end - begin) / page);
  if (mincore(reinterpret_cast<void*>(begin), end - begin, pages.data()) != 0) {
    return SIZE_MAX;
  }
  return page *
         static_cast<std::size_t>(std::count_if(pages.begin(), pages.end(), [](auto p) { return (p & 1) != 0; }));
}

std::size_t offset_in_page(const std::byte* address) { return reinterpret_cast<std::uintptr_t>(address) % 4096; }

TEST(fiber_stacks, have_the_size_that_was_asked_for) {
  stack_pool pool;
  pool.reserve(3, 100'000);
  ASSERT_EQ(pool.size(), 3U);
  EXPECT_GE(pool.bytes(), 100'000U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_GE(pool.top(i), pool.bottom(i) + pool.bytes());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pool.top(i)) % 64, 0U);
    std::memset(pool.bottom(i), static_cast<int>(i), static_cast<std::size_t>(pool.top(i) - pool.bottom(i)));
  }
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(*pool.bottom(i), std::byte(i));
    EXPECT_EQ(*(pool.top(i) - 1), std::byte(i));
  }
}

TEST(fiber_stacks, stay_when_more_are_needed) {
  stack_pool pool;
  pool.reserve(2, 65536);
  std::byte* first = pool.top(0);
  pool.reserve(100, 65536);
  EXPECT_EQ(pool.size(), 100U);
  EXPECT_EQ(pool.top(0), first);
  pool.reserve(10, 32768);
  EXPECT_EQ(pool.size(), 100U);
  EXPECT_EQ(pool.top(0), first);
  pool.reserve(10, 131072);
  EXPECT_EQ(pool.size(), 10U);
  EXPECT_GE(pool.bytes(), 131072U);
}

TEST(fiber_stacks, of_neighbours_begin_at_different_cache_sets) {
  stack_pool pool;
  pool.reserve(64, 65536);
  std::set<std::size_t> sets;
  for (std::size_t i = 0; i < 64; ++i) {
    sets.insert(offset_in_page(pool.top(i)) / 64);
  }
  EXPECT_EQ(sets.size(), 64U);
}

TEST(fiber_stacks, have_guard_pages) {
  stack_pool pool;
  pool.reserve(5, 65536);
  pool.reserve(12, 65536);
  EXPECT_EQ(pool.guarded(), 12U);
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(pool.find_guard(pool.bottom(i)), pool.size());
    EXPECT_EQ(pool.find_guard(pool.bottom(i) - 1), i);
    EXPECT_EQ(pool.find_guard(pool.bottom(i) - page_bytes()), i);
    EXPECT_EQ(pool.find_guard(pool.top(i) - 1), pool.size());
  }
  EXPECT_EQ(pool.find_guard(&pool), pool.size());
  EXPECT_EQ(pool.find_guard(nullptr), pool.size());
}

/// Frames that are larger than what is left of a stack end in memory that belongs to no stack.
TEST(fiber_stacks, lie_far_apart) {
  constexpr std::size_t gap = std::size_t{1} << 20;
  stack_pool pool;
  pool.reserve(5, 65536);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(pool.find_guard(pool.bottom(i) - gap), i);
    EXPECT_EQ(pool.find(pool.bottom(i)), i);
    EXPECT_EQ(pool.find(pool.end(i) - 1), i);
    EXPECT_EQ(pool.find(pool.bottom(i) - 1), pool.size());
    for (std::size_t k = 0; k < 5; ++k) {
      EXPECT_TRUE(pool.end(k) <= pool.bottom(i) - gap || pool.end(k) >= pool.end(i));
    }
  }
  EXPECT_EQ(pool.find_below(pool.bottom(0) - gap - 1), 0U);
  EXPECT_EQ(pool.find_below(pool.bottom(0)), pool.size());
}

/// The number of a stack is computed without a division.
TEST(fiber_stacks, are_found_among_many) {
  for (const std::size_t kib : {16, 64, 100, 256, 4096}) {
    stack_pool pool;
    pool.reserve(3, kib * 1024);
    pool.reserve(kib == 4096 ? 300 : 3000, kib * 1024);
    for (std::size_t i = 0; i < pool.size(); ++i) {
      ASSERT_EQ(pool.find(pool.bottom(i)), i) << kib;
      ASSERT_EQ(pool.find(pool.end(i) - 1), i) << kib;
      ASSERT_EQ(pool.find_guard(pool.bottom(i) - 1), i) << kib;
      ASSERT_EQ(pool.find(pool.bottom(i) - 1), pool.size()) << kib;
      ASSERT_EQ(pool.find_guard(pool.bottom(i)), pool.size()) << kib;
    }
  }
}

TEST(fiber_stacks, guard_pages_fault) {
  stack_pool pool;
  pool.reserve(2, 65536);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_DEATH(*static_cast<volatile std::byte*>(pool.bottom(i) - 1) = std::byte(1), "");
  }
}

TEST(fiber_stacks, cost_address_space_only) {
  stack_pool pool;
  pool.reserve(1000, 1 << 20);
  std::size_t resident = 0;
  for (std::size_t i = 0; i < pool.size(); ++i) {
    resident += resident_bytes(pool.bottom(i), pool.end(i));
  }
  EXPECT_LE(resident, 8U << 20) << "(guard pages may fill page tables, the stacks themselves must be untouched)";
}

TEST(fiber_stacks, too_many_are_an_exception) {
  stack_pool pool;
  try {
    pool.reserve(1U << 20, std::size_t{1} << 40);
    FAIL() << "nothing was thrown";
  } catch (const lf::exception& error) {
    EXPECT_EQ(error.code(), lf::errc::memory_allocation);
    EXPECT_NE(std::string(error.what()).find("LANEFOLD_STACK_SIZE"), std::string::npos);
  }
  pool.reserve(2, 65536);
  EXPECT_GE(pool.size(), 2U);
}

TEST(fiber_stacks, the_environment_sets_their_size) {
  const auto exits_with_size = [](const char* text, std::size_t expected) {
    setenv("LANEFOLD_STACK_SIZE", text, 1);
    try {
      std::exit(detail::stack_bytes(0) == expected ? 17 : 1);
    } catch (const lf::exception& error) {
      const bool right = error.code() == lf::errc::invalid && std::strstr(error.what(), text) != nullptr;
      std::exit(right && expected == 0 ? 18 : 2);
    }
  };
  testing::GTEST_FLAG(death_test_style) = "threadsafe"; // the size is read once in a process
  EXPECT_EXIT(exits_with_size("65536", 65536), testing::ExitedWithCode(17), "");
  EXPECT_EXIT(exits_with_size("128K", 131072), testing::ExitedWithCode(17), "");
  EXPECT_EXIT(exits_with_size("2M", 2097152), testing::ExitedWithCode(17), "");
  for (const char* bad : {"lots", "-1", "1", "16 K", "128KB", "99999999999999999999"}) {
    EXPECT_EXIT(exits_with_size(bad, 0), testing::ExitedWithCode(18), "") << bad;
  }
  testing::GTEST_FLAG(death_test_style) = "fast";
}

class fiber_stacks_of : public testing::TestWithParam<lf::fiber_engine> {};

// The bound of the project: 8 KiB a unit and thread, for kernels with small frames. Boost.Fiber's own frames take 6 KiB
// already, and more without optimisation.
TEST_P(fiber_stacks_of, units_with_small_frames_keep_little_memory) {
  if (detail::under_sanitizer()) {
    GTEST_SKIP() << "sanitizers make frames large";
  }
  constexpr unsigned units = 1024;
  std::thread([] { // a thread of its own has stacks of its own
    std::vector<float> values(units);
    run_groups(GetParam(), 20, units, [&values](unit_item& it) {
      float sum = 0;
      for (unsigned phase = 0; phase < 4; ++phase) {
        values[it.unit] = sum + static_cast<float>(it.unit);
        it.barrier();
        sum += values[it.units - 1 - it.unit];
        it.barrier();
      }
    });
    const stack_pool& stacks = detail::this_worker().stacks();
    ASSERT_EQ(stacks.size(), units - 1);
    std::size_t resident = 0;
    for (std::size_t i = 0; i < stacks.size(); ++i) {
      resident += resident_bytes(stacks.bottom(i), stacks.end(i));
    }
    std::cout << "resident bytes of stack a unit: " << resident / units << '\n';
    RecordProperty("resident_bytes_a_unit", static_cast<int>(resident / units));
    EXPECT_LE(resident / units, GetParam() == lf::fiber_engine::boost_fiber ? 12288U : 8192U);
  })
      .join();
}

// Frames of several hundred bytes; the compiler must not see that it could do without.
__attribute__((noinline)) unsigned recurse(unsigned depth) {
  volatile unsigned char block[300];
  block[depth % sizeof(block)] = static_cast<unsigned char>(depth);
  if (depth == 0) {
    return block[0];
  }
  return recurse(depth - 1) + block[depth % sizeof(block)];
}
volatile unsigned bottomless = 1U << 30;

TEST_P(fiber_stacks_of, exhaustion_in_a_suspended_unit_is_explained) {
  const auto overflow = [] {
    run_groups(GetParam(), 4, 8, [](unit_item& it) {
      it.barrier();
      if (it.group == 2 && it.unit == 5) {
        recurse(bottomless);
      }
      it.barrier();
    });
  };
  EXPECT_DEATH(overflow(), "lanefold: stack overflow in kernel '.*', group 2 in walking order, unit 5 of 8.*"
                           "LANEFOLD_STACK_SIZE=[0-9]+K");
}

TEST_P(fiber_stacks_of, exhaustion_in_the_last_of_many_units_is_explained) {
  const auto overflow = [] {
    run_groups(GetParam(), 1, 300, [](unit_item& it) {
      it.barrier();
      if (it.unit == 299) {
        recurse(bottomless);
      }
    });
  };
  EXPECT_DEATH(overflow(), "lanefold: stack overflow in kernel '.*', group 0 in walking order, unit 299 of 300");
}

TEST_P(fiber_stacks_of, exhaustion_of_the_threads_own_stack_is_explained) {
  const auto overflow = [] {
    run_groups(GetParam(), 3, 8, [](unit_item& it) {
      if (it.group == 1) {
        recurse(bottomless);
      }
    });
  };
  EXPECT_DEATH(overflow(),
               "lanefold: stack overflow in kernel '.*', group 1 in walking order, on the thread's own stack");
  if (!detail::under_sanitizer()) { // ThreadSanitizer allows no threads after a fork
    EXPECT_DEATH(std::thread(overflow).join(),
                 "lanefold: stack overflow in kernel '.*', group 1 in walking order, on the thread's own stack");
  }
}

// A frame much larger than a guard page: an array that a kernel fills from its low end.
__attribute__((noinline)) unsigned fill_large_frame(std::size_t bytes) {
  auto* const block = static_cast<volatile unsigned char*>(__builtin_alloca(bytes));
  for (std::size_t i = 0; i < bytes; ++i) {
    block[i] = static_cast<unsigned char>(i);
  }
  return block[bytes / 2];
}

TEST_P(fiber_stacks_of, a_frame_larger_than_the_stack_is_explained) {
  const auto overflow = [](bool suspended, unsigned unit, std::size_t bytes) {
    run_groups(GetParam(), 2, 8, [=](unit_item& it) {
      if (suspended) {
        it.barrier();
      }
      if (it.unit == unit) {
        fill_large_frame(bytes);
      }
      it.barrier();
    });
  };
  run_groups(GetParam(), 1, 8, [](unit_item& it) { it.barrier(); });
  const std::size_t size = detail::this_worker().stacks().bytes(); // launches before may have asked for more
  const std::size_t gap = std::size_t{1} << 20;
  EXPECT_DEATH(overflow(true, 5, size + 50'000), "stack overflow in kernel '.*', group 0 .* unit 5 of 8.*STACK_SIZE=");
  EXPECT_DEATH(overflow(true, 2, size + gap / 2), "stack overflow in kernel '.*', group 0 .* unit 2 of 8.*at least "
                                                  "[0-9]+\\. .*STACK_SIZE=[0-9]+K");
  if (!detail::under_sanitizer()) { // which have limits of their own
    EXPECT_DEATH(overflow(false, 0, 16 * gap), "stack overflow in kernel '.*', group 0 .*thread's own stack");
  }
}

TEST_P(fiber_stacks_of, a_unit_may_use_its_whole_stack) {
  std::size_t good = 0;
  run_groups(GetParam(), 1, 4, [&good](unit_item& it) {
    it.barrier();
    const std::size_t bytes = detail::stack_bytes(0) - 32 * 1024;
    auto* block = static_cast<volatile unsigned char*>(__builtin_alloca(bytes));
    for (std::size_t i = bytes; i > 0; i -= 512) {
      block[i - 1] = static_cast<unsigned char>(it.unit);
    }
    it.barrier();
    good += block[511] == it.unit ? 1 : 0;
  });
  EXPECT_EQ(good, 4U);
}

#if defined(__linux__)
TEST_P(fiber_stacks_of, other_faults_kill_as_before) {
  if (detail::under_sanitizer()) {
    GTEST_SKIP() << "the sanitizer reports them";
  }
  const auto fault = [] {
    run_groups(GetParam(), 1, 4, [](unit_item& it) {
      it.barrier();
      if (it.unit == 2) {
        volatile int* nowhere = nullptr;
        asm("" : "+r"(nowhere));
        *nowhere = 1;
      }
      it.barrier();
    });
  };
  EXPECT_EXIT(fault(), testing::KilledBySignal(SIGSEGV), "^$");
  EXPECT_EXIT(raise(SIGSEGV), testing::KilledBySignal(SIGSEGV), "^$");
  EXPECT_EXIT(raise(SIGBUS), testing::KilledBySignal(SIGBUS), "^$");
}
#endif

INSTANTIATE_TEST_SUITE_P(engines, fiber_stacks_of, testing::ValuesIn(all_engines()),
                         [](const auto& instance) { return std::string(to_string(instance.param)); });

} // namespace
