// SPDX-License-Identifier: Apache-2.0
/// One heavy work-item is worth a thread, in the first launch of a kernel, too.
#include <lanefold/lanefold.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace lf = lanefold;

namespace {

/// The parts of a launch that must run at the same time: each waits for the others.
class meeting {
public:
  explicit meeting(int parts) : m_parts(parts) {}

  void arrive() {
    ++m_arrived;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (m_arrived < m_parts && std::chrono::steady_clock::now() < end) {
      std::this_thread::yield();
    }
  }
  [[nodiscard]] bool complete_in_time(std::chrono::steady_clock::time_point begin) const {
    return m_arrived == m_parts && std::chrono::steady_clock::now() < begin + std::chrono::seconds(15);
  }

private:
  const int m_parts;
  std::atomic<int> m_arrived{0};
};

/// Has `submit(queue, part)` make a launch in which `part()` is to be called twice at the same time.
template <class Submit>
void expect_two_at_once(const Submit& submit) {
  lf::queue q{lf::property::threads(2)};
  meeting both(2);
  const auto begin = std::chrono::steady_clock::now();
  submit(q, [&both] { both.arrive(); }).wait_and_throw();
  EXPECT_TRUE(both.complete_in_time(begin)) << "one thread has run both";
}

TEST(shares_test, two_items_of_a_range) {
  expect_two_at_once(
      [](lf::queue& q, auto part) { return q.parallel_for(lf::range<1>(2), [=](lf::id<1>) { part(); }); });
}

TEST(shares_test, a_row_a_column_and_a_plane) {
  // Each is a kernel of its own: of one that was cheap, nobody expects that two work-items are worth a thread.
  using lf::range;
  expect_two_at_once([](lf::queue& q, auto part) { return q.parallel_for(range(1, 2), [=](lf::id<2>) { part(); }); });
  expect_two_at_once([](lf::queue& q, auto part) { return q.parallel_for(range(2, 1), [=](lf::id<2>) { part(); }); });
  expect_two_at_once(
      [](lf::queue& q, auto part) { return q.parallel_for(range(2, 1, 1), [=](lf::item<3>) { part(); }); });
  expect_two_at_once(
      [](lf::queue& q, auto part) { return q.parallel_for(range(1, 2, 1), [=](lf::item<3>) { part(); }); });
  expect_two_at_once(
      [](lf::queue& q, auto part) { return q.parallel_for(range(1, 1, 2), [=](lf::item<3>) { part(); }); });
}

TEST(shares_test, two_units_of_lanes) {
  expect_two_at_once([](lf::queue& q, auto part) {
    const lf::properties how{lf::property::strategy<lf::simd<16>>{}};
    return q.parallel_for(lf::range<1>(32), how, [=](auto) { part(); });
  });
}

TEST(shares_test, two_groups) {
  expect_two_at_once(
      [](lf::queue& q, auto part) { return q.parallel_for(lf::nd_range<1>(2, 1), [=](lf::nd_item<1>) { part(); }); });
}

TEST(shares_test, two_items_of_a_reduction) {
  int sum = 0;
  expect_two_at_once([&](lf::queue& q, auto part) {
    return q.parallel_for(lf::range<1>(2), lf::reduction(&sum, lf::plus<>()), [=](lf::id<1>, auto& total) {
      part();
      total += 1;
    });
  });
  EXPECT_EQ(sum, 2);
}

/// Every work-item of every shape runs once, whatever it costs.
TEST(shares_test, uneven_items_run_once) {
  lf::queue q{lf::property::threads(3)};
  for (const lf::range<3> extents : {lf::range<3>(1, 1, 1), lf::range<3>(5, 7, 3), lf::range<3>(2, 3, 100),
                                     lf::range<3>(1, 2, 5000), lf::range<3>(300, 1, 1)}) {
    std::vector<std::atomic<int>> runs(extents.size());
    std::atomic<int>* const to = runs.data();
    const auto count = [=](lf::item<3> it) {
      if (it.get_linear_id() % 97 == 0) {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      }
      ++to[it.get_linear_id()];
    };
    q.parallel_for(extents, count).wait_and_throw();
    for (std::size_t i = 0; i < runs.size(); ++i) {
      ASSERT_EQ(runs[i], 1) << "work-item " << i << " of " << runs.size();
    }
  }
}

} // namespace
