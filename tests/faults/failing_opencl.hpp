// SPDX-License-Identifier: Apache-2.0
/// OpenCL calls that fail on purpose: failing_opencl.cpp stands before libOpenCL.
#pragma once

#include <cstddef>
#include <string>

namespace failing_opencl {

/// Counts the calls of all threads from now on; the n-th (0 is the first one) returns CL_OUT_OF_RESOURCES and does
/// nothing, later ones do not fail: commands that nobody can wait for any more would still use memory that is gone.
/// Calls that return memory or references to OpenCL are not counted.
void begin(std::size_t n) noexcept;
/// Ends that. Returns whether a call has failed.
bool end() noexcept;
/// The first function that has failed.
std::string failed_function();

} // namespace failing_opencl
