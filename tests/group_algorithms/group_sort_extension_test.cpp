// SPDX-License-Identifier: Apache-2.0
/// Group sorting, device_global and hints for queues as oneAPI's extensions spell them.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <vector>

namespace {

namespace experimental = sycl::ext::oneapi::experimental;

experimental::device_global<const float[4]> table{1.F, 2.F, 3.F, 4.F};
experimental::device_global<int> counter;
experimental::device_global<const int[3]> three;

TEST(device_global, is_seen_by_host_and_kernels) {
  sycl::queue q(
      sycl::property_list{sycl::ext::oneapi::property::queue::priority_high(), sycl::property::queue::in_order()});
  const std::array<int, 3> values{5, 6, 7};
  q.memcpy(three, values.data());
  q.memcpy(counter, values.data(), sizeof(int));
  std::array<float, 4> sums{};
  q.parallel_for(sycl::range<1>(4), [=, to = sums.data()](sycl::id<1> i) {
     to[i] = table[i] + static_cast<float>(counter + three[1]);
   }).wait();
  EXPECT_EQ(sums, (std::array<float, 4>{12, 13, 14, 15}));

  counter = 9;
  std::array<int, 2> out{};
  q.memcpy(&out[0], counter);
  q.submit([&](sycl::handler& h) { h.memcpy(&out[1], three, sizeof(int), 2 * sizeof(int)); }).wait();
  EXPECT_EQ(out, (std::array<int, 2>{9, 7}));
}

TEST(group_sort_extension, sorts_with_scratchpads_and_sorters) {
  constexpr int n = 64;
  std::vector<int> values(n), downwards(n), upwards(n);
  for (int i = 0; i < n; ++i) {
    values[static_cast<std::size_t>(i)] = i * 37 % n;
  }
  const std::vector<int> in = values;
  using sorter = experimental::default_sorters::joint_sorter<>;
  sycl::queue()
      .submit([&](sycl::handler& h) {
        const sycl::local_accessor<std::byte> memory(sorter::memory_required<int>(sycl::memory_scope::work_group, n),
                                                     h);
        h.parallel_for(sycl::nd_range<1>(n, n), [=, from = in.data(), all = values.data(), down = downwards.data(),
                                                 up = upwards.data()](sycl::nd_item<1> it) {
          const auto g = it.get_group();
          const auto i = it.get_local_id(0);
          const sycl::span<std::byte> scratch(memory.get_multi_ptr<sycl::access::decorated::no>().get(), memory.size());
          const experimental::group_with_scratchpad with_memory(g, scratch);
          down[i] = experimental::sort_over_group(with_memory, from[i], std::greater<>());
          up[i] = experimental::sort_over_group(g, from[i], experimental::default_sorters::group_sorter<int>(scratch));
          experimental::joint_sort(with_memory, all, all + n / 2);
          experimental::joint_sort(g, all + n / 2, all + n, sorter(scratch));
        });
      })
      .wait();
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(upwards[i], static_cast<int>(i));
    EXPECT_EQ(downwards[i], n - 1 - static_cast<int>(i));
  }
  EXPECT_TRUE(std::is_sorted(values.begin(), values.begin() + n / 2));
  EXPECT_TRUE(std::is_sorted(values.begin() + n / 2, values.end()));
  EXPECT_NE(values, upwards);
}

/// Those that sort by digits, and those of before.
TEST(group_sort_extension, has_other_sorters) {
  constexpr std::size_t n = 32;
  using experimental::sorting_order;
  using joint = experimental::radix_sorters::joint_sorter<float, sorting_order::descending>;
  using older = experimental::default_sorter<std::greater<>>;
  using older_radix = experimental::radix_sorter<float>;
  static_assert(joint::memory_required(sycl::memory_scope::work_group, n) > 0);
  static_assert(older_radix::memory_required(sycl::memory_scope::work_group, n) > 0);
  static_assert(older::memory_required<float>(sycl::memory_scope::work_group, sycl::range<1>(n)) > 0);
  std::vector<float> values(2 * n), by_group(n), by_older(n), by_older_radix(n);
  for (std::size_t i = 0; i < 2 * n; ++i) {
    values[i] = static_cast<float>(i * 37 % (2 * n)) - 9.5F;
  }
  const std::vector<float> in(values.begin(), values.begin() + n);
  sycl::queue()
      .submit([&](sycl::handler& h) {
        const sycl::local_accessor<std::byte> memory(n * sizeof(float), h);
        h.parallel_for(sycl::nd_range<1>(n, n), [=, from = in.data(), all = values.data(), group = by_group.data(),
                                                 before = by_older.data(),
                                                 radix = by_older_radix.data()](sycl::nd_item<1> it) {
          const auto g = it.get_group();
          const auto i = it.get_local_id(0);
          const sycl::span<std::byte> scratch(memory.get_multi_ptr<sycl::access::decorated::no>().get(), memory.size());
          experimental::joint_sort(g, all, all + n, joint(scratch));
          experimental::joint_sort(g, all + n, all + 2 * n, older_radix(scratch));
          group[i] =
              experimental::sort_over_group(g, from[i], experimental::radix_sorters::group_sorter<float>(scratch));
          before[i] = experimental::sort_over_group(g, from[i], older(scratch));
          radix[i] = experimental::sort_over_group(g, from[i], older_radix(scratch));
        });
      })
      .wait();
  std::vector<float> upwards = in;
  std::sort(upwards.begin(), upwards.end());
  EXPECT_EQ(by_group, upwards);
  EXPECT_EQ(by_older_radix, upwards);
  EXPECT_TRUE(std::is_sorted(values.begin() + n, values.end()));
  std::reverse(upwards.begin(), upwards.end());
  EXPECT_EQ(by_older, upwards);
  EXPECT_EQ(std::vector<float>(values.begin(), values.begin() + n), upwards);
}

} // namespace
