// SPDX-License-Identifier: Apache-2.0
#include <lanefold/id.hpp>
#include <lanefold/range.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace lf = lanefold;
using std::size_t;

namespace {

// Not a template: the operators are checked for every type, and this is what takes time to compile.
void expect_equal(size_t actual, size_t expected, int dimension) {
  EXPECT_EQ(actual, expected) << "dimension " << dimension;
}

/// These test what id and range share for both, in one to six dimensions.
template <class Point>
class Coordinates : public testing::Test {
public:
  static constexpr int dimensions = Point::dimensions;

  static constexpr Point make(size_t a, size_t b, size_t c) {
    const std::array<size_t, 3> values{a, b, c};
    Point point;
    for (int d = 0; d < dimensions; ++d) {
      point[d] = values[static_cast<size_t>(d)];
    }
    return point;
  }

  /// Applies `op` to points, and to a point and a scalar in both orders, against the same done by hand.
  template <class Operator>
  static void check(Operator op) {
    const Point a = make(13, 6, 9);
    const Point b = make(3, 6, 10);
    const size_t s = 6;
    for (int d = 0; d < dimensions; ++d) {
      expect_equal(op(a, b)[d], static_cast<size_t>(op(a[d], b[d])), d);
      expect_equal(op(a, s)[d], static_cast<size_t>(op(a[d], s)), d);
      expect_equal(op(s, a)[d], static_cast<size_t>(op(s, a[d])), d);
      expect_equal(op(a, 6)[d], static_cast<size_t>(op(a[d], s)), d);
      expect_equal(op(6, a)[d], static_cast<size_t>(op(s, a[d])), d);
    }
    static_assert(std::is_same_v<decltype(op(a, b)), Point>);
    static_assert(std::is_same_v<decltype(op(a, s)), Point>);
    static_assert(std::is_same_v<decltype(op(6, a)), Point>);
  }

  template <class Assign, class Operator>
  static void check_assignment(Assign assign, Operator op) {
    const Point before = make(13, 6, 9);
    Point by_point = before;
    EXPECT_TRUE(&assign(by_point, make(3, 5, 2)) == &by_point);
    EXPECT_TRUE(by_point == op(before, make(3, 5, 2)));
    Point by_scalar = before;
    EXPECT_TRUE(&assign(by_scalar, size_t{3}) == &by_scalar);
    EXPECT_TRUE(by_scalar == op(before, size_t{3}));
  }
};

using Points = testing::Types<lf::range<1>, lf::range<2>, lf::range<3>, lf::id<1>, lf::id<2>, lf::id<3>>;
TYPED_TEST_SUITE(Coordinates, Points);

} // namespace

TEST(MoreThanThreeDimensions, AreMadeAndComputedWithAsOthers) {
  constexpr lf::range extents{2, 3, 4, 5};
  static_assert(std::is_same_v<decltype(extents), const lf::range<4>> && extents.size() == 120);
  static_assert(std::is_same_v<decltype(lf::id{1, 2, 3, 4, 5, 6}), lf::id<6>>);
  static_assert(sizeof(lf::id<6>) == 6 * sizeof(size_t));
  const lf::id<4> at = lf::id{1, 2, 3, 4} + lf::id<4>(extents);
  EXPECT_TRUE(at == (lf::id<4>(3, 5, 7, 9)));
  EXPECT_TRUE(at * 2 == (lf::id<4>(6, 10, 14, 18)));
  EXPECT_EQ(get<3>(at), 9U);
}

TEST(MoreThanThreeDimensions, PlanesAreCountedInRowMajorOrder) {
  constexpr lf::range extents{2, 3, 4, 5, 6};
  EXPECT_EQ(lf::detail::planes_of(extents), 24U);
  EXPECT_EQ(lf::detail::planes_of(lf::range<2>(7, 8)), 1U);
  EXPECT_EQ(lf::detail::planes_of(lf::range<3>(7, 8, 9)), 7U);
  lf::id<5> at(0, 0, 0, 3, 4);
  for (size_t plane = 0; plane < 24; ++plane) {
    lf::id<5> moved(9, 9, 9, 3, 4);
    lf::detail::set_plane(moved, plane, extents);
    EXPECT_TRUE(moved == at) << plane;
    EXPECT_TRUE(moved == (lf::id<5>(plane / 12, plane / 4 % 3, plane % 4, 3, 4)));
    lf::detail::next_plane(at, extents);
  }
  EXPECT_EQ(at[0], 2U);
}

TYPED_TEST(Coordinates, AreTriviallyCopyableValues) {
  static_assert(std::is_trivially_copyable_v<TypeParam>);
  static_assert(std::is_standard_layout_v<TypeParam>);
  static_assert(std::is_nothrow_default_constructible_v<TypeParam>);
  static_assert(sizeof(TypeParam) == TypeParam::dimensions * sizeof(size_t));
}

TYPED_TEST(Coordinates, AreZeroByDefault) {
  constexpr TypeParam point;
  for (int d = 0; d < TypeParam::dimensions; ++d) {
    EXPECT_EQ(point[d], 0u);
  }
}

TYPED_TEST(Coordinates, GiveAndTakeSingleDimensions) {
  TypeParam point = this->make(4, 5, 6);
  for (int d = 0; d < TypeParam::dimensions; ++d) {
    EXPECT_EQ(point.get(d), static_cast<size_t>(4 + d));
    EXPECT_EQ(std::as_const(point)[d], static_cast<size_t>(4 + d));
    point[d] = 70;
    EXPECT_EQ(point.get(d), 70u);
  }
}

TYPED_TEST(Coordinates, CompareAllDimensions) {
  const TypeParam point = this->make(4, 5, 6);
  EXPECT_TRUE(point == this->make(4, 5, 6));
  EXPECT_FALSE(point != this->make(4, 5, 6));
  for (int d = 0; d < TypeParam::dimensions; ++d) {
    TypeParam other = point;
    ++other[d];
    EXPECT_FALSE(point == other);
    EXPECT_TRUE(point != other);
  }
}

TYPED_TEST(Coordinates, HaveElementWiseOperators) {
  this->check([](auto a, auto b) { return a + b; });
  this->check([](auto a, auto b) { return a - b; });
  this->check([](auto a, auto b) { return a * b; });
  this->check([](auto a, auto b) { return a / b; });
  this->check([](auto a, auto b) { return a % b; });
  this->check([](auto a, auto b) { return a << b; });
  this->check([](auto a, auto b) { return a >> b; });
  this->check([](auto a, auto b) { return a & b; });
  this->check([](auto a, auto b) { return a | b; });
  this->check([](auto a, auto b) { return a ^ b; });
  this->check([](auto a, auto b) { return a && b; });
  this->check([](auto a, auto b) { return a || b; });
  this->check([](auto a, auto b) { return a < b; });
  this->check([](auto a, auto b) { return a > b; });
  this->check([](auto a, auto b) { return a <= b; });
  this->check([](auto a, auto b) { return a >= b; });
}

TYPED_TEST(Coordinates, HaveCompoundAssignments) {
  this->check_assignment([](auto& a, auto b) -> auto& { return a += b; }, [](auto a, auto b) { return a + b; });
  this->check_assignment([](auto& a, auto b) -> auto& { return a -= b; }, [](auto a, auto b) { return a - b; });
  this->check_assignment([](auto& a, auto b) -> auto& { return a *= b; }, [](auto a, auto b) { return a * b; });
  this->check_assignment([](auto& a, auto b) -> auto& { return a /= b; }, [](auto a, auto b) { return a / b; });
  this->check_assignment([](auto& a, auto b) -> auto& { return a %= b; }, [](auto a, auto b) { return a % b; });
  this->check_assignment([](auto& a, auto b) -> auto& { return a <<= b; }, [](auto a, auto b) { return a << b; });
  this->check_assignment([](auto& a, auto b) -> auto& { return a >>= b; }, [](auto a, auto b) { return a >> b; });
  this->check_assignment([](auto& a, auto b) -> auto& { return a &= b; }, [](auto a, auto b) { return a & b; });
  this->check_assignment([](auto& a, auto b) -> auto& { return a |= b; }, [](auto a, auto b) { return a | b; });
  this->check_assignment([](auto& a, auto b) -> auto& { return a ^= b; }, [](auto a, auto b) { return a ^ b; });
}

TYPED_TEST(Coordinates, HaveUnaryOperators) {
  const TypeParam start = this->make(4, 5, 6);
  TypeParam point = start;
  EXPECT_EQ(+point, start);
  EXPECT_EQ(-point, size_t{0} - start);
  EXPECT_EQ(++point, start + 1);
  EXPECT_EQ(point++, start + 1);
  EXPECT_EQ(point, start + 2);
  EXPECT_EQ(--point, start + 1);
  EXPECT_EQ(point--, start + 1);
  EXPECT_EQ(point, start);
}

TEST(coordinates, are_assigned_from_braces) {
  lf::range<1> extent(8);
  extent /= {2};
  EXPECT_EQ(extent, lf::range<1>(4));
  lf::id<3> index(1, 2, 3);
  index += {4, 5, 6};
  EXPECT_EQ(index, lf::id<3>(5, 7, 9));
}

TYPED_TEST(Coordinates, AreConstantExpressions) {
  constexpr TypeParam point = TestFixture::make(4, 5, 6);
  static_assert((point * 2 + point) / 3 == point);
  static_assert(-(-point) == point);
  static_assert([] {
    TypeParam p = TestFixture::make(1, 2, 3);
    p <<= 1;
    ++p;
    return p;
  }() == TestFixture::make(3, 5, 7));
  EXPECT_EQ(point.get(0), 4u);
}
