// SPDX-License-Identifier: Apache-2.0
#include <lanefold/gpu/usm.hpp>

#include "states.hpp"

#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu {
namespace detail {
namespace {

constexpr cl_uint alignment = 64;

void* allocate_intel(device_state& state, std::size_t bytes, usm::alloc kind, cl_int& status) {
  const cl_context context = state.context()();
  switch (kind) {
  case usm::alloc::host: return state.usm.host_alloc(context, nullptr, bytes, alignment, &status);
  case usm::alloc::shared: return state.usm.shared_alloc(context, state.handle(), nullptr, bytes, alignment, &status);
  default: return state.usm.device_alloc(context, state.handle(), nullptr, bytes, alignment, &status);
  }
}

void* allocate_svm(device_state& state, std::size_t bytes, usm::alloc kind) {
  const bool fine = (state.svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0;
  if (kind != usm::alloc::device && !fine)
    throw exception(make_error_code(errc::feature_not_supported),
                    "the device has no USM that the host can follow (it needs cl_intel_unified_shared_memory or "
                    "fine-grained SVM); use malloc_device with queue::memcpy, or gpu::buffer");
  const cl_svm_mem_flags flags = CL_MEM_READ_WRITE | (kind != usm::alloc::device ? CL_MEM_SVM_FINE_GRAIN_BUFFER : 0);
  return clSVMAlloc(state.context()(), flags, bytes, alignment);
}

} // namespace

void* usm_allocate(const device& on, std::size_t bytes, usm::alloc kind) {
  if (bytes == 0)
    return nullptr;
  device_state& state = on.state();
  if (!on.has_usm_device())
    throw exception(make_error_code(errc::feature_not_supported),
                    "the device has no USM (neither cl_intel_unified_shared_memory nor SVM); use gpu::buffer");
  cl_int status = CL_SUCCESS;
  void* const memory = state.usm ? allocate_intel(state, bytes, kind, status) : allocate_svm(state, bytes, kind);
  if (memory == nullptr)
    throw exception(make_error_code(errc::memory_allocation),
                    "the device cannot allocate " + std::to_string(bytes) + " bytes of USM" +
                        (status == CL_SUCCESS ? "" : ": " + opencl_error_name(status)));
  const std::lock_guard lock(state.usm_mutex);
  state.usm_allocations[static_cast<const char*>(memory)] = {bytes, kind};
  return memory;
}

void usm_free(const device& on, void* memory) {
  if (memory == nullptr)
    return;
  device_state& state = on.state();
  {
    const std::lock_guard lock(state.usm_mutex);
    if (state.usm_allocations.erase(static_cast<const char*>(memory)) == 0)
      throw exception(make_error_code(errc::invalid),
                      "gpu::free: the pointer is no live USM allocation of this device");
  }
  if (state.usm)
    check(state.usm.free(state.context()(), memory), "freeing USM");
  else
    clSVMFree(state.context()(), memory);
}

} // namespace detail

usm::alloc get_pointer_type(const void* memory, const queue& q) {
  detail::device_state& state = q.get_device().state();
  const std::lock_guard lock(state.usm_mutex);
  const auto* const address = static_cast<const char*>(memory);
  auto behind = state.usm_allocations.upper_bound(address);
  if (behind == state.usm_allocations.begin())
    return usm::alloc::unknown;
  --behind;
  return address < behind->first + behind->second.bytes ? behind->second.kind : usm::alloc::unknown;
}

} // namespace gpu
LANEFOLD_END_NAMESPACE
