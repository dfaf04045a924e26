// SPDX-License-Identifier: Apache-2.0
/// Few work-groups of heavy work-items that do not meet: threads share sub-groups, too, once a launch has shown that.

#include "group_scope.hpp"
#include "thrown.hpp"

#include <lanefold/lanefold.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace lf = lanefold;

namespace {

class divided_sub_groups_test : public testing::Test {
  void SetUp() override {
    if constexpr (lf::detail::checked_build) {
      GTEST_SKIP() << "checked builds look at groups as a whole";
    }
  }

  const group_scope_is_used m_scopes{false};
};

/// Says what a launch of heavy work-items has been like.
struct heavy_launch {
  std::vector<int> out;         ///< of each work-item
  std::size_t most_threads = 0; ///< that have run work-items of one sub-group
  std::string error;
};

enum class heavy { apart, odd_sub_groups_meet, second_half_meets, one_fails };

/// Runs work-items that sleep, two groups of four sub-groups. Each case is one kernel, of which is remembered what its
/// launches have found.
template <int Case>
heavy_launch launch_heavy(heavy how) {
  constexpr std::size_t local = 128, size = 2 * local, sub_group = 32;
  heavy_launch result{std::vector<int>(size, -1), 0, {}};
  std::vector<int> in(size, 0);
  std::vector<std::thread::id> ran(size);
  const auto submit = [&] {
    lf::queue(lf::property::threads(4))
        .parallel_for(lf::nd_range<2>({2, local}, {1, local}), lf::properties{lf::property::sub_group_size{sub_group}},
                      [=, x = in.data(), y = result.out.data(), by = ran.data()](lf::nd_item<2> it) {
                        const auto own = it.get_global_linear_id();
                        by[own] = std::this_thread::get_id();
                        // The last sub-group keeps its thread busy when others have nothing left to do.
                        const bool last = it.get_local_id(1) >= local - sub_group;
                        std::this_thread::sleep_for(std::chrono::microseconds(last ? 500 : 10));
                        if (how == heavy::one_fails && own == local + sub_group) {
                          throw std::runtime_error("of the kernel");
                        }
                        x[own] = static_cast<int>(own);
                        const auto s = it.get_sub_group();
                        if (how == heavy::odd_sub_groups_meet && s.get_group_linear_id() % 2 == 1) {
                          lf::group_barrier(s);
                        }
                        if (how == heavy::second_half_meets && it.get_local_id(1) >= local / 2) {
                          lf::group_barrier(it.get_group());
                        }
                        const bool meets = how == heavy::odd_sub_groups_meet && s.get_group_linear_id() % 2 == 1;
                        y[own] = x[meets ? own ^ 31 : own];
                      })
        .wait_and_throw();
  };
  try {
    submit();
  } catch (const std::exception& e) {
    result.error = e.what();
  }
  for (std::size_t first = 0; first != size; first += sub_group) {
    if (first % local == 0) {
      continue;
    }
    const std::set<std::thread::id> threads(ran.begin() + static_cast<std::ptrdiff_t>(first),
                                            ran.begin() + static_cast<std::ptrdiff_t>(first + sub_group));
    result.most_threads = std::max(result.most_threads, threads.size());
  }
  return result;
}

using launcher = heavy_launch (*)(heavy);

/// Launches heavy work-items until several threads have shared a sub-group. It may fail where other programs keep a
/// thread from running for so long that the work-items seem to be vectorised.
bool shares_sub_groups(launcher launch) {
  for (int launches = 0; launches != 50; ++launches) {
    const heavy_launch one = launch(heavy::apart);
    EXPECT_EQ(one.error, "");
    for (std::size_t i = 0; i < one.out.size(); ++i) {
      EXPECT_EQ(one.out[i], static_cast<int>(i));
    }
    if (one.most_threads > 1) {
      return true;
    }
  }
  return false;
}

/// Returns the launch of a kernel that has shared sub-groups; null if there is none.
launcher launch_that_shares_sub_groups() {
  for (const launcher each :
       {&launch_heavy<0>, &launch_heavy<1>, &launch_heavy<2>, &launch_heavy<3>, &launch_heavy<4>, &launch_heavy<5>}) {
    if (shares_sub_groups(each)) {
      return each;
    }
  }
  return nullptr;
}

/// A launch that sub-groups meet in has them on one thread each, whatever the ones before have been like.
TEST_F(divided_sub_groups_test, share_sub_groups_whose_work_items_are_heavy_and_do_not_meet) {
  const launcher launch = launch_that_shares_sub_groups();
  ASSERT_NE(launch, nullptr);
  for (int again = 0; again < 2; ++again) {
    const heavy_launch meeting = launch(heavy::odd_sub_groups_meet);
    EXPECT_EQ(meeting.error, "");
    for (std::size_t i = 0; i < meeting.out.size(); ++i) {
      EXPECT_EQ(meeting.out[i], static_cast<int>(i / 32 % 2 == 1 ? i ^ 31 : i));
    }
  }
  EXPECT_EQ(launch(heavy::apart).most_threads, 1U) << "sub-groups have met";
}

TEST_F(divided_sub_groups_test, refuse_barriers_that_others_have_not_reached_where_parts_are_small) {
  const launcher launch = launch_that_shares_sub_groups();
  ASSERT_NE(launch, nullptr);
  EXPECT_MENTIONS(launch(heavy::second_half_meets).error, "a barrier was not reached by every unit of the work-group");
}

TEST_F(divided_sub_groups_test, name_the_work_item_that_fails_where_parts_are_small) {
  const launcher launch = launch_that_shares_sub_groups();
  ASSERT_NE(launch, nullptr);
  for (int again = 0; again < 3; ++again) {
    const std::string error = launch(heavy::one_fails).error;
    EXPECT_MENTIONS(error, "of the kernel");
    EXPECT_MENTIONS(error, "work-group (1, 0), work-item (1, 32)");
  }
}

} // namespace
