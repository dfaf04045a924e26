// SPDX-License-Identifier: Apache-2.0
/// atomic_ref: every operation against plain arithmetic, for each scope; threads that meet; lanes that meet.
#include <lanefold/memory/atomic_ref.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "disassembly.hpp"
#include "sanitized.hpp"

namespace {

namespace lf = lanefold;
using order = lf::memory_order;
using scope = lf::memory_scope;
using space = lf::access::address_space;

constexpr scope scopes[] = {scope::work_item, scope::sub_group, scope::work_group, scope::device, scope::system};

template <class T>
struct atomics : ::testing::Test {};
using numbers = ::testing::Types<std::uint8_t, std::int16_t, int, std::uint64_t, float, double>;
TYPED_TEST_SUITE(atomics, numbers);

TYPED_TEST(atomics, numbers) {
  using T = TypeParam;
  using ref = lf::atomic_ref<T, order::acq_rel, scope::device, space::global_space>;
  static_assert(ref::default_read_order == order::acquire && ref::default_write_order == order::release);
  static_assert(ref::default_read_modify_write_order == order::acq_rel && ref::default_scope == scope::device);
  static_assert(ref::required_alignment == sizeof(T) && ref::is_always_lock_free);
  static_assert(std::is_same_v<typename ref::value_type, T> && std::is_same_v<typename ref::difference_type, T>);
  for (const scope s : scopes) {
    for (const order o : {order::relaxed, order::acq_rel, order::seq_cst}) {
      T x = 7;
      const ref r(x);
      EXPECT_EQ(r.fetch_add(T(3), o, s), T(7));
      EXPECT_EQ(r.fetch_sub(T(4), o, s), T(10));
      EXPECT_EQ(r.fetch_min(T(8), o, s), T(6));
      EXPECT_EQ(r.fetch_min(T(2), o, s), T(6));
      EXPECT_EQ(r.fetch_max(T(1), o, s), T(2));
      EXPECT_EQ(r.fetch_max(T(9), o, s), T(2));
      EXPECT_EQ(r.exchange(T(5), o, s), T(9));
      T expected = 4;
      EXPECT_FALSE(r.compare_exchange_strong(expected, T(1), o, s));
      EXPECT_EQ(expected, T(5));
      EXPECT_TRUE(r.compare_exchange_strong(expected, T(6), o, order::relaxed, s));
      expected = 1;
      EXPECT_FALSE(r.compare_exchange_weak(expected, T(0), o, s));
      while (!r.compare_exchange_weak(expected, T(8), o, order::relaxed, s)) {
      }
      EXPECT_EQ(x, T(8));
    }
    T x = 1;
    const ref r(x);
    r.store(T(3), order::release, s);
    EXPECT_EQ(r.load(order::seq_cst, s), T(3));
  }
  T x = 5;
  const ref r(x);
  EXPECT_EQ(r = T(2), T(2));
  EXPECT_EQ(T(r), T(2));
  EXPECT_EQ(r += T(5), T(7));
  EXPECT_EQ(r -= T(3), T(4));
  EXPECT_EQ(++r, T(5));
  EXPECT_EQ(r++, T(5));
  EXPECT_EQ(--r, T(5));
  EXPECT_EQ(r--, T(5));
  EXPECT_EQ(x, T(4));
  EXPECT_TRUE(r.is_lock_free());
}

TYPED_TEST(atomics, bits_and_overflow_of_integers) {
  using T = TypeParam;
  if constexpr (std::is_integral_v<T>) {
    for (const scope s : scopes) {
      T x = static_cast<T>(0b1100);
      const lf::atomic_ref<T> r(x);
      EXPECT_EQ(r.fetch_and(T(0b0110), order::seq_cst, s), T(0b1100));
      EXPECT_EQ(r.fetch_or(T(0b0011), order::seq_cst, s), T(0b0100));
      EXPECT_EQ(r.fetch_xor(T(0b0101), order::seq_cst, s), T(0b0111));
      EXPECT_EQ(x, T(0b0010));
      EXPECT_EQ(r |= T(0b1001), T(0b1011));
      EXPECT_EQ(r &= T(0b1110), T(0b1010));
      EXPECT_EQ(r ^= T(0b0110), T(0b1100));
      x = std::numeric_limits<T>::max();
      EXPECT_EQ(r.fetch_add(T(1), order::relaxed, s), std::numeric_limits<T>::max());
      EXPECT_EQ(x, std::numeric_limits<T>::min());
      EXPECT_EQ(r.fetch_sub(T(1), order::relaxed, s), std::numeric_limits<T>::min());
      EXPECT_EQ(x, std::numeric_limits<T>::max());
    }
  }
}

TEST(atomic_ref, pointers) {
  double elements[16];
  for (const scope s : {scope::work_group, scope::device}) {
    double* x = elements;
    const lf::atomic_ref<double*, order::relaxed, scope::device> r(x);
    EXPECT_EQ(r.fetch_add(5, order::acq_rel, s), elements);
    EXPECT_EQ(r.fetch_sub(2, order::acq_rel, s), elements + 5);
    EXPECT_EQ(r += 4, elements + 7);
    EXPECT_EQ(r -= 3, elements + 4);
    EXPECT_EQ(r++, elements + 4);
    EXPECT_EQ(--r, elements + 4);
    EXPECT_EQ(r.exchange(elements, order::acq_rel, s), elements + 4);
    double* expected = elements + 1;
    EXPECT_FALSE(r.compare_exchange_strong(expected, nullptr, order::acq_rel, s));
    EXPECT_EQ(expected, elements);
    EXPECT_EQ(r.load(), elements);
  }
}

TEST(atomic_ref, comparison_is_of_bits) {
  for (const scope s : {scope::work_group, scope::device}) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    float x = nan, expected = nan;
    const lf::atomic_ref<float> r(x);
    EXPECT_TRUE(r.compare_exchange_strong(expected, 0.F, order::relaxed, s));
    expected = -0.F;
    EXPECT_FALSE(r.compare_exchange_strong(expected, 1.F, order::relaxed, s));
    EXPECT_FALSE(std::signbit(expected));
  }
}

constexpr int threads = 4, rounds = 5000;

/// f(thread, round) on each of some threads.
template <class F>
void on_threads(F f) {
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t) {
    all.emplace_back([=] {
      for (int i = 0; i < rounds; ++i) {
        f(t, i);
      }
    });
  }
  for (auto& t : all) {
    t.join();
  }
}

TYPED_TEST(atomics, threads_lose_nothing) {
  using T = TypeParam;
  T sum = 0, least = 100, greatest = 0, exchanged = 0, global = 0;
  on_threads([&](int t, int i) {
    // Of global memory, where GPUs lose nothing whatever the scope.
    lf::atomic_ref<T, order::relaxed, scope::sub_group, lf::access::address_space::global_space>(global) += T(1);
    lf::atomic_ref<T, order::relaxed, scope::device>(sum).fetch_add(T(1));
    lf::atomic_ref<T, order::seq_cst, scope::system>(least).fetch_min(T(100 - (i + t) % 90));
    lf::atomic_ref<T, order::relaxed, scope::device>(greatest).fetch_max(T((i + t) % 90));
    T old = lf::atomic_ref<T>(exchanged).load();
    while (!lf::atomic_ref<T>(exchanged).compare_exchange_weak(old, static_cast<T>(old + 1))) {
    }
  });
  EXPECT_EQ(sum, static_cast<T>(threads * rounds));
  EXPECT_EQ(global, static_cast<T>(threads * rounds));
  EXPECT_EQ(exchanged, static_cast<T>(threads * rounds));
  EXPECT_EQ(least, T(11));
  EXPECT_EQ(greatest, T(89));
}

TEST(atomic_ref, fence_publishes) {
  for (int round = 0; round < 200; ++round) {
    int data = 0, ready = 0, seen = 0;
    std::thread writer([&] {
      data = 42;
      lf::atomic_fence(order::release, scope::device);
      lf::atomic_ref<int>(ready).store(1);
    });
    while (lf::atomic_ref<int>(ready).load() == 0) {
    }
    lf::atomic_fence(order::acquire, scope::device);
    seen = data;
    writer.join();
    ASSERT_EQ(seen, 42);
  }
  lf::atomic_fence(order::seq_cst, scope::work_group);
}

[[gnu::noinline, maybe_unused]] void device_add(int& x) {
  lf::atomic_ref<int, order::relaxed, scope::device>(x).fetch_add(3);
}
[[gnu::noinline, maybe_unused]] void group_add(int& x) {
  lf::atomic_ref<int, order::relaxed, scope::work_group>(x).fetch_add(3);
}

/// Atomics cost one locked instruction; none at all within a work-group.
TEST(atomic_ref, instructions) {
#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(LANEFOLD_TEST_SANITIZED)
  if (!disassembly::available()) {
    GTEST_SKIP() << "no objdump";
  }
  int x = 0;
  device_add(x);
  group_add(x);
  EXPECT_EQ(x, 6);
  const auto instructions_of = [](const char* name) {
    const auto functions = disassembly::functions_with({name});
    EXPECT_FALSE(functions.empty()) << name; // checks have cold parts
    std::string all;
    for (const auto& f : functions) {
      for (const auto& instruction : f) {
        all += instruction.text + '\n';
      }
    }
    return all;
  };
  const auto has = [](const std::string& text, const char* word) { return text.find(word) != std::string::npos; };
  const std::string device = instructions_of("device_add"), group = instructions_of("group_add");
  EXPECT_TRUE(has(device, "lock") && !has(device, "cmpxchg")) << device;
  EXPECT_TRUE(has(group, "add") && !has(group, "lock") && !has(group, "xchg")) << group;
#endif
}

TEST(atomic_ref, misaligned_element_is_an_error_in_checked_builds) {
  alignas(8) unsigned char bytes[16] = {};
  if constexpr (lf::detail::checked_build) {
    EXPECT_THROW(lf::atomic_ref<int>(*reinterpret_cast<int*>(bytes + 2)), lf::exception);
  } else {
    EXPECT_EQ(lf::atomic_ref<int>(*reinterpret_cast<int*>(bytes + 4)).load(), 0);
  }
}

} // namespace
