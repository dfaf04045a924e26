// SPDX-License-Identifier: Apache-2.0
#include <lanefold/id.hpp>
#include <lanefold/range.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <type_traits>
#include <vector>

namespace lf = lanefold;
using std::size_t;

static_assert(std::is_same_v<lf::id<>, lf::id<1>>);
static_assert(std::is_same_v<decltype(lf::id(4)), lf::id<1>>);
static_assert(std::is_same_v<decltype(lf::id(4, 5)), lf::id<2>>);
static_assert(std::is_same_v<decltype(lf::id(4, 5, 6)), lf::id<3>>);
static_assert(std::is_same_v<decltype(lf::id(lf::range(4, 5))), lf::id<2>>);
static_assert(std::is_convertible_v<lf::id<1>, size_t>);
static_assert(!std::is_convertible_v<lf::id<2>, size_t>);
static_assert(!std::is_convertible_v<lf::id<2>, lf::range<2>>);
static_assert(!std::is_constructible_v<lf::id<2>, size_t>);

TEST(Id, IsItsIndexInOneDimension) {
  const lf::id<1> i = 3;
  std::vector<float> values{0.f, 1.f, 2.f, 30.f};
  EXPECT_EQ(values[i], 30.f);
  const size_t plain = i;
  EXPECT_EQ(plain, 3u);
  EXPECT_EQ(static_cast<int>(i), 3);
  EXPECT_EQ(i * 0.5, 1.5);
  EXPECT_EQ(0.5f + i, 3.5f);
  EXPECT_EQ(*(values.data() + i), 30.f);
}

TEST(Id, ComparesWithPlainNumbersInOneDimension) {
  const lf::id<1> i{3};
  EXPECT_TRUE(i == 3);
  EXPECT_TRUE(3u == i);
  EXPECT_TRUE(i != size_t{4});
  bool inside = false;
  if (i < 10 && i >= size_t{3}) {
    inside = true;
  }
  EXPECT_TRUE(inside);
  EXPECT_TRUE(i < 3.5);
  EXPECT_FALSE(i > 3.5);
}

TEST(Id, IsMadeFromARangeAndCalculatesWithIt) {
  const lf::range<2> extents{8, 16};
  const lf::id<2> last = lf::id<2>(extents) - 1;
  EXPECT_EQ(last, lf::id<2>(7, 15));
  EXPECT_EQ((lf::id<2>{3, 2} * extents), lf::id<2>(24, 32));
  EXPECT_EQ((extents + lf::id<2>{3, 2}), lf::id<2>(11, 18));
  static_assert(std::is_same_v<decltype(extents + last), lf::id<2>>);
  EXPECT_TRUE((lf::id<2>{8, 16} == extents));
  lf::id<2> moved{1, 1};
  moved += extents;
  EXPECT_EQ(moved, lf::id<2>(9, 17));
}

namespace {

struct item_like {
  lf::id<2> where;
  lf::id<2> get_id() const { return where; }
};

} // namespace

TEST(Id, IsMadeFromAnItem) {
  const auto column = [](lf::id<2> i) { return i[1]; };
  EXPECT_EQ(column(item_like{{4, 9}}), 9u);
  static_assert(!std::is_constructible_v<lf::id<1>, item_like>);
  EXPECT_EQ((item_like{{4, 9}} + lf::id<2>{1, 1}), lf::id<2>(5, 10));
}
