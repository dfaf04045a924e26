// SPDX-License-Identifier: Apache-2.0
// Addresses that are reserved first and get memory later.

#include "thrown.hpp"

#include <lanefold/execution.hpp>
#include <lanefold/memory.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

namespace lf = lanefold;
namespace virtual_memory = lf::ext::oneapi::experimental;
using lf::errc;
using virtual_memory::address_access_mode;

namespace {

class virtual_memory_test : public ::testing::Test {
protected:
  lf::queue q;
  lf::context where = q.get_context();
  std::size_t page = virtual_memory::get_mem_granularity(q.get_device(), where);
};

TEST_F(virtual_memory_test, an_array_grows_where_it_is) {
  const std::size_t most = 16 * page;
  const std::uintptr_t start = virtual_memory::reserve_virtual_mem(most, where);
  virtual_memory::physical_mem first(q, page), second(q.get_device(), where, 3 * page);
  EXPECT_EQ(second.size(), 3 * page);
  EXPECT_EQ(first.get_device(), q.get_device());
  EXPECT_EQ(first.get_context(), where);
  int* const x = static_cast<int*>(first.map(start, page, address_access_mode::read_write));
  const std::size_t n = page / sizeof(int);
  q.parallel_for(lf::range<1>(n), [=](lf::id<1> i) { x[i] = static_cast<int>(i[0]); }).wait();
  EXPECT_EQ(second.map(start + page, 3 * page, address_access_mode::read_write), x + n);
  q.parallel_for(lf::range<1>(n), [=](lf::id<1> i) { x[n + i] = x[i] + 1; }).wait();
  EXPECT_EQ(x[n - 1], static_cast<int>(n) - 1);
  EXPECT_EQ(x[2 * n - 1], static_cast<int>(n));
  EXPECT_EQ(x[2 * n], 0);
  virtual_memory::unmap(x, page, where);
  virtual_memory::unmap(x + n, 3 * page, where);
  virtual_memory::free_virtual_mem(start, most, where);
}

TEST_F(virtual_memory_test, memory_may_be_in_two_places_and_keeps_its_values) {
  const std::uintptr_t start = virtual_memory::reserve_virtual_mem(4 * page, where);
  const virtual_memory::physical_mem memory(q, 2 * page);
  int* const a = static_cast<int*>(memory.map(start, 2 * page, address_access_mode::read_write));
  const int* const b = static_cast<int*>(memory.map(start + 2 * page, page, address_access_mode::read, page));
  a[page / sizeof(int)] = 7;
  EXPECT_EQ(*b, 7);
  EXPECT_EQ(virtual_memory::get_access_mode(b, page, where), address_access_mode::read);
  virtual_memory::unmap(a, 2 * page, where);
  EXPECT_EQ(*b, 7);
  virtual_memory::set_access_mode(b, page, address_access_mode::read_write, where);
  *const_cast<int*>(b) = 8;
  const int* const again = static_cast<int*>(memory.map(start, page, address_access_mode::read, page));
  EXPECT_EQ(*again, 8);
  virtual_memory::unmap(again, page, where);
  virtual_memory::unmap(b, page, where);
  virtual_memory::free_virtual_mem(start, 4 * page, where);
}

TEST_F(virtual_memory_test, misuse_is_refused) {
  using namespace virtual_memory; // NOLINT: the names are the test's subject
  EXPECT_EQ(code_thrown_by([&] { (void)reserve_virtual_mem(page + 1, where); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { (void)reserve_virtual_mem(0, where); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { (void)reserve_virtual_mem(std::size_t{1} << 62, where); }), errc::memory_allocation);
  EXPECT_EQ(code_thrown_by([&] { const physical_mem none(q, 0); }), errc::invalid);
  const std::uintptr_t start = reserve_virtual_mem(4 * page, where);
  EXPECT_EQ(code_thrown_by([&] { (void)reserve_virtual_mem(start, page, where); }), errc::memory_allocation);
  const physical_mem memory(q, 2 * page);
  const auto map = [&](std::uintptr_t at, std::size_t bytes, std::size_t offset) {
    return code_thrown_by([&] { (void)memory.map(at, bytes, address_access_mode::read_write, offset); });
  };
  EXPECT_EQ(map(start, 3 * page, 0), errc::invalid);
  EXPECT_EQ(map(start, 2 * page, page), errc::invalid);
  EXPECT_EQ(map(start + 8, page, 0), errc::invalid);
  EXPECT_EQ(map(start + 3 * page, 2 * page, 0), errc::invalid); // half of it is not reserved
  EXPECT_EQ(map(start - page, page, 0), errc::invalid);
  void* const there = memory.map(start + page, 2 * page, address_access_mode::read_write);
  EXPECT_EQ(map(start, 2 * page, 0), errc::invalid); // overlaps
  EXPECT_EQ(map(start + 2 * page, page, 0), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { unmap(there, page, where); }), errc::invalid);                // a part
  EXPECT_EQ(code_thrown_by([&] { free_virtual_mem(start, 4 * page, where); }), errc::invalid); // is mapped
  unmap(there, 2 * page, where);
  EXPECT_EQ(code_thrown_by([&] { unmap(there, 2 * page, where); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { free_virtual_mem(start, page, where); }), errc::invalid);
  free_virtual_mem(start, 4 * page, where);
  EXPECT_EQ(code_thrown_by([&] { free_virtual_mem(start, 4 * page, where); }), errc::invalid);
}

} // namespace
