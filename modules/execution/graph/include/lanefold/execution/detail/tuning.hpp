// SPDX-License-Identifier: Apache-2.0
/// Finds the fastest of several ways to run a kernel, and remembers which it was.
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Returns the position of the fastest of `count` candidates: `run(argument, position)` runs the work once by one of
/// them, and returns when it is complete. What is known for the
/// key, in this process or in the file of LANEFOLD_TUNE_FILE, is not measured again. Candidates that the work refuses
/// (errc::nd_range) are left out; if it refuses all of them, the first error is thrown. Other errors are thrown.
std::size_t fastest_of(const std::string& key, std::size_t count, void (*run)(const void*, std::size_t),
                       const void* argument);

} // namespace detail
LANEFOLD_END_NAMESPACE
