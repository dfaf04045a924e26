// SPDX-License-Identifier: Apache-2.0
/// Tells what calls throw that are to be refused.
#pragma once

#include <lanefold/exception.hpp>

#include <gtest/gtest.h>

#include <exception>
#include <string>

/// Returns the code of the lanefold::exception that `work` throws, success if it throws nothing; `text` becomes its
/// message.
template <class Work>
lanefold::errc code_thrown_by(Work&& work, std::string* text = nullptr) {
  try {
    work();
  } catch (const lanefold::exception& e) {
    if (text != nullptr) {
      *text = e.what();
    }
    return static_cast<lanefold::errc>(e.code().value());
  }
  return lanefold::errc::success;
}

/// Returns the message of the exception that `work` throws; empty if it throws nothing.
template <class Work>
std::string text_thrown_by(Work&& work) {
  try {
    work();
  } catch (const std::exception& e) {
    return e.what();
  }
  return {};
}

/// Returns the message of the lanefold::exception that `work` throws, which must have this code.
template <class Work>
std::string text_thrown_by(Work&& work, lanefold::errc expected) {
  std::string text;
  EXPECT_EQ(code_thrown_by(work, &text), expected) << text;
  return text;
}

/// Returns the messages of an exception and of those nested in it, in one string.
inline std::string all_messages(const std::exception& e) {
  std::string text = e.what();
  try {
    std::rethrow_if_nested(e);
  } catch (const std::exception& inner) {
    text += " / " + all_messages(inner);
  }
  return text;
}

/// Returns the message of the exception that `work` throws, with those nested in it; empty if it throws nothing.
template <class Work>
std::string texts_thrown_by(Work&& work) {
  try {
    work();
  } catch (const std::exception& e) {
    return all_messages(e);
  }
  return {};
}

#define EXPECT_MENTIONS(text, part) EXPECT_NE(std::string(text).find(part), std::string::npos) << (text)
