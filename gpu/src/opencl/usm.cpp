// SPDX-License-Identifier: Apache-2.0
#include <lanefold/gpu/usm.hpp>

#include "states.hpp"

#include <lanefold/memory/detail/unreachable_memory.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <iterator>
#include <string>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu {
namespace opencl {
namespace {

constexpr cl_uint alignment = 64;

[[noreturn]] void refuse_memory(std::size_t bytes, const std::string& why) {
  throw exception(make_error_code(errc::memory_allocation),
                  "the device cannot allocate " + std::to_string(bytes) + " bytes of USM" + why);
}

void check_kind(const device& on, usm::alloc kind) {
  if (!on.has_usm_device())
    throw exception(make_error_code(errc::feature_not_supported),
                    "the device lacks the USM that LANEFOLD_GPU_USM asks for; use another, or gpu::buffer");
  if (kind != usm::alloc::device && !on.has_usm_shared())
    throw exception(make_error_code(errc::feature_not_supported),
                    "the device has no USM that the host can follow (it needs cl_intel_unified_shared_memory or "
                    "fine-grained SVM); use malloc_device with queue::memcpy, or gpu::buffer");
}

void* allocate_intel(device_state& state, std::size_t bytes, usm::alloc kind) {
  const cl_context context = state.context()();
  const auto& usm = state.usm;
  cl_int status = CL_SUCCESS;
  void* const memory = kind == usm::alloc::host ? usm.host_alloc(context, nullptr, bytes, alignment, &status)
                       : kind == usm::alloc::shared
                           ? usm.shared_alloc(context, state.handle(), nullptr, bytes, alignment, &status)
                           : usm.device_alloc(context, state.handle(), nullptr, bytes, alignment, &status);
  if (memory == nullptr)
    refuse_memory(bytes, ": " + opencl_error_name(status));
  return memory;
}

void* allocate_svm(device_state& state, std::size_t bytes, usm::alloc kind) {
  const cl_svm_mem_flags flags = CL_MEM_READ_WRITE | (kind != usm::alloc::device ? CL_MEM_SVM_FINE_GRAIN_BUFFER : 0);
  void* const memory = clSVMAlloc(state.context()(), flags, bytes, alignment);
  if (memory == nullptr)
    refuse_memory(bytes, "");
  return memory;
}

/// Addresses for a handle: pages that nobody can access, and one more, so that the end belongs to no other allocation.
std::size_t reserved_bytes(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page + page;
}

void* reserve(std::size_t bytes) {
  void* const range =
      mmap(nullptr, reserved_bytes(bytes), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED)
    refuse_memory(bytes, ": the process has no addresses for them");
  return range;
}

} // namespace

void* usm_allocate(const device& on, std::size_t bytes, usm::alloc kind) {
  if (bytes == 0)
    return nullptr;
  check_kind(on, kind);
  device_state& state = on.state();
  device_state::usm_allocation made{bytes, kind, state.usm_way, nullptr};
  if (made.way == usm_support::handles)
    made.buffer = allocate_memory(on, bytes);
  void* const memory = made.way == usm_support::intel ? allocate_intel(state, bytes, kind)
                       : made.way == usm_support::svm ? allocate_svm(state, bytes, kind)
                                                      : reserve(bytes);
  if (made.way == usm_support::handles || (kind == usm::alloc::device && !state.target.cpu))
    lanefold::detail::add_unreachable_memory(memory, made.way == usm_support::handles ? reserved_bytes(bytes) : bytes);
  const std::lock_guard lock(state.usm_mutex);
  state.usm_allocations[static_cast<const char*>(memory)] = std::move(made);
  return memory;
}

void usm_free(const device& on, void* memory) {
  if (memory == nullptr)
    return;
  device_state& state = on.state();
  device_state::usm_allocation freed;
  {
    const std::lock_guard lock(state.usm_mutex);
    const auto found = state.usm_allocations.find(static_cast<const char*>(memory));
    if (found == state.usm_allocations.end())
      throw exception(make_error_code(errc::invalid),
                      "gpu::free: the pointer is no live USM allocation of this device");
    freed = std::move(found->second);
    state.usm_allocations.erase(found);
  }
  lanefold::detail::remove_unreachable_memory(memory);
  switch (freed.way) {
  case usm_support::intel: check(state.usm.free(state.context()(), memory), "freeing USM"); break;
  case usm_support::svm: clSVMFree(state.context()(), memory); break;
  default: munmap(memory, reserved_bytes(freed.bytes)); break;
  }
}

namespace {

/// Holds an allocation that begins at or before a pointer, null if none does, and how far behind its beginning that is.
struct allocation_before {
  const device_state::usm_allocation* allocation = nullptr;
  std::size_t offset = 0;

  /// The pointer points into the allocation, or to its end.
  [[nodiscard]] bool has_it() const { return allocation != nullptr && offset <= allocation->bytes; }
};

/// The caller holds the device's usm_mutex.
allocation_before find_before(const device_state& device, const void* pointer) {
  const auto* const address = static_cast<const char*>(pointer);
  const auto behind = device.usm_allocations.upper_bound(address);
  if (behind == device.usm_allocations.begin())
    return {};
  const auto& [first, allocation] = *std::prev(behind);
  return {&allocation, static_cast<std::size_t>(address - first)};
}

} // namespace

usm_place place_of(device_state& device, const void* pointer) {
  const std::lock_guard lock(device.usm_mutex);
  const allocation_before found = find_before(device, pointer);
  return found.has_it() ? usm_place{found.allocation->buffer, found.offset} : usm_place{};
}

bool is_usm(device_state& device, const void* pointer) {
  const std::lock_guard lock(device.usm_mutex);
  return find_before(device, pointer).has_it();
}

void check_memory_of_others(device_state& device, const void* pointer, const std::string& what) {
  for (const gpu::device& other : all_devices())
    if (&other.state() != &device && is_usm(other.state(), pointer))
      throw exception(make_error_code(errc::backend_mismatch),
                      what + ": the pointer is USM of another device, " + other.get_name() + " (" +
                          other.get_platform_name() + "); each device has memory of its own: use a buffer, or copy");
  if (!device.reaches_host_memory())
    throw exception(make_error_code(errc::kernel_argument),
                    what + ": the pointer is of no live USM allocation of the device, which does not reach other "
                           "memory of the host: use malloc_device or malloc_shared with a queue of the device, or a "
                           "buffer");
}

bool is_shared_usm(device_state& device, const void* memory, std::size_t bytes) {
  const std::lock_guard lock(device.usm_mutex);
  const allocation_before found = find_before(device, memory);
  return found.has_it() && found.allocation->kind == usm::alloc::shared &&
         bytes <= found.allocation->bytes - found.offset;
}

usm_range usm_range_of(const device& on, const void* pointer) {
  device_state& device = on.state();
  const std::lock_guard lock(device.usm_mutex);
  const auto [allocation, offset] = find_before(device, pointer);
  if (allocation == nullptr || offset >= allocation->bytes)
    return {};
  return {static_cast<const std::byte*>(pointer) - offset, allocation->bytes, allocation->kind};
}

} // namespace opencl

usm::alloc get_pointer_type(const void* memory, const queue& q) {
  return opencl::usm_range_of(q.get_device(), memory).kind;
}

} // namespace gpu
LANEFOLD_END_NAMESPACE
