// SPDX-License-Identifier: Apache-2.0
/// Programs that have macros of Lanefold's names before they include it keep them.
#define N 100
#define T 16
#define check(condition) ((condition) ? 1 : 0)
#define min(a, b) ((a) < (b) ? (a) : (b))
#define small char
#define uint unsigned
#include <sycl/sycl.hpp>

namespace {

constexpr int smaller = min(N, T) + check(N > T);
constexpr small letter = 'a';
constexpr uint number = 3;

} // namespace

#undef N
#undef T
#undef check
#undef min
#undef small
#undef uint

#include <gtest/gtest.h>

TEST(macros_of_programs, are_kept) {
  EXPECT_EQ(smaller, 17);
  EXPECT_EQ(letter, 'a');
  EXPECT_EQ(number, 3U);
}
