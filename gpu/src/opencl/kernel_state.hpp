// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel_signature.hpp"
#include "states.hpp"

#include <lanefold/gpu/kernel.hpp>

#include <map>
#include <mutex>
#include <string>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {

/// A kernel on one device. Arguments are set and the kernel enqueued under the mutex.
struct built_kernel {
  /// The kernel for arguments of which these are pointers (not memory objects): for each such set a kernel object of
  /// its own, because NVIDIA's driver (580.159) refuses a memory object where a pointer was set before. Under the
  /// mutex.
  const cl::Kernel& handle_for(const std::vector<bool>& pointers);

  std::mutex mutex;
  cl::Kernel handle; // the kernel object for arguments of which none is such a pointer
  std::map<std::vector<bool>, cl::Kernel> others;
  std::vector<bool> pointers; // of the launch that sets arguments
  std::size_t largest_work_group = 0;
  std::size_t local_bytes = 0; // of its own variables
};

struct kernel_state {
  std::string source;
  std::string name;
  build_options options;
  std::vector<kernel_parameter> parameters;

  std::mutex built_mutex;
  std::map<const device_state*, std::shared_ptr<built_kernel>> built;

  std::string text_for(const device_state& device) const;
  std::string compiler_options() const;
  /// Builds it at the first call for the device.
  built_kernel& on(const device& where);
};

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
