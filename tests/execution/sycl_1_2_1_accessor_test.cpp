// SPDX-License-Identifier: Apache-2.0
// Accessors and atomics as SYCL 1.2.1 spells them.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <type_traits>
#include <vector>

namespace {

using sycl::access::address_space;

template <class T, int D, sycl::access::mode Mode, sycl::access::target Target>
using old_accessor = sycl::accessor<T, D, Mode, Target>;
constexpr auto atomic_mode = sycl::access::mode::atomic;

TEST(sycl_1_2_1, accessors_of_mode_atomic_give_atomics) {
  std::vector<int> zeros(16, 0);
  sycl::buffer<int, 2> matrix(zeros.data(), sycl::range<2>(4, 4));
  std::vector<int> more_zeros(4, 0);
  sycl::buffer<int> numbers(more_zeros);
  sycl::queue q;
  q.submit([&](sycl::handler& h) {
    const old_accessor<int, 2, atomic_mode, sycl::access::target::global_buffer> m(matrix, h);
    const auto n = numbers.get_access<atomic_mode>(h);
    const sycl::accessor<int, 0, atomic_mode> first(numbers, h);
    const old_accessor<int, 1, atomic_mode, sycl::access::target::local> sum(sycl::range<1>(2), h);
    h.parallel_for(sycl::nd_range<1>(64, 16), [=](sycl::nd_item<1> it) {
      if (it.get_local_id(0) == 0) {
        sum[0].store(0);
      }
      it.barrier();
      sycl::atomic_fetch_add(sum[0], 1);
      m[1][2].fetch_add(1);
      n[1].fetch_max(static_cast<int>(it.get_global_id(0)));
      const sycl::atomic<int> counter = first;
      counter.fetch_sub(2);
      it.barrier();
      if (it.get_local_id(0) == 0) {
        m[sycl::id<2>(3, 3)].fetch_add(sum[0].load());
      }
    });
  });
  EXPECT_EQ(sycl::host_accessor(matrix)[1][2], 64);
  EXPECT_EQ(sycl::host_accessor(matrix)[3][3], 64);
  EXPECT_EQ(sycl::host_accessor(numbers)[0], -128);
  EXPECT_EQ(sycl::host_accessor(numbers)[1], 63);
}

TEST(sycl_1_2_1, atomic_operations) {
  unsigned x = 12;
  const sycl::atomic<unsigned> a{sycl::global_ptr<unsigned>(&x)};
  EXPECT_EQ(a.exchange(6), 12U);
  EXPECT_EQ(sycl::atomic_fetch_and(a, 3), 6U);
  EXPECT_EQ(a.fetch_or(9), 2U);
  EXPECT_EQ(sycl::atomic_fetch_xor(a, 1), 11U);
  EXPECT_EQ(a.fetch_min(7), 10U);
  unsigned expected = 8;
  EXPECT_FALSE(a.compare_exchange_strong(expected, 1));
  EXPECT_EQ(expected, 7U);
  EXPECT_TRUE(sycl::atomic_compare_exchange_strong(a, expected, 100));
  EXPECT_EQ(sycl::atomic_load(a), 100U);
  float f = 1;
  const sycl::atomic<float, address_space::local_space> b{sycl::local_ptr<float>(&f)};
  EXPECT_EQ(sycl::atomic_exchange(b, 2), 1.F);
  sycl::atomic_store(b, 3);
  EXPECT_EQ(f, 3.F);
  try {
    a.store(1, sycl::memory_order::seq_cst);
    FAIL() << "nothing was thrown";
  } catch (const sycl::exception& e) {
    EXPECT_EQ(e.code(), sycl::errc::invalid);
  }
}

TEST(sycl_1_2_1, accessors_of_old_targets) {
  sycl::buffer<int> b(4);
  sycl::queue().submit([&](sycl::handler& h) {
    const old_accessor<int, 1, sycl::access::mode::read, sycl::access::target::constant_buffer> constant(b, h);
    static_assert(std::is_same_v<decltype(constant.get_pointer()), sycl::constant_ptr<int>>);
    const old_accessor<int, 2, sycl::access::mode::read_write, sycl::access::target::local> local({2, 3}, h);
    static_assert(std::is_same_v<decltype(local.get_pointer()), sycl::local_ptr<int>>);
    EXPECT_EQ(local.get_count(), 6U);
    EXPECT_EQ(local.get_size(), 24U);
    const auto copy = local;
    EXPECT_EQ(std::hash<std::remove_const_t<decltype(copy)>>()(copy),
              std::hash<std::remove_const_t<decltype(copy)>>()(local));
  });
  const old_accessor<int, 1, sycl::access::mode::read, sycl::access::target::host_buffer> host(b);
  EXPECT_FALSE(host.is_placeholder());
}

/// Modes of one command are combined: what one accessor reads, another one does not discard.
TEST(sycl_1_2_1, modes_are_combined) {
  std::vector<int> numbers{1, 2};
  {
    sycl::buffer<int> b(numbers);
    sycl::queue().submit([&](sycl::handler& h) {
      const auto to = b.get_access<sycl::access::mode::discard_write>(h);
      const auto from = b.get_access<sycl::access::mode::read>(h);
      h.single_task([=] { to[1] = from[0] + 10; });
    });
  }
  EXPECT_EQ(numbers, (std::vector<int>{1, 11}));
}

/// Outside of command groups programs may name the target of their accessors, the memory of the host.
TEST(sycl_1_2_1, accessors_of_the_host_name_their_target) {
  sycl::buffer<int> b(sycl::range<1>(4));
  b.get_access<sycl::access::mode::write, sycl::access::target::host_buffer>()[2] = 7;
  const auto part =
      b.get_access<sycl::access::mode::read, sycl::access::target::host_buffer>(sycl::range<1>(2), sycl::id<1>(2));
  EXPECT_EQ(part[0], 7);
}

template <class T, int D>
T first_of(const sycl::accessor<T, D, sycl::access::mode::read, sycl::access::target::host_buffer>& a) {
  return *a.get_pointer();
}

/// Outside of command groups get_access returns an accessor whose pointer is not to const elements.
TEST(sycl_1_2_1, accessors_of_the_host_that_read_give_pointers) {
  std::vector<int> numbers{5, 6};
  sycl::buffer<int> b(numbers);
  int* p = b.get_access<sycl::access::mode::read>().get_pointer();
  EXPECT_EQ(p[1], 6);
  EXPECT_EQ(first_of(b.get_access<sycl::access::mode::read>()), 5);
  const old_accessor<int, 1, sycl::access::mode::read, sycl::access::target::host_buffer> same =
      b.get_access<sycl::access::mode::read>();
  static_assert(std::is_same_v<decltype(same.get_pointer()), const int*>);
  const sycl::host_accessor<int, 1, sycl::access::mode::read> newer = b.get_access<sycl::access::mode::read>();
  EXPECT_EQ(newer[0] + same[1], 11);
}

} // namespace
