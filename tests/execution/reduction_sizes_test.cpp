// SPDX-License-Identifier: Apache-2.0
// Reductions of values of any size: how many cells lie side by side follows from it.
#include <lanefold/execution.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace lf = lanefold;

/// Holds N bytes that are added each on its own.
template <std::size_t N>
struct bytes {
  std::uint8_t each[N];

  static bytes of(std::size_t value) {
    bytes b{};
    for (std::size_t i = 0; i < N; ++i) {
      b.each[i] = static_cast<std::uint8_t>(value * (i + 1));
    }
    return b;
  }
  friend bytes operator+(const bytes& a, const bytes& b) {
    bytes sum{};
    for (std::size_t i = 0; i < N; ++i) {
      sum.each[i] = static_cast<std::uint8_t>(a.each[i] + b.each[i]);
    }
    return sum;
  }
  friend bool operator==(const bytes&, const bytes&) = default;
};

template <std::size_t N>
void expect_sums() {
  SCOPED_TRACE(std::to_string(N) + " bytes");
  using value = bytes<N>;
  constexpr std::size_t count = 3000;
  value expected{};
  for (std::size_t i = 0; i < count; ++i) {
    expected = expected + value::of(7 * i + 1);
  }
  lf::queue q;
  const auto add = [](std::size_t i, auto& sum, auto& items) {
    sum.combine(value::of(7 * i + 1));
    items += 1;
  };
  value sum{};
  long items = 0;
  q.parallel_for(lf::range<1>(count), lf::reduction(&sum, value{}, std::plus<>()), lf::reduction(&items, lf::plus<>()),
                 [=](lf::id<1> i, auto& s, auto& n) { add(i[0], s, n); })
      .wait();
  EXPECT_EQ(sum, expected);
  EXPECT_EQ(items, count);
  sum = value{};
  items = 0;
  q.parallel_for(lf::nd_range<1>(count, 100), lf::reduction(&sum, value{}, std::plus<>()),
                 lf::reduction(&items, lf::plus<>()),
                 [=](lf::nd_item<1> it, auto& s, auto& n) { add(it.get_global_id(0), s, n); })
      .wait();
  EXPECT_EQ(sum, expected);
  EXPECT_EQ(items, count);
}

template <std::size_t... N>
void expect_sums_of_all(std::index_sequence<N...>) {
  (expect_sums<N>(), ...);
}

TEST(reduction_sizes, every_item_counts) {
  expect_sums_of_all(std::index_sequence<1, 2, 3, 5, 8, 12, 13, 16, 20, 24, 33, 40>());
}

} // namespace
