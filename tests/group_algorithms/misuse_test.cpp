// SPDX-License-Identifier: Apache-2.0
/// Calls that not all work-items make, or not the same: errors that say so, and the queue works afterwards.
#include "testing.hpp"

namespace {

/// Launches still work, with the same algorithms.
void expect_usable() {
  int total = 0;
  const lf::view<int> t(&total, 1);
  run_groups<lf::scalar>(1, 50, [=](lf::nd_item<1> it) {
    const int sum = lf::reduce_over_group(it.get_group(), 1, lf::plus<>{});
    if (it.get_local_id(0) == 49) {
      t[0] = sum;
    }
  });
  EXPECT_EQ(total, 50);
}

template <class Strategy>
class divergent_calls : public ::testing::Test {};
using lane_strategies = ::testing::Types<lf::simd<4>, lf::simd<64>>;
TYPED_TEST_SUITE(divergent_calls, lane_strategies, strategy_names);

TYPED_TEST(divergent_calls, are_errors) {
  for (const std::size_t local : {3, 64}) {
    EXPECT_NE(message_of([&] {
                run_groups<TypeParam>(2, local, [](auto it) {
                  it.if_(it.get_local_id(0) < 2, [&] { lf::reduce_over_group(it.get_group(), 1, lf::plus<>{}); });
                });
              }).find("divergent"),
              std::string::npos);
    EXPECT_NE(message_of([&] {
                run_groups<TypeParam>(2, local, [](auto it) {
                  it.if_(it.get_local_id(0) < 2, [&] { lf::any_of_group(it.get_sub_group(), true); });
                });
              }).find("divergent"),
              std::string::npos);
    expect_usable();
  }
}

TEST(different_calls, are_errors) {
  for (const auto engine : engines) {
    EXPECT_NE(message_of([&] {
                run_groups<lf::scalar>(
                    2, 12,
                    [](lf::nd_item<1> it) {
                      if (it.get_local_id(0) < 6) {
                        lf::reduce_over_group(it.get_group(), 1, lf::plus<>{});
                      } else {
                        lf::any_of_group(it.get_group(), true);
                      }
                    },
                    engine);
              }).find("different group algorithms: of 12 units 6"),
              std::string::npos);
    expect_usable();
    for (const std::size_t lonely : {0, 3, 11}) {
      EXPECT_NE(message_of([&] {
                  run_groups<lf::scalar>(
                      2, 12,
                      [=](lf::nd_item<1> it) {
                        if (it.get_local_id(0) == lonely) {
                          it.barrier();
                        } else {
                          lf::reduce_over_group(it.get_group(), 1, lf::plus<>{});
                        }
                      },
                      engine);
                }).find("different group algorithms"),
                std::string::npos)
          << lonely;
      expect_usable();
    }
  }
}

TEST(missing_calls, are_errors) {
  for (const auto engine : engines) {
    for (const std::size_t lonely : {0, 3, 11}) {
      EXPECT_FALSE(message_of([&] {
                     run_groups<lf::scalar>(
                         2, 12,
                         [=](lf::nd_item<1> it) {
                           if (it.get_local_id(0) != lonely) {
                             lf::reduce_over_group(it.get_group(), 1, lf::plus<>{});
                           }
                         },
                         engine);
                   }).empty())
          << lonely;
      expect_usable();
    }
  }
}

TEST(operators, may_throw) {
  for (const auto engine : engines) {
    EXPECT_NE(message_of([&] {
                run_groups<lf::scalar>(
                    2, 12,
                    [](lf::nd_item<1> it) {
                      lf::reduce_over_group(it.get_group(), 1, [](int a, int b) {
                        return a + b > 7 ? throw std::runtime_error("too many") : a + b;
                      });
                    },
                    engine);
              }).find("too many"),
              std::string::npos);
    expect_usable();
  }
}

} // namespace
