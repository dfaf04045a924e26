// SPDX-License-Identifier: Apache-2.0
/// Tells the errors of calls that are to be refused.
#pragma once

#include <lanefold/exception.hpp>

#include <string>

/// Returns the error code of the lanefold::exception that `work` throws, success if it throws nothing; `text` becomes
/// its message.
template <class Work>
lanefold::errc thrown_by(Work&& work, std::string* text = nullptr) {
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
