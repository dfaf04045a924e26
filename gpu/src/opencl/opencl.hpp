// SPDX-License-Identifier: Apache-2.0
/// OpenCL's C++ bindings, which only sources see, and what its errors become.
#pragma once

#include <lanefold/exception.hpp>

// Only the target version: naming an older minimum beside 300 does not compile with the bindings of 2023.
#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

#include <CL/cl_ext.h>

#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {

/// The name of an error code, or its number.
std::string opencl_error_name(cl_int code);

/// Throws the exception for an error of OpenCL: memory_allocation, nd_range, platform (device lost) … or `otherwise`.
[[noreturn]] void raise(cl_int code, const std::string& doing, errc otherwise = errc::runtime);

inline void check(cl_int code, const char* doing, errc otherwise = errc::runtime) {
  if (code != CL_SUCCESS)
    raise(code, doing, otherwise);
}

/// Calls `work`; errors of the bindings become exceptions of the library.
template <class Work>
decltype(auto) guarded(const char* doing, Work&& work) {
  try {
    return work();
  } catch (const cl::Error& error) {
    raise(error.err(), std::string(doing) + ": " + error.what());
  }
}

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
