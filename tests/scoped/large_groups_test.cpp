// SPDX-License-Identifier: Apache-2.0
/// Groups of hierarchical and scoped kernels with more logical items than a work-group has work-items.
#include <lanefold/scoped.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

namespace lf = lanefold;

constexpr std::size_t items = 3 * 8192 + 5;

std::vector<int> each_once() { return std::vector<int>(2 * items, 1); }

TEST(large_groups, of_hierarchical_kernels) {
  std::vector<int> lanes(2 * items, 0), single(2 * items, 0);
  const lf::view<int> at(lanes.data(), lanes.size());
  int* const plain = single.data();
  lf::queue q;
  q.submit([&](lf::handler& h) {
     h.parallel_for_work_group(lf::range<1>(2), [=](auto g) {
       const std::size_t first = g.get_group_id(0) * items;
       g.parallel_for_work_item(lf::range<1>(items),
                                [&](auto it) { at[it.get_local_id(0) + static_cast<std::ptrdiff_t>(first)] += 1; });
       g.parallel_for_work_item(lf::range<1>(items), [&](lf::h_item<1> it) { plain[first + it.get_local_id(0)] += 1; });
     });
   }).wait();
  EXPECT_EQ(lanes, each_once());
  EXPECT_EQ(single, each_once());
}

TEST(large_groups, of_scoped_kernels) {
  std::vector<int> known(2 * items, 0), fixed(2 * items, 0);
  const lf::view<int> at(known.data(), known.size()), other(fixed.data(), fixed.size());
  lf::queue q;
  const std::size_t count = items;
  q.parallel(lf::range<1>(2), lf::range<1>(64), [=](auto g) {
     const auto first = static_cast<std::ptrdiff_t>(g.get_group_id(0) * items);
     lf::distribute_items(g, lf::range<1>(count), [&](auto it) { at[it.get_innermost_local_id(0) + first] += 1; });
     lf::distribute_items(g, lf::static_range<items>(),
                          [&](auto it) { other[it.get_innermost_local_id(0) + first] += 1; });
   }).wait();
  EXPECT_EQ(known, each_once());
  EXPECT_EQ(fixed, each_once());
}

} // namespace
