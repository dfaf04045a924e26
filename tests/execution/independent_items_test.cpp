// SPDX-License-Identifier: Apache-2.0
// The loop over the work-items of a range says that they are independent: arrays that a kernel declares stay those of
// one work-item, where the compiler makes vectors of several.
#include <lanefold/execution.hpp>
#include <lanefold/memory/atomic_ref.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace lf = lanefold;

namespace {

constexpr std::size_t items = 1003;

/// Sorts eight values in an array.
int by_sorting(const int* in, std::size_t i) {
  int t[8];
  for (std::size_t k = 0; k < 8; ++k) {
    t[k] = in[i + 3 * k];
  }
  for (int pass = 0; pass < 8; ++pass) {
    for (std::size_t k = 0; k < 7; ++k) {
      if (t[k] > t[k + 1]) {
        std::swap(t[k], t[k + 1]);
      }
    }
  }
  return 10 * t[0] + t[3];
}

/// Counts in an array, by indices that are not known before.
int by_counting(const int* in, std::size_t i) {
  int t[16] = {};
  for (int k = 0; k < 32; ++k) {
    ++t[(in[i] + k * k) % 16];
  }
  int result = 0;
  for (const int each : t) {
    result = (3 * result + each) % 10007;
  }
  return result;
}

/// Uses an array as a stack.
int by_a_stack(const int* in, std::size_t i) {
  int stack[16], top = 0, count = 0;
  stack[top++] = in[i] & 7;
  while (top > 0) {
    const int x = stack[--top];
    count += x + 1;
    if (x > 0 && top < 14) {
      stack[top++] = x - 1;
      if (x & 1) {
        stack[top++] = x / 2;
      }
    }
  }
  return count;
}

/// Writes one element and reads another one.
int by_index(const int* in, std::size_t i) {
  int t[4] = {1, 2, 3, 4};
  t[in[i] & 3] = in[i + 1];
  return t[in[i + 2] & 3] + t[0];
}

/// Sums up in memory: the element of the work-item.
void in_place(int* out, const int* in, std::size_t i, int length) {
  out[i] = 0;
  for (int k = 0; k < length; ++k) {
    out[i] += in[i + static_cast<std::size_t>(k)] * in[k];
  }
}

template <class F>
void check(const char* name, F f) {
  std::vector<int> in(2 * items), out(items), expected(items);
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = static_cast<int>(i * 53 % 97);
  }
  for (std::size_t i = 0; i < items; ++i) {
    f(expected.data(), in.data(), i);
  }
  const int* const from = in.data();
  int* const to = out.data();
  lf::queue q;
  q.parallel_for(lf::range<1>(items), [=](lf::id<1> i) { f(to, from, i[0]); }).wait();
  EXPECT_EQ(out, expected) << name;
  std::fill(out.begin(), out.end(), 0);
  q.parallel_for(lf::range<2>(17, items / 17), [=](lf::item<2> it) { f(to, from, it.get_linear_id()); }).wait();
  EXPECT_EQ(out, expected) << name << " in two dimensions";
}

TEST(independent_items, arrays_are_those_of_one_work_item) {
  check("sorting", [](int* out, const int* in, std::size_t i) { out[i] = by_sorting(in, i); });
  check("counting", [](int* out, const int* in, std::size_t i) { out[i] = by_counting(in, i); });
  check("stack", [](int* out, const int* in, std::size_t i) { out[i] = by_a_stack(in, i); });
  check("index", [](int* out, const int* in, std::size_t i) { out[i] = by_index(in, i); });
  int length = 64;
  asm volatile("" : "+r"(length)); // not known to the compiler
  check("in place", [=](int* out, const int* in, std::size_t i) { in_place(out, in, i, length); });
}

TEST(independent_items, atomics_count_everything) {
  std::vector<int> counts(7);
  int* const c = counts.data();
  lf::queue()
      .parallel_for(
          lf::range<1>(items),
          [=](lf::id<1> i) {
            lf::atomic_ref<int, lf::memory_order::relaxed, lf::memory_scope::device>(c[i[0] % 7]).fetch_add(1);
          })
      .wait();
  for (std::size_t k = 0; k < counts.size(); ++k) {
    EXPECT_EQ(counts[k], static_cast<int>(items / 7 + (k < items % 7 ? 1 : 0)));
  }
}

} // namespace
