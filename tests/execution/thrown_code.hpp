// SPDX-License-Identifier: Apache-2.0
/// The error codes of calls that are to be refused.
#pragma once

#include <lanefold/exception.hpp>

#include <system_error>

/// Returns the code of the lanefold::exception that `work` throws, no error if it throws none.
template <class Work>
std::error_code code_thrown_by(const Work& work) {
  try {
    work();
  } catch (const lanefold::exception& e) {
    return e.code();
  }
  return {};
}
