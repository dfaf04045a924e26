// SPDX-License-Identifier: Apache-2.0
/// Unified shared memory of OpenCL devices: by cl_intel_unified_shared_memory, else by coarse-grained SVM, else device
/// USM by handles (device::get_usm_support()).
#pragma once

#include <lanefold/gpu/buffer.hpp>
#include <lanefold/gpu/queue.hpp>
#include <lanefold/memory/usm.hpp>

#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu {

namespace opencl {
void* usm_allocate(const device& on, std::size_t bytes, usm::alloc kind);
void usm_free(const device& on, void* memory);

/// A live allocation.
struct usm_range {
  const std::byte* begin = nullptr;
  std::size_t bytes = 0;
  usm::alloc kind = usm::alloc::unknown;
};
/// The allocation in which a pointer lies; nothing if there is none.
usm_range usm_range_of(const device& on, const void* pointer);
} // namespace opencl

// Allocation [sycl.4.8.3], aligned to 64 bytes or more; freed with gpu::free. 0 elements: null. They throw
// errc::memory_allocation when there is not enough memory, errc::feature_not_supported where the device lacks the kind.

/// Memory that kernels reach. The host passes the pointer to launch, memcpy and memset, and does not follow it.
///
/// On a device without USM the pointer is a handle: an address that nobody can access. It stands for a buffer when it
/// is itself an argument of a kernel, not inside of structs or other memory. A pointer into the middle must then be
/// aligned to CL_DEVICE_MEM_BASE_ADDR_ALIGN (usually 128 bytes), else the launch throws errc::kernel_argument; of two
/// pointers into one allocation a kernel may only write through one, to where the other does not read.
template <class T>
[[nodiscard]] T* malloc_device(std::size_t count, const queue& q) {
  return static_cast<T*>(
      opencl::usm_allocate(q.get_device(), opencl::checked_bytes(count, sizeof(T)), usm::alloc::device));
}
/// Memory of the host that kernels reach.
template <class T>
[[nodiscard]] T* malloc_host(std::size_t count, const queue& q) {
  return static_cast<T*>(
      opencl::usm_allocate(q.get_device(), opencl::checked_bytes(count, sizeof(T)), usm::alloc::host));
}
/// Memory that host and kernels share; not at the same time.
template <class T>
[[nodiscard]] T* malloc_shared(std::size_t count, const queue& q) {
  return static_cast<T*>(
      opencl::usm_allocate(q.get_device(), opencl::checked_bytes(count, sizeof(T)), usm::alloc::shared));
}
/// Null: nothing. Waits for no command: none may still use the memory. A pointer that is not from the functions above
/// throws errc::invalid.
inline void free(void* memory, const queue& q) { opencl::usm_free(q.get_device(), memory); }
/// The kind of an allocation's first byte; unknown for anything else.
[[nodiscard]] usm::alloc get_pointer_type(const void* memory, const queue& q);

} // namespace gpu
LANEFOLD_END_NAMESPACE
