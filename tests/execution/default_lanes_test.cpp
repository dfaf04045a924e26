// SPDX-License-Identifier: Apache-2.0
/// The lanes that generic kernels get where nobody asks for some: groups of any width, in every number of dimensions.
#include <lanefold/execution.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <type_traits>
#include <vector>

namespace {

namespace lf = lanefold;

constexpr std::size_t native = lf::detail::native_lanes;

/// Lanes and rows of a unit; 1 and 1 of work-items one at a time.
struct unit {
  std::size_t lanes, rows;
};

/// Runs a kernel with a barrier, whose work-items exchange what they have with the opposite one of their group, and
/// returns the units that it had.
template <int D>
unit run(const lf::range<D>& groups, const lf::range<D>& local) {
  const std::size_t group = local.size(), all = groups.size() * group;
  std::vector<int> got(all, -1);
  unit found{1, 1};
  const lf::view<int> out(got.data(), all);
  lf::queue()
      .submit([&](lf::handler& h) {
        const lf::local_accessor<int> mine(group, h);
        h.parallel_for(lf::nd_range<D>(groups * local, local), [=, &found](auto it) {
          using strategy = typename decltype(it)::lanes;
          if constexpr (!std::is_same_v<strategy, lf::scalar>) {
            found = {strategy::size, strategy::rows};
          }
          const auto l = it.get_local_linear_id();
          mine[l] = lf::convert<int>(l) * 2 + 1;
          lf::group_barrier(it.get_group());
          out[it.get_group().get_group_linear_id() * group + l] = mine[group - 1 - l];
        });
      })
      .wait();
  for (std::size_t i = 0; i < all; ++i) {
    EXPECT_EQ(got[i], static_cast<int>(group - 1 - i % group) * 2 + 1) << "work-item " << i << " of " << local[D - 1];
  }
  return found;
}

TEST(default_lanes, are_four_registers_where_rows_fill_three_quarters) {
  for (const std::size_t width : {3 * native, 4 * native, 6 * native + 1, 7 * native, 8 * native, 9 * native + 3}) {
    const unit found = run(lf::range<1>(3), lf::range<1>(width));
    EXPECT_EQ(found.lanes, 4 * native) << width;
    EXPECT_EQ(found.rows, 1U) << width;
  }
}

TEST(default_lanes, are_one_register_where_a_quarter_is_in_use) {
  for (const std::size_t width : {native / 4 + 1, native, native + 1, 2 * native + 1, 5 * native}) {
    EXPECT_EQ(run(lf::range<1>(3), lf::range<1>(width)).lanes, native) << width;
  }
}

TEST(default_lanes, are_work_items_where_less_is) {
  EXPECT_EQ(run(lf::range<1>(5), lf::range<1>(1)).lanes, 1U);
  EXPECT_EQ(run(lf::range<2>(2, 3), lf::range<2>(5, 1)).lanes, 1U);
  EXPECT_EQ(run(lf::range<3>(2, 2, 3), lf::range<3>(5, 1, 1)).lanes, 1U);
}

TEST(default_lanes, are_rows_of_a_quarter_of_a_register_and_more) {
  const auto check = [](std::size_t width, std::size_t rows) {
    SCOPED_TRACE(width);
    const unit flat = run(lf::range<2>(2, 3), lf::range<2>(4, width));
    EXPECT_EQ(flat.rows, rows);
    EXPECT_EQ(flat.lanes, rows * width);
    const unit cube = run(lf::range<3>(2, 2, 3), lf::range<3>(3, 5, width));
    EXPECT_EQ(cube.rows, rows);
    EXPECT_EQ(cube.lanes, rows * width);
  };
  check(2 * native, 2);
  check(native, 4);
  if (native >= 8) {
    check(native / 2, 8);
  }
  if (native >= 16) {
    check(native / 4, 4);
  }
}

/// Cannot be the elements of lanes.
struct counted {
  float x;
  int number;
};

TEST(default_lanes, kernels_over_ranges_are_compiled_for_the_strategy_that_is_asked_for_only) {
  std::vector<counted> all(10);
  const lf::view<counted> out(all.data(), all.size());
  lf::queue()
      .parallel_for(lf::range<1>(all.size()), lf::property::strategy<lf::scalar>{},
                    [=](auto it) {
                      const auto i = it.get_id(0);
                      counted c = out[i];
                      c.number += static_cast<int>(i);
                      out[i] = c;
                    })
      .wait();
  EXPECT_EQ(all[7].number, 7);
}

} // namespace
