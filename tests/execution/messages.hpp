// SPDX-License-Identifier: Apache-2.0
/// Tells what refused calls say.
#pragma once

#include <lanefold/exception.hpp>

#include <gtest/gtest.h>

#include <string>
#include <system_error>

/// Returns the message of the lanefold::exception that `work` throws, which must have this code.
template <class Work>
std::string message_of(const Work& work, std::error_code expected) {
  try {
    work();
  } catch (const lanefold::exception& e) {
    EXPECT_EQ(e.code(), expected) << e.what();
    return e.what();
  }
  return "nothing was thrown";
}

#define EXPECT_MENTIONS(text, part) EXPECT_NE(std::string(text).find(part), std::string::npos) << (text)
