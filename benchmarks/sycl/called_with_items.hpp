// SPDX-License-Identifier: Apache-2.0
/// Functions that kernels call and that lie in another source file.
#pragma once

#include <sycl/sycl.hpp>

namespace lanefold_benchmarks {

/// Return twice the value of the work-item.
float twice_by_value(sycl::nd_item<3> item, const float* values);
float twice_by_reference(const sycl::nd_item<3>& item, const float* values);

} // namespace lanefold_benchmarks
