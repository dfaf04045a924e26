// SPDX-License-Identifier: Apache-2.0
#include <lanefold/range.hpp>
#include <lanefold/version.hpp>

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

TEST(Version, StringIsMadeOfTheThreeNumbers) {
  EXPECT_EQ(LANEFOLD_VERSION_STRING, std::to_string(LANEFOLD_VERSION_MAJOR) + "." +
                                         std::to_string(LANEFOLD_VERSION_MINOR) + "." +
                                         std::to_string(LANEFOLD_VERSION_PATCH));
}

TEST(Version, IsTheOneThatCMakeRead) { EXPECT_STREQ(LANEFOLD_VERSION_STRING, LANEFOLD_TEST_PROJECT_VERSION); }

TEST(Version, NamesTheInlineNamespace) {
  static_assert(LANEFOLD_VERSION_MAJOR == 0, "name the new inline namespace in the next line");
  static_assert(std::is_same_v<lanefold::range<2>, lanefold::LANEFOLD_DETAIL_INTERFACE(
                                                       LANEFOLD_VERSION_MAJOR, LANEFOLD_VERSION_MINOR)::range<2>>);
}
