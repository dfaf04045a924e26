// SPDX-License-Identifier: Apache-2.0
/// Checking and setting the arguments of a launch.
#pragma once

#include "kernel_state.hpp"

#include <lanefold/gpu/detail/launch_space.hpp>
#include <lanefold/gpu/event.hpp>

#include <lanefold/gpu/kernel.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {

/// The arguments of a launch: `stride` bytes lie from the beginning of one to that of the next, because an array may
/// hold one in each of its elements.
class argument_list {
public:
  argument_list(const kernel_argument* first, std::size_t count, std::size_t stride = sizeof(kernel_argument)) noexcept
      : m_first(reinterpret_cast<const std::byte*>(first)), m_count(count), m_stride(stride) {}

  std::size_t size() const noexcept { return m_count; }
  const kernel_argument& operator[](std::size_t i) const noexcept {
    return *reinterpret_cast<const kernel_argument*>(m_first + i * m_stride);
  }

private:
  const std::byte* m_first;
  std::size_t m_count;
  std::size_t m_stride;
};

/// Returns the kernel as it is built for the device, which builds it at the first call; the arguments and the space
/// fit. Throws errc::kernel_argument for a wrong number or type, errc::backend_mismatch for memory of another device,
/// errc::memory_allocation for more local memory than there is, and what check_space does.
built_kernel& checked_kernel(const device& on, kernel_state& kernel, const launch_space& space,
                             const argument_list& arguments);

/// Names an argument in messages: "kernel 'sum', argument 1 ('out')".
std::string place_of(const kernel_state& kernel, const built_kernel& built, std::size_t index);

/// A kernel whose arguments are set.
struct prepared_kernel {
  kernel_object& object;        // of the built kernel
  std::vector<cl::Buffer> held; // keeps what handles stand for
};

/// The caller holds the kernel's mutex, and what is returned until the kernel is submitted. Throws
/// errc::kernel_argument for pointers that do not stand for memory, where they are handles.
[[nodiscard]] prepared_kernel set_arguments(const device& on, const kernel_state& what, built_kernel& built,
                                            const argument_list& arguments);

/// Gives a queue a command that does nothing, and is complete when these are; without any: when all before it are.
event nothing_behind(const queue_state& queue, const std::vector<event>& dependencies);
/// Gives a queue a kernel with arguments and a space that were checked (checked_kernel).
event launch_checked(queue_state& on, const kernel_state& kernel, built_kernel& built, const launch_space& space,
                     const argument_list& arguments, const std::vector<event>& dependencies);
/// Gives an in-order queue such a kernel without an event, and returns its place. The space is not empty.
std::uint64_t launch_counted(const queue_state& on, const kernel_state& kernel, built_kernel& built,
                             const launch_space& space, const argument_list& arguments);

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
