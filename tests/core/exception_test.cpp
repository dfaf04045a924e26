// SPDX-License-Identifier: Apache-2.0
#include <lanefold/exception.hpp>

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

namespace lf = lanefold;

static_assert(std::is_base_of_v<std::exception, lf::exception>);
static_assert(std::is_nothrow_copy_constructible_v<lf::exception>);
static_assert(std::is_error_code_enum_v<lf::errc>);
static_assert(static_cast<int>(lf::errc::success) == 0);

TEST(Errc, ConvertsToAnErrorCodeOfTheSyclCategory) {
  const std::error_code code = lf::errc::nd_range;
  EXPECT_EQ(code, lf::make_error_code(lf::errc::nd_range));
  EXPECT_EQ(code.category(), lf::sycl_category());
  EXPECT_STREQ(code.category().name(), "sycl");
  EXPECT_TRUE(code);
  EXPECT_FALSE(std::error_code(lf::errc::success));
}

TEST(Errc, HasADistinctMessageForEachCode) {
  const int last = static_cast<int>(lf::errc::backend_mismatch);
  std::set<std::string> messages;
  for (int value = 0; value <= last; ++value) {
    messages.insert(lf::sycl_category().message(value));
  }
  EXPECT_EQ(messages.size(), static_cast<std::size_t>(last) + 1);
  EXPECT_EQ(lf::sycl_category().message(last + 1), "unknown error " + std::to_string(last + 1));
}

TEST(Exception, KeepsTextAndCode) {
  const lf::exception error(lf::errc::kernel, std::string("kernel k failed in group 3"));
  EXPECT_STREQ(error.what(), "kernel k failed in group 3");
  EXPECT_EQ(error.code(), lf::errc::kernel);
  EXPECT_EQ(error.category(), lf::sycl_category());
}

TEST(Exception, SaysTheCodesMessageWhereNoTextIsGiven) {
  const lf::exception error{lf::errc::memory_allocation};
  EXPECT_EQ(error.what(), lf::sycl_category().message(static_cast<int>(lf::errc::memory_allocation)));
}

TEST(Exception, TakesAValueAndAForeignCategory) {
  const int value = static_cast<int>(std::errc::no_such_file_or_directory);
  const lf::exception bare(value, std::generic_category());
  const lf::exception literal(value, std::generic_category(), "no cache");
  const lf::exception text(value, std::generic_category(), std::string("no cache"));
  EXPECT_EQ(bare.code(), std::errc::no_such_file_or_directory);
  EXPECT_EQ(bare.category(), std::generic_category());
  EXPECT_EQ(bare.what(), std::generic_category().message(value));
  EXPECT_STREQ(literal.what(), "no cache");
  EXPECT_STREQ(text.what(), "no cache");
}

TEST(Exception, IsCaughtAsAStandardExceptionAndSurvivesItsCopy) {
  lf::exception copy(lf::errc::success);
  try {
    throw lf::exception(lf::errc::invalid, "local size 0");
  } catch (const std::exception& error) {
    EXPECT_STREQ(error.what(), "local size 0");
    copy = dynamic_cast<const lf::exception&>(error);
  }
  EXPECT_STREQ(copy.what(), "local size 0");
  EXPECT_EQ(copy.code(), lf::errc::invalid);
}
