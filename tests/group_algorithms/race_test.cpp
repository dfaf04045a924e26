// SPDX-License-Identifier: Apache-2.0
// Group functions are synchronisation points [sycl.4.17.2]: the race detector of checked builds takes them for barriers
// of their group.
#include <lanefold/execution.hpp>
#include <lanefold/group_algorithms.hpp>
#include <lanefold/memory.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace lf = lanefold;

namespace {

constexpr std::size_t size = 64;

/// What a kernel of one group fails with, empty if it does not. It gets local memory of `size`, which is written.
template <class Strategy, class Kernel>
std::string failure_of(Kernel kernel) {
  std::vector<int> memory(size);
  const lf::view<int> global(memory.data(), memory.size());
  lf::queue q;
  try {
    q.submit([&](lf::handler& h) {
       const lf::local_accessor<int> local(size, h);
       h.parallel_for(lf::nd_range<1>(size, size), lf::properties{lf::property::strategy<Strategy>{}}, [=](auto it) {
         const auto l = it.get_local_id(0);
         local[l] = 1;
         lf::group_barrier(it.get_group());
         kernel(it, local, global);
       });
     }).wait_and_throw();
  } catch (const lf::exception& e) {
    return e.what();
  }
  return {};
}

template <class Strategy>
class group_function_races : public ::testing::Test {};
using race_strategies = ::testing::Types<lf::scalar, lf::simd<16>>;
TYPED_TEST_SUITE(group_function_races, race_strategies, );

TYPED_TEST(group_function_races, reduction_orders_its_group) {
  EXPECT_EQ(failure_of<TypeParam>([](auto it, auto local, auto global) {
              const auto l = it.get_local_id(0);
              const auto sum = lf::reduce_over_group(it.get_group(), local[size - 1 - l] + 0, lf::plus<>());
              local[l] = sum;
              lf::group_barrier(it.get_group());
              global[l] = local[size - 1 - l];
            }),
            "");
}

TYPED_TEST(group_function_races, function_of_a_sub_group_orders_that_only) {
  const auto exchange = [](std::size_t distance) {
    return [=](auto it, auto local, auto global) {
      const auto l = it.get_local_id(0);
      local[l] = 2;
      lf::group_barrier(it.get_sub_group());
      global[l] = local[(l + distance) % size];
    };
  };
  EXPECT_NE(failure_of<TypeParam>(exchange(size / 2)), "");
}

TYPED_TEST(group_function_races, joint_algorithms_work_on_behalf_of_the_group) {
  EXPECT_EQ(failure_of<TypeParam>([](auto it, auto local, auto global) {
              const auto l = it.get_local_id(0);
              global[l] = local[size - 1 - l];
              lf::joint_inclusive_scan(it.get_group(), local.begin(), local.end(), local.begin(), lf::plus<>());
              global[l] = local[size - 1 - l];
            }),
            "");
}

} // namespace
