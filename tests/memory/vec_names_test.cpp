// SPDX-License-Identifier: Apache-2.0
/// The named swizzles of vec, in a file of its own: here vectors have more members.
#define SYCL_SIMPLE_SWIZZLES
#include <lanefold/memory/vec.hpp>

#include <gtest/gtest.h>

namespace {

namespace lf = lanefold;

/// An element type that no other file of this program makes vectors of with other members.
using number = long long unsigned;
using vec2 = lf::vec<number, 2>;
using vec3 = lf::vec<number, 3>;
using vec4 = lf::vec<number, 4>;

template <class V>
concept HasZ = requires(V v) { v.xz(); };
template <class V>
concept HasColours = requires(V v) { v.rgb(); };
static_assert(!HasZ<vec2> && HasZ<vec3> && HasZ<vec4>);
static_assert(!HasColours<vec3> && HasColours<vec4>);

TEST(vector_names, read) {
  const vec4 v(0U, 1U, 2U, 3U);
  const vec2 a = v.wy();
  EXPECT_TRUE(a[0] == 3 && a[1] == 1);
  const vec3 b = v.bgr();
  EXPECT_TRUE(b[0] == 2 && b[1] == 1 && b[2] == 0);
  const vec4 c = v.wwzx(), d = v.abgr();
  EXPECT_TRUE(c[0] == 3 && c[1] == 3 && c[2] == 2 && c[3] == 0);
  EXPECT_TRUE(d[0] == 3 && d[3] == 0);
  EXPECT_EQ(v.wzyx().yz().xx()[1], 2U);
  EXPECT_EQ(vec2(4U, 5U).yxyx()[0], 5U);
}

TEST(vector_names, write) {
  vec4 v(0U, 1U, 2U, 3U);
  v.xw() = v.wx();
  EXPECT_TRUE(v[0] == 3 && v[3] == 0);
  v.yzw() += 10U;
  EXPECT_TRUE(v[0] == 3 && v[1] == 11 && v[2] == 12 && v[3] == 10);
  v.ab() = vec2(7U, 8U);
  EXPECT_TRUE(v[3] == 7 && v[2] == 8);
}

} // namespace
