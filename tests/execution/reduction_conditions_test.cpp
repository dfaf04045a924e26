// SPDX-License-Identifier: Apache-2.0
/// Kernels that give their reducers values behind conditions, `if (x > limit) sum += x`: they are vectorised, and no
/// value is lost where work-items meet.
#include "disassembly.hpp"
#include "sanitized.hpp"

#include <lanefold/lanefold.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <numeric>
#include <string_view>
#include <vector>

namespace lf = lanefold;

// Not in an unnamed namespace: the symbols of their kernels are found by these names.
void sum_of_some_to_disassemble(lf::queue& q, const float* in, float* sum, std::size_t n) {
  q.parallel_for(lf::range<1>(n), lf::reduction(sum, lf::plus<>()), [=](lf::id<1> i, auto& total) {
     const float x = in[i];
     if (x > 100.0F) {
       total += 2.5F * x;
     }
   }).wait();
}
void sum_of_some_in_groups_to_disassemble(lf::queue& q, const float* in, float* sum, std::size_t n) {
  const int end = static_cast<int>(n);
  q.parallel_for(lf::nd_range<1>((n + 255) / 256 * 256, 256), lf::reduction(sum, lf::plus<>()),
                 [=](lf::nd_item<1> it, auto& total) {
                   const int i = static_cast<int>(it.get_global_id(0));
                   if (i < end) {
                     const float x = in[i];
                     if (x > 100.0F) {
                       total += 2.5F * x;
                     }
                   }
                 })
      .wait();
}

namespace {

class reduction_conditions : public testing::Test {
protected:
  static constexpr std::size_t n = 1000;

  reduction_conditions() : in(n + 256) { std::iota(in.begin(), in.end(), 0.0F); }

  static void expect_vectorised([[maybe_unused]] std::string_view name, [[maybe_unused]] std::string_view loop) {
// clang and SSE2 are not looked at: what they make of conditions is their own.
#if defined(__x86_64__) && !defined(LANEFOLD_TEST_SANITIZED) && !defined(LANEFOLD_CHECKED) && !defined(__clang__) &&   \
    defined(__AVX2__)
    disassembly::expect_vectorised(name, loop, disassembly::multiplies_or_adds_floats);
#endif
  }

  std::vector<float> in;
  lf::queue q{lf::property_list{lf::property::threads(2)}};
  static constexpr float sum_of_some = 2.5F * (899 * (101 + 999) / 2);
};

TEST_F(reduction_conditions, of_ranges_are_vectorised) {
  float sum = 0;
  sum_of_some_to_disassemble(q, in.data(), &sum, n);
  EXPECT_FLOAT_EQ(sum, sum_of_some);
  expect_vectorised("sum_of_some_to_disassemble", "run_items_flat");
}
TEST_F(reduction_conditions, of_groups_are_vectorised) {
  float sum = 0;
  sum_of_some_in_groups_to_disassemble(q, in.data(), &sum, n);
  EXPECT_FLOAT_EQ(sum, sum_of_some);
  expect_vectorised("sum_of_some_in_groups_to_disassemble", "run_groups_flat");
}
TEST_F(reduction_conditions, of_small_structs_are_right) {
  struct found {
    float value;
    int at;
  };
  found least{1e30F, -1};
  const auto less = [](found a, found b) { return b.value < a.value ? b : a; };
  const float* const x = in.data();
  q.parallel_for(lf::range<1>(n), lf::reduction(&least, found{1e30F, -1}, less), [=](lf::id<1> i, auto& result) {
     if (x[i] > 100.0F) {
       result.combine(found{x[i], static_cast<int>(i[0])});
     }
   }).wait();
  EXPECT_EQ(least.at, 101);
  EXPECT_EQ(least.value, 101.0F);
}

/// The first work-item of a group meets the others while it has combined a value.
TEST_F(reduction_conditions, around_barriers_lose_no_value) {
  for (const std::size_t group : {1, 7, 64, 100}) {
    int sum = 0;
    float most = 0;
    q.parallel_for(lf::nd_range<1>(20 * group, group), lf::reduction(&sum, lf::plus<>()),
                   lf::reduction(&most, lf::maximum<>()),
                   [=](lf::nd_item<1> it, auto& total, auto& greatest) {
                     const int i = static_cast<int>(it.get_global_id(0));
                     if (i % 2 == 0) {
                       total += 1;
                     }
                     lf::group_barrier(it.get_group());
                     if (i % 3 == 0) {
                       total += 1000;
                     }
                     greatest.combine(static_cast<float>(i));
                     lf::group_barrier(it.get_sub_group());
                     total += 1000000;
                   })
        .wait();
    const int items = static_cast<int>(20 * group);
    EXPECT_EQ(sum, (items + 1) / 2 + 1000 * ((items + 2) / 3) + 1000000 * items) << group;
    EXPECT_EQ(most, static_cast<float>(items - 1)) << group;
  }
}

/// The work-items before it have finished.
TEST_F(reduction_conditions, before_a_late_barrier_lose_no_value) {
  int sum = 0;
  q.parallel_for(lf::nd_range<1>(128, 128), lf::reduction(&sum, lf::plus<>()), [=](lf::nd_item<1> it, auto& total) {
     total += 1;
     if (it.get_sub_group().get_group_linear_id() == it.get_sub_group().get_group_linear_range() - 1) {
       lf::group_barrier(it.get_sub_group());
       total += 1000;
     }
   }).wait();
  EXPECT_EQ(sum % 1000, 128);
  EXPECT_GE(sum, 1000);
}

TEST_F(reduction_conditions, of_several_values_of_a_work_item_are_combined) {
  long sum = 0;
  q.parallel_for(lf::range<2>(30, 70), lf::reduction(&sum, lf::plus<long>()), [=](lf::id<2> i, auto& total) {
     for (std::size_t k = 0; k < i[0]; ++k) {
       if (k % 2 == 0) {
         total += static_cast<long>(i[1]);
       }
     }
     if (i[1] == 3) {
       return;
     }
     ++total;
   }).wait();
  long expected = 0;
  for (long i = 0; i < 30; ++i) {
    expected += (i + 1) / 2 * (69 * 70 / 2) + 69;
  }
  EXPECT_EQ(sum, expected);
}

} // namespace
