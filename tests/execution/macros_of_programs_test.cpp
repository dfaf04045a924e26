// SPDX-License-Identifier: Apache-2.0
/// Programs that have macros of Lanefold's names before they include it keep them.
#define N 100
#define T 16
#define check(condition) ((condition) ? 1 : 0)
#define min(a, b) ((a) < (b) ? (a) : (b))
#define small char
#define uint unsigned
#define width 64
#define height (width / 2)
#define dim 3
#define n 7
#define any -1
#define log(text) (text)
#include <CL/sycl.hpp>
#include <sycl/ext/intel/pipes.hpp>

namespace {

constexpr int smaller = min(N, T) + check(N > T);
constexpr small letter = 'a';
constexpr uint number = 3;
constexpr int pixels = width * height + dim + any + n;
constexpr const char* text = log("text");

} // namespace

#undef N
#undef T
#undef check
#undef min
#undef small
#undef uint
#undef width
#undef height
#undef dim
#undef n
#undef any
#undef log

#include <gtest/gtest.h>

TEST(macros_of_programs, are_kept) {
  EXPECT_EQ(smaller, 17);
  EXPECT_EQ(letter, 'a');
  EXPECT_EQ(number, 3U);
  EXPECT_EQ(pixels, 64 * 32 + 9);
  EXPECT_STREQ(text, "text");
}
