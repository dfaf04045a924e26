// SPDX-License-Identifier: Apache-2.0
/// vec of half, bytes and bool; rounding modes to half; the aliases.
#include <lanefold/memory/vec.hpp>
#include <lanefold/memory/view.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace {

namespace lf = lanefold;
using lf::half;

static_assert(sizeof(lf::half4) == 8 && alignof(lf::half3) == 8 && std::is_trivially_copyable_v<lf::half16>);
static_assert(std::is_same_v<lf::uchar4, lf::vec<std::uint8_t, 4>> &&
              std::is_same_v<lf::long2, lf::vec<std::int64_t, 2>>);
static_assert(std::is_same_v<lf::longlong2, lf::vec<long long, 2>>);
static_assert(std::is_same_v<lf::byte4, lf::vec<std::byte, 4>> && std::is_same_v<lf::bool8, lf::vec<bool, 8>>);

TEST(vec_half, computes) {
  lf::half4 a(half(1), half(2), half(3), half(4));
  const lf::half4 b(half(0.5F));
  const lf::half4 sum = a + b * 2 - half(1), quotient = a / b;
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(sum[i], i + 1);
    EXPECT_EQ(quotient[i], 2 * (i + 1));
  }
  a += 1;
  a *= 0.5F;
  a.x() = 9;
  a.swizzle<1, 2>() = lf::half2(half(7), half(8));
  EXPECT_EQ(a[0], 9);
  EXPECT_EQ(a[1], 7);
  EXPECT_EQ(a[3], 2.5F);
  EXPECT_EQ((-a)[3], -2.5F);
  const lf::vec<std::int16_t, 4> less = b < a;
  EXPECT_EQ(less[0], -1);
  EXPECT_EQ((a == a)[2], -1);
  EXPECT_EQ((a != a)[2], 0);
  EXPECT_EQ((a && b)[0], -1);
  EXPECT_EQ(max(a, b)[3], 2.5F);
  const lf::half3 mixed(1, half(2), 3.F);
  EXPECT_EQ(mixed[2], 3.F);
}

TEST(vec_half, conversions) {
  const lf::float2 x(1.F + 0x1p-12F, -(1.F + 0x1p-12F));
  using mode = lf::rounding_mode;
  const float above = 1.F + 0x1p-10F;
  const auto near = x.convert<half>(), up = x.convert<half, mode::rtp>();
  const auto down = x.convert<half, mode::rtn>(), zero = x.convert<half, mode::rtz>(),
             even = x.convert<half, mode::rte>();
  EXPECT_EQ(near[0], 1.F);
  EXPECT_EQ(even[1], -1.F);
  EXPECT_EQ(up[0], above);
  EXPECT_EQ(up[1], -1.F);
  EXPECT_EQ(down[0], 1.F);
  EXPECT_EQ(down[1], -above);
  EXPECT_EQ(zero[0], 1.F);
  EXPECT_EQ(zero[1], -1.F);
  const lf::half2 h(half(2.5F), half(-2.5F));
  EXPECT_EQ((h.convert<int, mode::rte>()[0]), 2);
  EXPECT_EQ((h.convert<int, mode::rtn>()[1]), -3);
  EXPECT_EQ((h.convert<int>()[1]), -2);
  EXPECT_EQ((h.convert<double>()[1]), -2.5);
  EXPECT_EQ((h.as<lf::ushort2>()[0]), 0x4100);
  EXPECT_EQ((lf::int2(3).convert<half>()[1]), 3);
  EXPECT_EQ((lf::half4(half(1.5F)).lo().convert<int, mode::rtp>()[0]), 2);
}

TEST(vec_byte, bits) {
  const lf::byte4 a(std::byte{0x0f}), b(std::byte{0x3c});
  EXPECT_EQ((a & b)[0], std::byte{0x0c});
  EXPECT_EQ((a | b)[1], std::byte{0x3f});
  EXPECT_EQ((a ^ b)[2], std::byte{0x33});
  EXPECT_EQ((~a)[3], std::byte{0xf0});
  EXPECT_EQ((a == b)[0], 0);
}

template <class V>
concept HasS3 = requires(V v) { v.s3(); };

TEST(vec_elements, numbered_names) {
  lf::float4 v(1.F, 2.F, 3.F, 4.F);
  v.s3() = 7.F;
  EXPECT_EQ(v.w(), 7.F);
  EXPECT_EQ(v.s0(), 1.F);
  EXPECT_EQ((lf::int2(5, 6).s1()), 6);
  static_assert(HasS3<lf::float4> && HasS3<lf::float8> && !HasS3<lf::float3>);
}

TEST(vec_one, converts) {
  const lf::vec<float, 1> v(2.5F);
  const float x = v;
  EXPECT_EQ(x, 2.5F);
  EXPECT_EQ(v.x(), 2.5F);
  EXPECT_EQ((lf::vec<half, 1>(half(3)) + half(1)), half(4));
}

/// A float* that is made a float4* must be aligned like one: looked for in checked builds.
TEST(view_of_vec, misaligned_memory) {
  alignas(16) float memory[12] = {};
  if constexpr (lf::detail::checked_build) {
    EXPECT_THROW(lf::view(reinterpret_cast<lf::float4*>(memory + 1), 2), lf::exception);
  }
  const lf::view<lf::float4> v(reinterpret_cast<lf::float4*>(memory + 4), 2);
  EXPECT_EQ(v[1][2], 0.F);
}

} // namespace
