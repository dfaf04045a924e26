// SPDX-License-Identifier: Apache-2.0
#include <lanefold/simd/isa.hpp>
#include <lanefold/simd/lanes.hpp>

#include <string>

#include <gtest/gtest.h>

namespace {

namespace lf = lanefold;

TEST(isa, names) {
  EXPECT_STREQ(lf::isa_name(lf::isa_id::generic), "generic");
  EXPECT_STREQ(lf::isa_name(lf::isa_id::sse2), "sse2");
  EXPECT_STREQ(lf::isa_name(lf::isa_id::avx2), "avx2");
  EXPECT_STREQ(lf::isa_name(lf::isa_id::avx512), "avx512");
  EXPECT_STREQ(lf::isa_name(lf::isa_id::neon), "neon");
}

TEST(isa, of_this_processor) {
  EXPECT_TRUE(lf::supports(lf::isa_id::generic));
  EXPECT_TRUE(lf::supports(lf::cpu_isa()));
  EXPECT_TRUE(lf::supports(lf::native_isa::id)) << "this test runs, so its instructions do";
#if defined(__x86_64__)
  EXPECT_TRUE(lf::supports(lf::isa_id::sse2));
  EXPECT_FALSE(lf::supports(lf::isa_id::neon));
  EXPECT_TRUE(lf::supports(lf::isa_id::avx2) || !lf::supports(lf::isa_id::avx512));
#endif
}

static_assert(lf::simd<16>::size == 16 && lf::simd<16>::rows == 1 && lf::simd<16>::columns == 16);
static_assert(lf::simd<4, 8>::size == 32 && lf::simd<4, 8>::rows == 4 && lf::simd<4, 8>::columns == 8);
static_assert(lf::scalar::size == 1);

} // namespace
