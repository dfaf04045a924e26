// SPDX-License-Identifier: Apache-2.0
#include <lanefold/range.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <type_traits>

namespace lf = lanefold;
using std::size_t;

static_assert(std::is_same_v<lf::range<>, lf::range<1>>);
static_assert(std::is_same_v<decltype(lf::range(4)), lf::range<1>>);
static_assert(std::is_same_v<decltype(lf::range(4, 5)), lf::range<2>>);
static_assert(std::is_same_v<decltype(lf::range(4, 5, 6)), lf::range<3>>);
static_assert(!std::is_convertible_v<lf::range<1>, size_t>);
static_assert(!std::is_constructible_v<lf::range<2>, size_t>);
static_assert(!std::is_constructible_v<lf::range<1>, size_t, size_t>);

TEST(Range, SizeIsTheProductOfTheExtents) {
  EXPECT_EQ(lf::range<1>(7).size(), 7u);
  EXPECT_EQ(lf::range<2>(7, 3).size(), 21u);
  EXPECT_EQ(lf::range<3>(7, 3, 2).size(), 42u);
  EXPECT_EQ(lf::range<3>(7, 0, 2).size(), 0u);
  EXPECT_EQ(lf::range<2>().size(), 0u);
}

TEST(Range, TakesAPlainNumberInOneDimension) {
  const auto extent = [](lf::range<1> r) { return r[0]; };
  EXPECT_EQ(extent(1024), 1024u);
  EXPECT_TRUE(lf::range<1>(5) == 5);
  EXPECT_TRUE(6 != lf::range<1>(5));
}

TEST(Range, DividesAGlobalRangeIntoGroups) {
  constexpr lf::range<2> global{1024, 512};
  constexpr lf::range<2> local{16, 8};
  static_assert(global / local == lf::range<2>(64, 64));
  static_assert(global % local == lf::range<2>());
  EXPECT_EQ((global + local - 1) / local, lf::range<2>(64, 64));
}
