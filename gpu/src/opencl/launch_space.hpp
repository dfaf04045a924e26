// SPDX-License-Identifier: Apache-2.0
/// Checking the index space of a launch.
#pragma once

#include "kernel_state.hpp"

#include <lanefold/gpu/detail/launch_space.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {

/// Returns whether it has no work-items.
bool is_empty(const launch_space& space) noexcept;

/// Throws errc::nd_range for a space that the device or the kernel cannot run.
void check_space(const device& on, const kernel_state& kernel, const built_kernel& built, const launch_space& space);

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
