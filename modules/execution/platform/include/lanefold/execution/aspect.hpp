// SPDX-License-Identifier: Apache-2.0
/// aspect: what a device can do.
#pragma once

#include <lanefold/version.hpp>

#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

/// Says what a device is and can do; programs ask with device::has and platform::has. [sycl.4.6.4.5]
enum class aspect {
  cpu,
  gpu,
  accelerator,
  custom,
  emulated,        ///< a device to debug with, not a fast one
  host_debuggable, ///< a debugger on the host can step through kernels
  fp16,
  fp64,
  atomic64,
  image,
  online_compiler,
  online_linker,
  queue_profiling,
  usm_device_allocations,
  usm_host_allocations,
  usm_atomic_host_allocations,
  usm_shared_allocations,
  usm_atomic_shared_allocations,
  usm_system_allocations, ///< kernels may use any memory of the process
  ext_oneapi_virtual_mem, ///< virtual_memory.hpp
  ext_intel_legacy_image, ///< images of SYCL 1.2.1 in kernels (image_1_2_1.hpp)
  // No device here has these: programs ask for them before they ask what DPC++ tells of Intel's devices
  // (ext_intel.hpp).
  ext_intel_pci_address,
  ext_intel_gpu_eu_count,
  ext_intel_gpu_eu_simd_width,
  ext_intel_gpu_slices,
  ext_intel_gpu_subslices_per_slice,
  ext_intel_gpu_eu_count_per_subslice,
  ext_intel_gpu_hw_threads_per_eu,
  ext_intel_max_mem_bandwidth,
  ext_intel_device_info_uuid,
  ext_intel_free_memory,
  ext_intel_device_id,
  ext_intel_memory_clock_rate,
  ext_intel_memory_bus_width,
  ext_intel_matrix,
  ext_intel_esimd,
  ext_oneapi_is_composite,
  ext_oneapi_is_component,
  // Every device has these.
  ext_oneapi_graph, ///< command graphs, which can be updated (command_graph.hpp)
  ext_oneapi_limited_graph,
  ext_oneapi_bfloat16_math_functions,
  ext_oneapi_srgb ///< no device here has it
};

namespace detail {

/// The CPU: every work-item is ordinary code of the process. Kernels are compiled and linked with the program, so that
/// compile, build and link of kernel bundles have only the values of constants to keep.
constexpr bool cpu_has(aspect a) noexcept {
  switch (a) {
  case aspect::cpu:
  case aspect::host_debuggable:
  case aspect::fp16:
  case aspect::fp64:
  case aspect::atomic64:
  case aspect::image:
  case aspect::online_compiler:
  case aspect::online_linker:
  case aspect::queue_profiling:
  case aspect::usm_device_allocations:
  case aspect::usm_host_allocations:
  case aspect::usm_atomic_host_allocations:
  case aspect::usm_shared_allocations:
  case aspect::usm_atomic_shared_allocations:
  case aspect::usm_system_allocations:
  case aspect::ext_oneapi_virtual_mem:
  case aspect::ext_oneapi_graph:
  case aspect::ext_oneapi_limited_graph:
  case aspect::ext_oneapi_bfloat16_math_functions:
  case aspect::ext_intel_legacy_image: return true;
  default: return false;
  }
}

} // namespace detail

/// Is true if a device of some platform may have the aspect, as far as the compiler knows. [sycl.4.6.4.6]
template <aspect A>
struct any_device_has : std::bool_constant<detail::cpu_has(A)> {};
/// Is true if every device has the aspect, as far as the compiler knows.
template <aspect A>
struct all_devices_have : std::bool_constant<detail::cpu_has(A)> {};
template <aspect A>
inline constexpr bool any_device_has_v = any_device_has<A>::value;
template <aspect A>
inline constexpr bool all_devices_have_v = all_devices_have<A>::value;

LANEFOLD_END_NAMESPACE
