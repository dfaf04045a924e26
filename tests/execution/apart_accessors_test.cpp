// SPDX-License-Identifier: Apache-2.0
// Kernels whose accessors reach the same memory, which compilers must not take for apart; and which memory is.
#include <lanefold/execution.hpp>
#include <lanefold/memory/detail/captured_memory.hpp>
#include <lanefold/memory/marray.hpp>

#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace lf = lanefold;

namespace {

constexpr std::size_t count = 1000;

using writer = lf::accessor<int, 1, lf::access_mode::read_write>;
using reader = lf::accessor<int, 1, lf::access_mode::read>;

/// Writes by one accessor and reads by another one, which perhaps reach the same elements: a work-item must see what it
/// has written.
struct there_and_back {
  writer to;
  reader from;
  void operator()(lf::id<1> i) const {
    to[i] = 3;
    const int seen = from[i];
    to[i] = seen + 1;
    for (int k = 0; k < 5; ++k) {
      to[i] += from[i];
    }
  }
  void operator()(lf::nd_item<1> it) const { (*this)(lf::id<1>(it.get_global_id(0))); }
};

class apart_accessors : public testing::Test {
protected:
  void expect_all(int value) {
    const lf::host_accessor a(elements);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(a[i], value) << i;
    }
  }

  lf::queue q{lf::property_list{lf::property::threads(2)}};
  lf::buffer<int> elements{lf::range(count)};
  lf::buffer<int> others{lf::range(count)};
};

TEST_F(apart_accessors, of_one_buffer_see_each_other_in_ranges) {
  q.submit([&](lf::handler& h) {
    const writer to(elements, h);
    const reader from(elements, h);
    h.parallel_for(lf::range(count), there_and_back{to, from});
  });
  expect_all(4 * 32);
}

TEST_F(apart_accessors, of_one_buffer_see_each_other_in_nd_ranges) {
  q.submit([&](lf::handler& h) {
    const writer to(elements, h);
    const reader from(elements, h);
    h.parallel_for(lf::nd_range<1>(count, 100), there_and_back{to, from});
  });
  expect_all(4 * 32);
}

TEST_F(apart_accessors, of_one_buffer_see_each_other_in_reductions) {
  int sum = 0;
  q.submit([&](lf::handler& h) {
     const writer to(elements, h);
     const reader from(elements, h);
     const there_and_back kernel{to, from};
     h.parallel_for(lf::range(count), lf::reduction(&sum, lf::plus<>()), [=](lf::id<1> i, auto& total) {
       kernel(i);
       total += kernel.from[i];
     });
   }).wait();
  EXPECT_EQ(sum, 4 * 32 * static_cast<int>(count));
  expect_all(4 * 32);
}

TEST_F(apart_accessors, that_are_captured_twice_see_each_other) {
  q.submit([&](lf::handler& h) {
    const writer one(elements, h);
    const auto also = [one](lf::id<1> i) { one[i] += 10; };
    h.parallel_for(lf::range(count), [=](lf::id<1> i) {
      one[i] = 1;
      also(i);
      one[i] *= 2;
      also(i);
    });
  });
  expect_all(32);
}

TEST_F(apart_accessors, of_a_part_and_the_whole_see_each_other) {
  q.submit([&](lf::handler& h) {
    const writer to(elements, h);
    const reader from(elements, h, lf::range(count - 1), lf::id(1));
    h.parallel_for(lf::range(count), [=](lf::id<1> i) {
      to[i] = 5;
      to[i] += i[0] == 0 ? 0 : from[i[0] - 1];
    });
  });
  const lf::host_accessor a(elements);
  EXPECT_EQ(a[0], 5);
  for (std::size_t i = 1; i < count; ++i) {
    ASSERT_EQ(a[i], 10) << i;
  }
}

TEST_F(apart_accessors, to_the_same_local_memory_see_each_other) {
  q.submit([&](lf::handler& h) {
    const writer to(elements, h);
    // Not const: a closure moves only what is not.
    lf::local_accessor<int> tile(lf::range<1>(100), h);
    lf::local_accessor<int> also = tile;
    h.parallel_for(lf::nd_range<1>(count, 100), [=](lf::nd_item<1> it) {
      const std::size_t i = it.get_local_id(0);
      tile[i] = 1;
      also[i] += 10;
      tile[i] *= 2;
      to[it.get_global_id(0)] = tile[i];
    });
  });
  expect_all(22);
}

TEST_F(apart_accessors, to_local_memory_see_what_work_items_wrote_before_a_barrier) {
  q.submit([&](lf::handler& h) {
    const writer to(elements, h);
    const lf::local_accessor<int> tile(lf::range<1>(100), h);
    const lf::local_accessor<int> other(lf::range<1>(100), h);
    h.parallel_for(lf::nd_range<1>(count, 100), [=](lf::nd_item<1> it) {
      const std::size_t i = it.get_local_id(0);
      tile[i] = static_cast<int>(i);
      for (int k = 0; k < 3; ++k) {
        other[i] = tile[i] + k;
      }
      lf::group_barrier(it.get_group());
      to[it.get_global_id(0)] = tile[99 - i] + other[i];
    });
  });
  expect_all(99 + 2);
}

void add(writer to, writer from, lf::id<1> i) {
  for (int k = 0; k < 4; ++k) {
    to[i] += from[i];
  }
}

TEST_F(apart_accessors, may_be_given_to_functions_twice) {
  q.submit([&](lf::handler& h) {
    const writer one(elements, h);
    const writer other(others, h);
    h.parallel_for(lf::range(count), [=](lf::id<1> i) {
      one[i] = 1;
      add(one, one, i);
      other[i] = one[i];
      add(one, other, i);
    });
  });
  expect_all(80);
}

writer same(writer a) { return a; }

TEST_F(apart_accessors, may_be_moved_in_kernels) {
  q.submit([&](lf::handler& h) {
    const writer one(elements, h);
    h.parallel_for(lf::range(count), [=](lf::id<1> i) {
      const writer other = same(one);
      one[i] = 1;
      other[i] += 4;
      one[i] *= 3;
      other[i] += one[i];
    });
  });
  expect_all(30);
}

TEST_F(apart_accessors, leave_arrays_of_the_kernel_to_each_work_item) {
  std::vector<int> in(4 * count);
  std::vector<int> by(count);
  std::iota(in.begin(), in.end(), 0);
  for (std::size_t i = 0; i < count; ++i) {
    by[i] = static_cast<int>(i * 31 % 101);
  }
  lf::buffer<int> data(in);
  lf::buffer<int> shifts(by);
  const auto value = [](const auto& from, int shift, std::size_t i) {
    int t[4];
    for (std::size_t k = 0; k < 4; ++k) {
      t[(static_cast<int>(k) + shift) & 3] = from[4 * i + k];
    }
    return t[0] + 10 * t[1] + 100 * t[2] + 1000 * t[3];
  };
  q.submit([&](lf::handler& h) {
    const lf::accessor from(data, h, lf::read_only);
    const lf::accessor shift(shifts, h, lf::read_only);
    const lf::accessor to(elements, h, lf::write_only);
    h.parallel_for(lf::range(count), [=](lf::id<1> i) { to[i] = value(from, shift[i], i[0]); });
  });
  const lf::host_accessor a(elements);
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(a[i], value(in, by[i], i)) << i;
  }
}

TEST_F(apart_accessors, that_were_moved_on_the_host_keep_their_elements) {
  q.submit([&](lf::handler& h) {
    writer first(elements, h);
    writer second(std::move(first));
    EXPECT_EQ(second.size(), count);
    h.parallel_for(lf::range(count), [moved = std::move(second)](lf::id<1> i) { moved[i] = 7; });
  });
  expect_all(7);
}

/// A kernel that is copied, and never moved.
struct immovable {
  explicit immovable(writer a) : to(std::move(a)) {}
  immovable(const immovable&) = default;
  immovable(immovable&&) = delete;
  void operator()(lf::id<1> i) const { to[i] = 9; }

  writer to;
};

TEST_F(apart_accessors, may_be_of_kernels_that_cannot_be_moved) {
  q.submit([&](lf::handler& h) {
    const immovable kernel{writer(elements, h)};
    h.parallel_for(lf::range(count), kernel);
  });
  expect_all(9);
}

TEST(captured_memory, is_apart_unless_some_of_it_is_written_and_used_twice) {
  const std::array<int, 8> a{};
  const auto* const p = a.data();
  {
    lf::detail::captured_memory parts;
    parts.add(p, p + 4, true);
    parts.add(p + 4, p + 8, true);
    EXPECT_TRUE(parts.is_apart());
    parts.add(p + 7, p + 8, false);
    EXPECT_FALSE(parts.is_apart());
  }
  lf::detail::captured_memory reads;
  for (int k = 0; k < 10; ++k) {
    reads.add(p, p + 8, false);
  }
  EXPECT_TRUE(reads.is_apart());
  EXPECT_EQ(lf::detail::captured_memory::current(), &reads);
}

TEST(captured_memory, is_not_apart_if_it_is_too_much_to_compare) {
  const std::array<int, 64> a{};
  lf::detail::captured_memory parts;
  for (const int& element : a) {
    parts.add(&element, &element + 1, true);
  }
  EXPECT_FALSE(parts.is_apart());
}

struct node {
  node* next;
};
static_assert(lf::detail::holds_numbers<double> && lf::detail::holds_numbers<lf::half> &&
              lf::detail::holds_numbers<lf::vec<float, 4>> && lf::detail::holds_numbers<lf::vec<double, 3>> &&
              lf::detail::holds_numbers<lf::marray<float, 5>> && lf::detail::holds_numbers<std::complex<float>> &&
              lf::detail::holds_numbers<std::array<lf::vec<float, 2>, 3>>);
static_assert(!lf::detail::holds_numbers<node> && !lf::detail::holds_numbers<int*> &&
              !lf::detail::holds_numbers<std::array<node, 4>> && !lf::detail::holds_numbers<lf::view<float>>);

} // namespace
