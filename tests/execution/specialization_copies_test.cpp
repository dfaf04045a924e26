// SPDX-License-Identifier: Apache-2.0
// Constants from a template are the same in all files of a program; specialization_test.cpp has the other half.
#include "specialization_copies.hpp"

#include <gtest/gtest.h>

#include <array>

namespace {

class kernel_of_this_file;

TEST(specialization_constants, are_one_in_two_files_by_command) {
  EXPECT_EQ((specialization_copies::read_after_set<kernel_of_this_file, int>(false)), (std::array{10, 20, 3}));
}
TEST(specialization_constants, are_one_in_two_files_by_bundle) {
  EXPECT_EQ((specialization_copies::read_after_set<kernel_of_this_file, int>(true)), (std::array{10, 20, 3}));
}

} // namespace
