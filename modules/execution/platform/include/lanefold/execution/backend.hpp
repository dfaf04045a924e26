// SPDX-License-Identifier: Apache-2.0
/// backend: what runs kernels.
#pragma once

#include <lanefold/version.hpp>

LANEFOLD_BEGIN_NAMESPACE

/// Names what runs the kernels of a platform, device, context or queue. [sycl.4.1]
enum class backend {
  lanefold_cpu, ///< the threads and the SIMD registers of this process
  opencl
};

LANEFOLD_END_NAMESPACE
