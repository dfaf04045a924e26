// SPDX-License-Identifier: Apache-2.0
/// Copies and fills of rectangles: the gaps between the rows stay as they are (sycl_ext_oneapi_memcpy2d).
#include <lanefold/execution.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace lf = lanefold;

namespace {

constexpr std::size_t width = 5, height = 7, from_pitch = 9, to_pitch = 6;

/// Expects `inside(row, column)` in the first columns of each row and -1 elsewhere.
template <class Inside>
void expect_rows(const std::vector<int>& rows, const Inside& inside) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t row = i / to_pitch, column = i % to_pitch;
    ASSERT_EQ(rows[i], column < width ? inside(row, column) : -1) << row << ' ' << column;
  }
}

class pitched_actions : public ::testing::Test {
protected:
  pitched_actions() : from(from_pitch * height), to(to_pitch * height, -1) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      from[i] = static_cast<int>(i);
    }
  }
  static int of_source(std::size_t row, std::size_t column) { return static_cast<int>(row * from_pitch + column); }

  lf::queue q;
  std::vector<int> from, to;
};

TEST_F(pitched_actions, copy_bytes_and_elements) {
  q.ext_oneapi_memcpy2d(to.data(), to_pitch * sizeof(int), from.data(), from_pitch * sizeof(int), width * sizeof(int),
                        height)
      .wait();
  expect_rows(to, of_source);
  to.assign(to.size(), -1);
  q.submit([&](lf::handler& h) {
     h.ext_oneapi_copy2d(from.data(), from_pitch, to.data(), to_pitch, width, height);
   }).wait();
  expect_rows(to, of_source);
}

TEST_F(pitched_actions, fill_with_bytes_and_elements) {
  q.ext_oneapi_memset2d(to.data(), to_pitch * sizeof(int), 1, width * sizeof(int), height).wait();
  expect_rows(to, [](std::size_t, std::size_t) { return 0x01010101; });
  q.ext_oneapi_fill2d(to.data(), to_pitch, 42, width, height).wait();
  expect_rows(to, [](std::size_t, std::size_t) { return 42; });
}

TEST_F(pitched_actions, fill_long_rows) {
  struct three {
    char bytes[3];
  };
  constexpr std::size_t long_width = 5000;
  std::vector<three> rows((long_width + 1) * 3, three{"--"});
  q.ext_oneapi_fill2d(rows.data(), long_width + 1, three{"ab"}, long_width, 3).wait();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_STREQ(rows[i].bytes, i % (long_width + 1) == long_width ? "--" : "ab") << i;
  }
}

TEST_F(pitched_actions, wait_for_events) {
  const lf::event filled = q.ext_oneapi_fill2d(from.data(), from_pitch, 3, from_pitch, height);
  const lf::event copied = q.ext_oneapi_copy2d(from.data(), from_pitch, to.data(), to_pitch, width, height, filled);
  q.ext_oneapi_memset2d(from.data(), from_pitch * sizeof(int), 0, from_pitch * sizeof(int), height, {filled, copied})
      .wait();
  expect_rows(to, [](std::size_t, std::size_t) { return 3; });
  EXPECT_EQ(from, std::vector<int>(from.size(), 0));
}

TEST_F(pitched_actions, errors) {
  EXPECT_THROW(q.ext_oneapi_copy2d(from.data(), width - 1, to.data(), to_pitch, width, height), lf::exception);
  EXPECT_THROW(q.ext_oneapi_memset2d(nullptr, to_pitch, 0, width, height), lf::exception);
  EXPECT_NO_THROW(q.ext_oneapi_memset2d(nullptr, to_pitch, 0, 0, height).wait());
}

} // namespace
