// SPDX-License-Identifier: Apache-2.0
/// backend: what runs kernels.
#pragma once

#include <lanefold/version.hpp>

#include <iosfwd>

LANEFOLD_BEGIN_NAMESPACE

/// Names what runs the kernels of a platform, device, context or queue. [sycl.4.1]
enum class backend {
  lanefold_cpu, ///< the threads and the SIMD registers of this process
  opencl,
  // No device here has these: programs compare with DPC++'s names.
  ext_oneapi_level_zero,
  ext_oneapi_cuda,
  ext_oneapi_hip,
  ext_oneapi_native_cpu
};

/// Writes its name, as DPC++ does.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& to, backend b) {
  constexpr const char* names[] = {"lanefold_cpu",    "opencl",         "ext_oneapi_level_zero",
                                   "ext_oneapi_cuda", "ext_oneapi_hip", "ext_oneapi_native_cpu"};
  return to << names[static_cast<int>(b)];
}

LANEFOLD_END_NAMESPACE
