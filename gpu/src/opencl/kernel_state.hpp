// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel_signature.hpp"
#include "states.hpp"

#include <lanefold/gpu/kernel.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {

/// A kernel object. It knows what its arguments are, and asks OpenCL for changes only.
class kernel_object {
public:
  cl::Kernel handle;

  // These return the code of OpenCL.
  cl_int set_value(std::size_t index, const void* data, std::size_t bytes);
  cl_int set_local(std::size_t index, std::size_t bytes);
  cl_int set_memory(std::size_t index, const memory_state& memory);
  /// A memory object that has no state.
  cl_int set_memory(std::size_t index, cl_mem memory);

private:
  /// Says what an argument is: a value, local memory, or a memory object.
  struct known_argument {
    std::size_t bytes = 0;    // of a value, or of local memory; 0: not known
    std::uint64_t memory = 0; // 0: not known
    std::array<std::byte, 16> value{};
  };
  known_argument& known(std::size_t index);

  std::vector<known_argument> m_known;
};

/// A kernel on one device. Arguments are set and the kernel enqueued under the mutex.
struct built_kernel {
  explicit built_kernel(const device_state& on) : device(on) {}

  /// The kernel for arguments of which these are pointers (not memory objects; empty: none): for each such set a kernel
  /// object of its own, because NVIDIA's driver (580.159) refuses a memory object where a pointer was set before. Under
  /// the mutex.
  kernel_object& object_for(const std::vector<bool>& pointers);

  const device_state& device;
  std::mutex mutex;
  kernel_object object; // for arguments of which none is such a pointer
  std::map<std::vector<bool>, kernel_object> others;
  std::vector<bool> pointers; // of the launch that sets arguments
  std::size_t largest_work_group = 0;
  std::size_t local_bytes = 0;                      // of its own variables
  std::array<std::size_t, 3> required_work_group{}; // by its attribute; zeros: none
  std::vector<kernel_parameter> parameters;
};

struct kernel_state {
  std::string source;
  std::string name;
  build_options options;
  kernel_signature signature;

  std::mutex built_mutex;
  std::map<const device_state*, std::shared_ptr<built_kernel>> built;
  std::atomic<built_kernel*> last{nullptr}; // of these, so that most launches need no lock to find it

  /// Returns what messages call it.
  const std::string& title() const noexcept { return options.title.empty() ? name : options.title; }
  std::string text_for(const device_state& device) const;
  /// Builds it at the first call for the device. Throws errc::invalid if the program has no such kernel.
  built_kernel& on(const device& where);
};

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
