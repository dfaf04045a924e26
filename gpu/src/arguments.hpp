// SPDX-License-Identifier: Apache-2.0
/// Checking and setting the arguments of a launch.
#pragma once

#include "kernel_state.hpp"

#include <lanefold/gpu/detail/launch_space.hpp>
#include <lanefold/gpu/event.hpp>

#include <lanefold/gpu/kernel.hpp>

#include <cstddef>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::detail {

/// Throws errc::kernel_argument for a wrong number or type, errc::backend_mismatch for memory of another device,
/// errc::memory_allocation for more local memory than there is.
void check_arguments(const device& on, const kernel_state& kernel, const built_kernel& built,
                     const kernel_argument* arguments, std::size_t count);

/// A kernel whose arguments are set.
struct prepared_kernel {
  const cl::Kernel& handle;     // of the built kernel
  std::vector<cl::Buffer> held; // keeps what handles stand for
};

/// The caller holds the kernel's mutex, and what is returned until the kernel is submitted. Throws
/// errc::kernel_argument for pointers that do not stand for memory, where they are handles.
[[nodiscard]] prepared_kernel set_arguments(const device& on, built_kernel& built, const kernel_argument* arguments,
                                            std::size_t count);

/// Gives a queue a kernel with arguments and a space that were checked (check_arguments, check_space).
event launch_checked(queue_state& on, const kernel_state& kernel, built_kernel& built, const launch_space& space,
                     const kernel_argument* arguments, std::size_t count, const std::vector<event>& dependencies);

} // namespace gpu::detail
LANEFOLD_END_NAMESPACE
