// SPDX-License-Identifier: Apache-2.0
/// OpenCL calls that fail on purpose: failing_opencl.cpp stands before libOpenCL.
#pragma once

#include <cstddef>
#include <string>

namespace failing_opencl {

enum class how {
  once,      ///< the n-th call fails, later ones do not
  from_there ///< all fail from the n-th on, as if the device was lost
};

/// Counts the calls of all threads from now on; the n-th (0 is the first one) returns CL_OUT_OF_RESOURCES and does
/// nothing. Calls that return memory or references to OpenCL are not counted.
void begin(std::size_t n, how which) noexcept;
/// Ends that. Returns whether a call has failed.
bool end() noexcept;
/// The first function that has failed.
std::string failed_function();

} // namespace failing_opencl
