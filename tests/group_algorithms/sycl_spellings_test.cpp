// SPDX-License-Identifier: Apache-2.0
/// Group algorithms as SYCL programs spell them.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace {

TEST(sycl_spellings, joint_scans_have_the_type_of_their_result) {
  const int in[4] = {1, 2, 3, 4};
  float exclusive[4] = {}, inclusive[4] = {};
  sycl::queue()
      .parallel_for(sycl::nd_range<1>(4, 4),
                    [&](sycl::nd_item<1> it) {
                      sycl::joint_exclusive_scan(it.get_group(), in, in + 4, exclusive, sycl::plus<float>());
                      sycl::joint_inclusive_scan(it.get_group(), in, in + 4, inclusive, sycl::plus<float>());
                    })
      .wait();
  EXPECT_EQ(exclusive[3], 6.F);
  EXPECT_EQ(inclusive[3], 10.F);
}

TEST(sycl_spellings, reductions_of_half) {
  const sycl::half in[4] = {sycl::half(1), sycl::half(-2), sycl::half(3), sycl::half(4)};
  sycl::half least, sum;
  sycl::queue()
      .parallel_for(sycl::nd_range<1>(4, 4),
                    [&](sycl::nd_item<1> it) {
                      least = sycl::joint_reduce(it.get_group(), in, in + 4, sycl::minimum<sycl::half>());
                      sum = sycl::reduce_over_group(it.get_group(), in[it.get_local_id(0)], sycl::plus<>());
                    })
      .wait();
  EXPECT_EQ(static_cast<float>(least), -2.F);
  EXPECT_EQ(static_cast<float>(sum), 6.F);
}

static_assert(std::is_same_v<sycl::ext::oneapi::plus<int>, sycl::plus<int>>);
static_assert(std::is_same_v<sycl::ext::oneapi::sub_group, sycl::sub_group>);

TEST(sycl_spellings, ballots_of_the_extension) {
  unsigned count = 0;
  sycl::queue()
      .parallel_for(sycl::nd_range<1>(4, 4),
                    [&](sycl::nd_item<1> it) {
                      const auto odd = sycl::ext::oneapi::group_ballot(it.get_sub_group(), it.get_local_id(0) % 2 == 1);
                      if (it.get_local_id(0) == 0) {
                        count = static_cast<unsigned>(odd.count());
                      }
                    })
      .wait();
  EXPECT_EQ(count, 2U);
}

TEST(sycl_spellings, local_memory_where_it_is_needed) {
  std::vector<int> sums(4);
  int* const out = sums.data();
  sycl::queue()
      .parallel_for(sycl::nd_range<1>(32, 8),
                    [=](sycl::nd_item<1> it) {
                      using sycl::ext::oneapi::group_local_memory;
                      using sycl::ext::oneapi::group_local_memory_for_overwrite;
                      const std::size_t rank = it.get_local_id(0);
                      auto tile = group_local_memory_for_overwrite<int[8]>(it.get_group());
                      auto other = group_local_memory_for_overwrite<int[8]>(it.get_group());
                      auto& start = *group_local_memory<int>(it.get_group(), 100);
                      (*tile)[rank] = static_cast<int>(rank);
                      (*other)[rank] = -1;
                      sycl::group_barrier(it.get_group());
                      if (rank == 0) {
                        int sum = start;
                        for (const int x : *tile) {
                          sum += x;
                        }
                        out[it.get_group(0)] = sum;
                      }
                    })
      .wait();
  EXPECT_EQ(sums, std::vector<int>(4, 128));
}

/// Counts how often it was constructed.
struct counted_point {
  static inline std::atomic<int> constructions{0};

  int x = 3, y;
  counted_point() : y(-2) { ++constructions; }
};

TEST(sycl_spellings, local_memory_to_overwrite_is_default_initialised) {
  constexpr std::size_t groups = 6, local = 40;
  std::vector<int> right(groups * local);
  int* const out = right.data();
  counted_point::constructions = 0;
  sycl::queue()
      .parallel_for(sycl::nd_range<1>(groups * local, local),
                    [=](sycl::nd_item<1> it) {
                      using sycl::ext::oneapi::group_local_memory_for_overwrite;
                      auto& point = *group_local_memory_for_overwrite<counted_point>(it.get_group());
                      auto& table = *group_local_memory_for_overwrite<counted_point[2][3]>(it.get_group());
                      out[it.get_global_id(0)] = point.x == 3 && point.y == -2 && table[1][2].x == 3;
                      sycl::group_barrier(it.get_group());
                      point.x = table[1][2].x = 0; // what the next group finds is constructed again
                    })
      .wait();
  EXPECT_EQ(right, std::vector<int>(groups * local, 1));
  EXPECT_EQ(counted_point::constructions, static_cast<int>(groups) * (1 + 6));
}

/// Has no constructor, so that local memory of it is to be had by some work-items alone.
TEST(sycl_spellings, local_memory_of_trivial_types_meets_nobody) {
  std::vector<int> found(8);
  int* const out = found.data();
  sycl::queue()
      .parallel_for(sycl::nd_range<1>(8, 8),
                    [=](sycl::nd_item<1> it) {
                      if (it.get_local_id(0) == 5) {
                        auto& one = *sycl::ext::oneapi::group_local_memory_for_overwrite<int>(it.get_group());
                        one = 7;
                        out[5] = one;
                      }
                    })
      .wait();
  EXPECT_EQ(found[5], 7);
}

} // namespace
