// SPDX-License-Identifier: Apache-2.0
/// Reads what limits the occupancy of an OpenCL device, for the calculator of lanefold/execution/occupancy.hpp.
#pragma once

#include <lanefold/execution/occupancy.hpp>
#include <lanefold/gpu/device.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu {

/// Returns the limits of a device. Intel's GPUs tell theirs by cl_intel_device_attribute_query, but for the 16
/// work-groups of a sub-slice, which Intel's guide says. NVIDIA's tell their compute capability
/// (cl_nv_device_attribute_query); what a multiprocessor of it has is in a table of the CUDA C++ Programming Guide
/// ("Technical Specifications per Compute Capability"), registers left out of account. Errors:
/// errc::feature_not_supported for devices that tell neither, and for a compute capability that is not known.
occupancy_limits occupancy_limits_of(const device& of);

} // namespace gpu
LANEFOLD_END_NAMESPACE
