// SPDX-License-Identifier: Apache-2.0
// Buffers: where their memory is, what is written back where and when, sub-buffers, reinterpretation.
#include "thrown.hpp"

#include <lanefold/exception.hpp>
#include <lanefold/execution.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <list>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

namespace lf = lanefold;
using namespace std::chrono_literals;

namespace {

/// A command that adds `n` to each element, after a while.
template <class T>
lf::event add(lf::queue& q, lf::buffer<T, 1>& b, T n, std::chrono::milliseconds after = 0ms) {
  return q.submit([&](lf::handler& h) {
    lf::accessor a(b, h);
    h.single_task([=] {
      std::this_thread::sleep_for(after);
      for (T& x : a) {
        x = static_cast<T>(x + n);
      }
    });
  });
}

std::vector<int> iota(std::size_t n) {
  std::vector<int> v(n);
  std::iota(v.begin(), v.end(), 0);
  return v;
}

std::vector<int> plus(std::vector<int> v, int n) {
  for (int& x : v) {
    x += n;
  }
  return v;
}

TEST(buffer, over_a_pointer_works_in_place) {
  std::vector<int> host = iota(1000);
  lf::queue q;
  {
    lf::buffer<int> b(host.data(), lf::range(host.size()));
    EXPECT_EQ(b.size(), 1000U);
    EXPECT_EQ(b.byte_size(), 4000U);
    EXPECT_EQ(b.get_range(), lf::range(1000));
    EXPECT_FALSE(b.is_sub_buffer());
    add(q, b, 5, 20ms);
    lf::host_accessor a(b);
    EXPECT_EQ(a.get_pointer(), host.data());
    EXPECT_EQ(a[999], 1004);
  }
  EXPECT_EQ(host, plus(iota(1000), 5));
}

TEST(buffer, is_made_of_a_range) {
  std::optional<lf::buffer<int, 2>> later;
  later = {lf::range<2>(3, 4)};
  EXPECT_EQ(later->size(), 12U);
}

TEST(buffer, destruction_waits_for_the_commands) {
  std::vector<int> host = iota(100);
  lf::queue q;
  {
    lf::buffer b(host);
    static_assert(std::is_same_v<decltype(b), lf::buffer<int, 1>>);
    add(q, b, 1, 30ms);
    add(q, b, 2, 30ms);
  }
  EXPECT_EQ(host, plus(iota(100), 3));
}

TEST(buffer, copies_stand_for_the_same_memory) {
  std::vector<int> host = iota(10);
  lf::queue q;
  auto outer = std::make_unique<lf::buffer<int>>(host.data(), 10);
  {
    lf::buffer<int> copy = *outer;
    EXPECT_EQ(copy, *outer);
    EXPECT_EQ(std::hash<lf::buffer<int>>()(copy), std::hash<lf::buffer<int>>()(*outer));
    EXPECT_NE(copy, lf::buffer<int>(10));
    add(q, copy, 7);
  }
  add(q, *outer, 1, 10ms);
  outer.reset();
  EXPECT_EQ(host, plus(iota(10), 8));
}

TEST(buffer, over_const_memory_and_iterators_is_a_copy) {
  const std::vector<int> constant = iota(50);
  const std::list<short> list(10, 3);
  std::vector<int> mutable_source = iota(50);
  lf::queue q;
  {
    lf::buffer from_container(constant);
    lf::buffer<int> from_pointer(constant.data(), 50);
    lf::buffer from_iterators(mutable_source.begin(), mutable_source.end());
    lf::buffer<int> converted(list.begin(), list.end());
    static_assert(std::is_same_v<decltype(from_iterators), lf::buffer<int, 1>>);
    for (lf::buffer<int>* b : {&from_container, &from_pointer, &from_iterators, &converted}) {
      add(q, *b, 100);
    }
    EXPECT_EQ(lf::host_accessor(from_container)[49], 149);
    EXPECT_EQ(lf::host_accessor(from_pointer)[49], 149);
    EXPECT_EQ(lf::host_accessor(from_iterators)[49], 149);
    EXPECT_EQ(lf::host_accessor(converted)[9], 103);
  }
  EXPECT_EQ(constant, iota(50));
  EXPECT_EQ(mutable_source, iota(50));
}

TEST(buffer, over_shared_memory) {
  const std::shared_ptr<int> one = std::make_shared<int>(4);
  const std::shared_ptr<int[]> many(new int[3]{1, 2, 3});
  lf::queue q;
  {
    lf::buffer<int> a(one, 1);
    lf::buffer<int> b(many, 3);
    add(q, a, 1);
    add(q, b, 1);
    EXPECT_GT(one.use_count(), 1);
  }
  EXPECT_EQ(*one, 5);
  EXPECT_EQ(many[2], 4);
  EXPECT_EQ(one.use_count(), 1);
}

TEST(buffer, final_data) {
  std::vector<int> host = iota(20);
  std::vector<int> pointer(20), untyped(20);
  std::vector<int> inserted;
  const auto expiring = std::make_shared<int>(0);
  auto expired = std::make_shared<int>(0);
  lf::queue q;
  {
    lf::buffer<int> to_pointer(host.data(), 20);
    to_pointer.set_final_data(pointer.data());
    lf::buffer<int> to_untyped(host.data(), 20);
    to_untyped.set_final_data(static_cast<void*>(untyped.data()));
    lf::buffer<int> to_iterator(20);
    to_iterator.set_final_data(std::back_inserter(inserted));
    lf::buffer<int> to_nothing(host.data(), 20);
    to_nothing.set_final_data(nullptr);
    lf::buffer<int> to_weak(1);
    to_weak.set_final_data(std::weak_ptr<int>(expiring));
    lf::buffer<int> to_expired(1);
    to_expired.set_final_data(std::weak_ptr<int>(expired));
    expired.reset();
    q.submit([&](lf::handler& h) {
      lf::accessor a(to_iterator, h, lf::write_only, lf::no_init);
      h.fill(a, 9);
    });
    q.submit([&](lf::handler& h) { h.fill(lf::accessor(to_weak, h, lf::write_only), 11); });
    q.submit([&](lf::handler& h) { h.fill(lf::accessor(to_expired, h, lf::write_only), 12); });
    add(q, to_pointer, 1);
    add(q, to_untyped, 3);
    add(q, to_nothing, 2);
  }
  EXPECT_EQ(host, iota(20)) << "host memory stays as it is when the contents go elsewhere";
  EXPECT_EQ(pointer, plus(iota(20), 1));
  EXPECT_EQ(untyped, plus(iota(20), 3));
  EXPECT_EQ(inserted, std::vector<int>(20, 9));
  EXPECT_EQ(*expiring, 11);
}

TEST(buffer, write_back_can_be_turned_off_and_on) {
  std::vector<int> off = iota(8);
  std::vector<int> on_again = iota(8);
  lf::queue q;
  {
    lf::buffer a(off);
    a.set_write_back(false);
    lf::buffer b(on_again);
    b.set_write_back(false);
    b.set_write_back(true);
    add(q, a, 1);
    add(q, b, 1);
  }
  EXPECT_EQ(off, iota(8));
  EXPECT_EQ(on_again, plus(iota(8), 1));
}

TEST(buffer, use_mutex_is_locked_for_copies) {
  std::vector<int> host = iota(8);
  std::mutex guard;
  lf::queue q;
  {
    lf::buffer<int> b(host.data(), 8, lf::property::buffer::use_mutex(guard));
    EXPECT_TRUE(b.has_property<lf::property::buffer::use_mutex>());
    EXPECT_EQ(b.get_property<lf::property::buffer::use_mutex>().get_mutex_ptr(), &guard);
    add(q, b, 1).wait();
    const std::lock_guard lock(guard);
    EXPECT_EQ(host, iota(8)) << "the buffer works on memory of its own";
  }
  EXPECT_EQ(host, plus(iota(8), 1));
}

template <class T>
struct refusing_allocator {
  using value_type = T;
  static T* allocate(std::size_t) { throw std::bad_alloc(); }
  static void deallocate(T*, std::size_t) {}
};

/// It reads host memory when the first accessor is made, and asks no allocator of the program for memory.
TEST(buffer, use_mutex_reads_host_memory_late) {
  std::vector<int> host = iota(8);
  std::mutex guard;
  {
    lf::buffer<int> unused(host.data(), lf::range(1000), lf::property::buffer::use_mutex(guard));
  }
  EXPECT_EQ(host, iota(8));
  lf::queue q;
  {
    lf::buffer<int, 1, refusing_allocator<int>> b(host, refusing_allocator<int>(),
                                                  lf::property::buffer::use_mutex(guard));
    host[0] = 50;
    q.submit([&](lf::handler& h) {
      lf::accessor a(b, h);
      h.parallel_for(lf::range(8), [=](lf::id<1> i) { a[i] += 1; });
    });
  }
  EXPECT_EQ(host[0], 51);
  EXPECT_EQ(host[7], 8);
}

TEST(buffer, sub_buffers) {
  std::vector<int> host = iota(24);
  lf::queue q;
  {
    lf::buffer<int> whole(host.data(), 24);
    lf::buffer<int> part(whole, lf::id(8), lf::range(4));
    EXPECT_TRUE(part.is_sub_buffer());
    EXPECT_EQ(part.size(), 4U);
    EXPECT_NE(part, whole);
    add(q, part, 100);
    EXPECT_EQ(lf::host_accessor(whole)[8], 108);
    auto rows = whole.reinterpret<int>(lf::range(4, 6));
    lf::buffer<int, 2> row(rows, lf::id(1, 0), lf::range(2, 6));
    lf::buffer<int, 2> in_row(rows, lf::id(3, 2), lf::range(1, 3));
    EXPECT_EQ(lf::host_accessor(row)[0][0], 6);
    EXPECT_EQ(lf::host_accessor(in_row)[0][2], 22);

    EXPECT_EQ(code_thrown_by([&] { lf::buffer<int>(whole, lf::id(20), lf::range(5)); }), lf::errc::invalid);
    EXPECT_EQ(code_thrown_by([&] { lf::buffer<int>(whole, lf::id(25), lf::range(0)); }), lf::errc::invalid);
    EXPECT_EQ(code_thrown_by([&] { lf::buffer<int>(part, lf::id(0), lf::range(2)); }), lf::errc::invalid);
    EXPECT_EQ(code_thrown_by([&] { lf::buffer<int, 2>(rows, lf::id(0, 0), lf::range(2, 3)); }), lf::errc::invalid);
    EXPECT_EQ(code_thrown_by([&] { part.set_final_data(host.data()); }), lf::errc::invalid);
  }
  EXPECT_EQ(host[7], 7);
  EXPECT_EQ(host[11], 111);
  EXPECT_EQ(host[12], 12);
}

TEST(buffer, sub_buffers_of_one_buffer_are_used_in_parallel) {
  lf::queue q(lf::property::threads(2));
  lf::buffer<int> whole(2);
  lf::buffer<int> first(whole, lf::id(0), lf::range(1));
  lf::buffer<int> second(whole, lf::id(1), lf::range(1));
  std::atomic<int> there{0};
  for (lf::buffer<int>* b : {&first, &second}) {
    q.submit([&](lf::handler& h) {
      lf::accessor a(*b, h, lf::write_only);
      h.host_task([=, &there] {
        ++there;
        for (const auto end = std::chrono::steady_clock::now() + 10s;
             there.load() < 2 && std::chrono::steady_clock::now() < end;) {
          std::this_thread::yield();
        }
        a[0] = there.load();
      });
    });
  }
  q.wait();
  EXPECT_EQ(lf::host_accessor(whole)[0], 2);
  EXPECT_EQ(lf::host_accessor(whole)[1], 2);
}

TEST(buffer, reinterpreted) {
  std::vector<std::uint32_t> host(12, 0x01020304);
  lf::buffer<std::uint32_t> words(host.data(), 12);
  auto bytes = words.reinterpret<std::uint8_t>();
  static_assert(std::is_same_v<decltype(bytes), lf::buffer<std::uint8_t, 1>>);
  auto floats = words.reinterpret<float>();
  auto square = words.reinterpret<std::int16_t, 3>(lf::range(2, 3, 4));
  EXPECT_EQ(bytes.size(), 48U);
  EXPECT_EQ(floats.size(), 12U);
  EXPECT_EQ(lf::host_accessor(bytes)[4], 4);
  EXPECT_EQ(lf::host_accessor(square)[1][2][3], 0x0102);
  EXPECT_EQ(code_thrown_by([&] { (void)words.reinterpret<std::uint64_t>(lf::range(7)); }), lf::errc::invalid);
}

TEST(buffer, two_and_three_dimensions) {
  std::vector<float> host(2 * 3 * 4);
  lf::queue q;
  {
    lf::buffer<float, 3> b(host.data(), lf::range(2, 3, 4));
    lf::buffer two(host.data(), lf::range(4, 6));
    static_assert(std::is_same_v<decltype(two), lf::buffer<float, 2>>);
    q.submit([&](lf::handler& h) {
      lf::accessor a(b, h, lf::write_only, lf::no_init);
      h.parallel_for(b.get_range(),
                     [=](lf::item<3> it) { a[it] = static_cast<float>(100 * it[0] + 10 * it[1] + it[2]); });
    });
  }
  EXPECT_EQ(host[0], 0.F);
  EXPECT_EQ(host[23], 123.F);
}

template <class T>
struct counting_allocator {
  using value_type = T;
  std::shared_ptr<std::size_t> live;

  explicit counting_allocator(std::shared_ptr<std::size_t> counter) : live(std::move(counter)) {}
  template <class U>
  counting_allocator(const counting_allocator<U>& other) : live(other.live) {}
  T* allocate(std::size_t n) {
    *live += n;
    return std::allocator<T>().allocate(n);
  }
  void deallocate(T* memory, std::size_t n) {
    *live -= n;
    std::allocator<T>().deallocate(memory, n);
  }
};

TEST(buffer, allocators) {
  const auto live = std::make_shared<std::size_t>(0);
  {
    lf::buffer<int, 1, counting_allocator<int>> b(lf::range(10), counting_allocator<int>(live));
    EXPECT_EQ(lf::host_accessor(b).size(), 10U);
    EXPECT_EQ(*live, 10U);
    EXPECT_EQ(b.get_allocator().live, live);
  }
  EXPECT_EQ(*live, 0U);
  lf::buffer<int> own(lf::range(10000000));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(lf::host_accessor(own).get_pointer()) % 4096, 0U);
}

TEST(buffer, empty) {
  lf::queue q;
  lf::buffer<int> none(lf::range(0));
  add(q, none, 1).wait();
  EXPECT_EQ(lf::host_accessor(none).size(), 0U);
  std::vector<int> nothing;
  EXPECT_EQ(lf::buffer(nothing).size(), 0U);
}

TEST(buffer, bad_input) {
  EXPECT_EQ(code_thrown_by([] { lf::buffer<int>(static_cast<int*>(nullptr), lf::range(3)); }), lf::errc::invalid);
  EXPECT_EQ(code_thrown_by([] { lf::buffer<int>(nullptr, lf::range(3)); }), lf::errc::invalid);
  const lf::buffer<int> none{nullptr, lf::range{0}}; // as a member that may not be needed is spelled
  const lf::buffer<const int> none_const(nullptr, lf::range(0), lf::buffer_allocator<int>());
  const lf::buffer<int, 2> none_2 = {nullptr, lf::range(0, 4)};
  EXPECT_EQ(none.size() + none_const.size() + none_2.size(), 0U);
  EXPECT_EQ(code_thrown_by([] { lf::buffer<int>(lf::range(SIZE_MAX / 2)); }), lf::errc::memory_allocation);
  EXPECT_EQ(code_thrown_by([] { lf::buffer<double, 2>(lf::range(SIZE_MAX / 4, 4)); }), lf::errc::memory_allocation);
}

TEST(buffer, destroyed_before_its_command_is_submitted) {
  lf::queue q;
  const auto forgotten = [&] {
    q.submit([&](lf::handler& h) {
      lf::buffer<int> local(lf::range(10));
      lf::accessor a(local, h);
      h.single_task([=] { a[0] = 1; });
    });
  };
  EXPECT_EQ(code_thrown_by(forgotten), lf::errc::accessor);
  q.wait();
}

TEST(buffer, last_handle_goes_in_a_host_task) {
  std::vector<int> host = iota(10);
  {
    lf::queue q;
    auto b = std::make_shared<lf::buffer<int>>(host.data(), 10);
    q.submit([&](lf::handler& h) {
      lf::accessor a(*b, h);
      h.host_task([=]() mutable {
        a[0] = 50;
        b.reset();
      });
    });
    b.reset();
    q.wait();
  }
  EXPECT_EQ(host[0], 50);
}

TEST(buffer, final_data_reaches_its_place_when_the_last_handle_goes_in_a_host_task) {
  std::atomic<int> result{0};
  struct destination {
    std::atomic<int>* to;
    destination& operator*() { return *this; }
    destination& operator++() { return *this; }
    void operator=(int x) { to->store(x); }
  };
  lf::queue q;
  auto b = std::make_shared<lf::buffer<int>>(lf::range(1));
  b->set_final_data(destination{&result});
  q.submit([&](lf::handler& h) {
    lf::accessor a(*b, h);
    h.host_task([=]() mutable {
      a[0] = 50;
      b.reset();
    });
  });
  b.reset();
  q.wait();
  for (const auto end = std::chrono::steady_clock::now() + 10s;
       result.load() == 0 && std::chrono::steady_clock::now() < end;) {
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_EQ(result.load(), 50);
}

} // namespace
