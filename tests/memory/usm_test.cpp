// SPDX-License-Identifier: Apache-2.0
#include "sanitized.hpp"
#include "thrown.hpp"

#include <lanefold/memory/usm.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace lf = lanefold;

namespace {

/// This module knows no queue: any type that says it is a place for USM will do.
struct place {
  using usm_place = void;
};
const place here;

bool is_aligned(const void* memory, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(memory) % alignment == 0;
}

std::string error_of_free(void* memory) {
  return text_thrown_by([&] { lf::free(memory, here); }, lf::errc::invalid);
}

TEST(usm, allocations_are_distinct_aligned_and_writable) {
  const lf::detail::usm_usage before = lf::detail::usm_in_use();
  std::vector<unsigned char*> all;
  std::size_t bytes = 0;
  for (const std::size_t size : {1, 7, 63, 64, 65, 4096, 65535, 65536, 1000000}) {
    auto* const memory = static_cast<unsigned char*>(lf::malloc_shared(size, here));
    ASSERT_NE(memory, nullptr);
    EXPECT_TRUE(is_aligned(memory, size >= 65536 ? 4096 : 128)) << size;
    std::memset(memory, static_cast<int>(size % 251), size);
    all.push_back(memory);
    bytes += size;
  }
  EXPECT_EQ(lf::detail::usm_in_use().allocations, before.allocations + all.size());
  EXPECT_EQ(lf::detail::usm_in_use().bytes, before.bytes + bytes);
  std::size_t i = 0;
  for (const std::size_t size : {1, 7, 63, 64, 65, 4096, 65535, 65536, 1000000}) {
    EXPECT_EQ(all[i][0], size % 251);
    EXPECT_EQ(all[i][size - 1], size % 251);
    lf::free(all[i++], here);
  }
  EXPECT_EQ(lf::detail::usm_in_use().allocations, before.allocations);
  EXPECT_EQ(lf::detail::usm_in_use().bytes, before.bytes);
}

TEST(usm, every_kind_and_every_form) {
  struct alignas(256) wide {
    float lanes[64];
  };
  using lf::usm::alloc;
  const std::vector<std::pair<void*, alloc>> all = {
      {lf::malloc_device(100, here), alloc::device},
      {lf::malloc_device<double>(100, here), alloc::device},
      {lf::malloc_device<double>(100, here, here), alloc::device},
      {lf::aligned_alloc_device(128, 100, here), alloc::device},
      {lf::aligned_alloc_device<int>(128, 100, here), alloc::device},
      {lf::malloc_host(100, here), alloc::host},
      {lf::malloc_host<char>(100, here), alloc::host},
      {lf::aligned_alloc_host(8192, 100, here), alloc::host},
      {lf::aligned_alloc_host<int>(8192, 100, here), alloc::host},
      {lf::malloc_shared(100, here), alloc::shared},
      {lf::malloc_shared<wide>(3, here), alloc::shared},
      {lf::aligned_alloc_shared(1 << 20, 100, here), alloc::shared},
      {lf::aligned_alloc_shared<wide>(1, 2, here), alloc::shared},
      {lf::malloc(100, here, alloc::host), alloc::host},
      {lf::malloc<short>(100, here, alloc::device), alloc::device},
      {lf::aligned_alloc(512, 100, here, alloc::shared), alloc::shared},
      {lf::aligned_alloc<float>(512, 100, here, alloc::shared), alloc::shared},
  };
  for (const auto& [memory, kind] : all) {
    ASSERT_NE(memory, nullptr);
    EXPECT_TRUE(is_aligned(memory, 128));
    EXPECT_EQ(lf::get_pointer_type(memory, here), kind);
  }
  EXPECT_TRUE(is_aligned(all[3].first, 128));
  EXPECT_TRUE(is_aligned(all[7].first, 8192));
  EXPECT_TRUE(is_aligned(all[10].first, 256));
  EXPECT_TRUE(is_aligned(all[11].first, 1 << 20));
  EXPECT_TRUE(is_aligned(all[12].first, 256));
  EXPECT_TRUE(is_aligned(all[15].first, 512));
  for (const auto& [memory, kind] : all) {
    lf::free(memory, here);
    EXPECT_EQ(lf::get_pointer_type(memory, here), lf::usm::alloc::unknown);
  }
}

TEST(usm, what_cannot_be_had_is_null) {
  constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ(lf::malloc_shared(0, here), nullptr);
  EXPECT_EQ(lf::malloc_shared<int>(0, here), nullptr);
  EXPECT_EQ(lf::malloc_shared<double>(huge / 4, here), nullptr); // count * size overflows
  EXPECT_EQ(lf::malloc_shared<double>(huge / 8 + 1, here), nullptr);
  EXPECT_EQ(lf::aligned_alloc_host<double>(64, huge / 2, here), nullptr);
  EXPECT_EQ(lf::aligned_alloc_shared(3, 100, here), nullptr);
  EXPECT_EQ(lf::aligned_alloc_shared<int>(48, 100, here), nullptr);
  EXPECT_EQ(lf::malloc(100, here, lf::usm::alloc::unknown), nullptr);
  EXPECT_NO_THROW(lf::free(nullptr, here));
}

#if !defined(LANEFOLD_TEST_SANITIZED)
TEST(usm, too_much_memory_is_null) { EXPECT_EQ(lf::malloc_shared(std::size_t{1} << 60, here), nullptr); }
#endif

TEST(usm, double_free_is_refused) {
  int* const memory = lf::malloc_shared<int>(10, here);
  lf::free(memory, here);
  const std::string text = error_of_free(memory);
  EXPECT_NE(text.find("not a live USM allocation"), std::string::npos) << text;
}

TEST(usm, foreign_pointers_are_refused) {
  int on_the_stack = 0;
  EXPECT_NE(error_of_free(&on_the_stack), "");
  const std::vector<int> on_the_heap(100);
  EXPECT_NE(error_of_free(const_cast<int*>(on_the_heap.data())), "");
  EXPECT_NE(error_of_free(reinterpret_cast<void*>(std::uintptr_t{1})), "");
  EXPECT_NE(error_of_free(reinterpret_cast<void*>(std::numeric_limits<std::uintptr_t>::max())), "");
  EXPECT_EQ(lf::get_pointer_type(&on_the_stack, here), lf::usm::alloc::unknown);
  EXPECT_EQ(lf::get_pointer_type(nullptr, here), lf::usm::alloc::unknown);
}

TEST(usm, pointers_into_an_allocation) {
  char* const memory = lf::malloc_host<char>(1000, here);
  EXPECT_EQ(lf::get_pointer_type(memory + 1, here), lf::usm::alloc::host);
  EXPECT_EQ(lf::get_pointer_type(memory + 999, here), lf::usm::alloc::host);
  EXPECT_EQ(lf::get_pointer_type(memory + 1000, here), lf::usm::alloc::unknown);
  EXPECT_EQ(lf::get_pointer_type(memory - 1, here), lf::usm::alloc::unknown);
  const std::string text = error_of_free(memory + 24);
  EXPECT_NE(text.find("24 bytes into"), std::string::npos) << text;
  memory[999] = 1; // nothing was freed
  lf::free(memory, here);
}

TEST(usm, many_threads_allocate_and_free) {
  const lf::detail::usm_usage before = lf::detail::usm_in_use();
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 4; ++seed) {
    threads.emplace_back([seed] {
      std::mt19937 random(seed);
      std::vector<unsigned char*> mine;
      for (int i = 0; i < 3000; ++i) {
        if (mine.empty() || random() % 3 != 0) {
          const std::size_t size = random() % 2000 + 1;
          mine.push_back(lf::malloc_shared<unsigned char>(size, here));
          mine.back()[0] = mine.back()[size - 1] = static_cast<unsigned char>(seed);
        } else {
          std::swap(mine[random() % mine.size()], mine.back());
          ASSERT_EQ(mine.back()[0], seed);
          lf::free(mine.back(), here);
          mine.pop_back();
        }
      }
      for (unsigned char* memory : mine) {
        lf::free(memory, here);
      }
    });
  }
  for (std::thread& t : threads) {
    t.join();
  }
  EXPECT_EQ(lf::detail::usm_in_use().allocations, before.allocations);
}

} // namespace
