// SPDX-License-Identifier: Apache-2.0
/// Declares what programs ask platforms, devices, contexts, queues and kernels about: the arguments of get_info.
#pragma once

#include <lanefold/execution/aspect.hpp>
#include <lanefold/execution/detail/query.hpp>
#include <lanefold/memory/memory_order.hpp>
#include <lanefold/range.hpp>
#include <lanefold/version.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE

class context;
class device;
class kernel_id;
class platform;

namespace info {

/// [sycl.4.6.4.1]
enum class partition_affinity_domain {
  not_applicable,
  numa,
  L4_cache,
  L3_cache,
  L2_cache,
  L1_cache,
  next_partitionable
};
enum class local_mem_type { none, local, global };
enum class global_mem_cache_type { none, read_only, read_write, write_only /* SYCL 1.2.1; no device has it */ };
enum class execution_capability { exec_kernel, exec_native_kernel };
enum class fp_config {
  denorm,
  inf_nan,
  round_to_nearest,
  round_to_zero,
  round_to_inf,
  fma,
  correctly_rounded_divide_sqrt,
  soft_float
};

/// [sycl.4.6.2.2]
namespace platform {
struct profile : detail::platform_query<std::string> {};
struct version : detail::platform_query<std::string> {};
struct name : detail::platform_query<std::string> {};
struct vendor : detail::platform_query<std::string> {};
struct extensions : detail::platform_query<std::vector<std::string>> {};
} // namespace platform

/// [sycl.4.6.3.2]
namespace context {
struct platform : detail::context_query<lanefold::platform> {};
struct devices : detail::context_query<std::vector<lanefold::device>> {};
struct atomic_memory_order_capabilities : detail::context_query<std::vector<memory_order>> {};
struct atomic_fence_order_capabilities : detail::context_query<std::vector<memory_order>> {};
struct atomic_memory_scope_capabilities : detail::context_query<std::vector<memory_scope>> {};
struct atomic_fence_scope_capabilities : detail::context_query<std::vector<memory_scope>> {};
struct reference_count : detail::context_query<std::uint32_t> {};
} // namespace context

/// [sycl.4.6.4.2]
namespace device {
struct device_type : detail::device_query<info::device_type> {};
struct vendor_id : detail::device_query<std::uint32_t> {};
struct max_compute_units : detail::device_query<std::uint32_t> {};
struct max_work_item_dimensions : detail::device_query<std::uint32_t> {};
template <int Dimensions = 3>
struct max_work_item_sizes : detail::device_query<range<Dimensions>> {};
struct max_work_group_size : detail::device_query<std::size_t> {};
struct max_num_sub_groups : detail::device_query<std::uint32_t> {};
struct sub_group_independent_forward_progress : detail::device_query<bool> {};
struct sub_group_sizes : detail::device_query<std::vector<std::size_t>> {};
struct preferred_vector_width_char : detail::device_query<std::uint32_t> {};
struct preferred_vector_width_short : detail::device_query<std::uint32_t> {};
struct preferred_vector_width_int : detail::device_query<std::uint32_t> {};
struct preferred_vector_width_long : detail::device_query<std::uint32_t> {};
using preferred_vector_width_long_long = preferred_vector_width_long; ///< asked for by the conformance suite
struct preferred_vector_width_float : detail::device_query<std::uint32_t> {};
struct preferred_vector_width_double : detail::device_query<std::uint32_t> {};
struct preferred_vector_width_half : detail::device_query<std::uint32_t> {};
struct native_vector_width_char : detail::device_query<std::uint32_t> {};
struct native_vector_width_short : detail::device_query<std::uint32_t> {};
struct native_vector_width_int : detail::device_query<std::uint32_t> {};
struct native_vector_width_long : detail::device_query<std::uint32_t> {};
using native_vector_width_long_long = native_vector_width_long;
struct native_vector_width_float : detail::device_query<std::uint32_t> {};
struct native_vector_width_double : detail::device_query<std::uint32_t> {};
struct native_vector_width_half : detail::device_query<std::uint32_t> {};
struct max_clock_frequency : detail::device_query<std::uint32_t> {}; ///< MHz; 0: the system does not tell
struct address_bits : detail::device_query<std::uint32_t> {};
struct max_mem_alloc_size : detail::device_query<std::uint64_t> {};
struct image_support : detail::device_query<bool> {};
// These stood in SYCL before the aspects of the same names: device::has answers.
struct usm_device_allocations : detail::aspect_query<aspect::usm_device_allocations> {};
struct usm_host_allocations : detail::aspect_query<aspect::usm_host_allocations> {};
struct usm_shared_allocations : detail::aspect_query<aspect::usm_shared_allocations> {};
struct usm_system_allocations : detail::aspect_query<aspect::usm_system_allocations> {};
struct max_read_image_args : detail::device_query<std::uint32_t> {};
struct max_write_image_args : detail::device_query<std::uint32_t> {};
struct image2d_max_height : detail::device_query<std::size_t> {};
struct image2d_max_width : detail::device_query<std::size_t> {};
struct image3d_max_height : detail::device_query<std::size_t> {};
struct image3d_max_width : detail::device_query<std::size_t> {};
struct image3d_max_depth : detail::device_query<std::size_t> {};
struct image_max_buffer_size : detail::device_query<std::size_t> {};
struct max_samplers : detail::device_query<std::uint32_t> {};
struct max_parameter_size : detail::device_query<std::size_t> {};
struct mem_base_addr_align : detail::device_query<std::uint32_t> {}; ///< bits
struct half_fp_config : detail::device_query<std::vector<info::fp_config>> {};
struct single_fp_config : detail::device_query<std::vector<info::fp_config>> {};
struct double_fp_config : detail::device_query<std::vector<info::fp_config>> {};
struct global_mem_cache_type : detail::device_query<info::global_mem_cache_type> {};
struct global_mem_cache_line_size : detail::device_query<std::uint32_t> {};
struct global_mem_cache_size : detail::device_query<std::uint64_t> {}; ///< of the last level; 0: not known
struct global_mem_size : detail::device_query<std::uint64_t> {};
struct max_constant_buffer_size : detail::device_query<std::uint64_t> {};
struct max_constant_args : detail::device_query<std::uint32_t> {};
struct local_mem_type : detail::device_query<info::local_mem_type> {};
struct local_mem_size : detail::device_query<std::uint64_t> {};
struct error_correction_support : detail::device_query<bool> {};
struct host_unified_memory : detail::device_query<bool> {};
struct atomic_memory_order_capabilities : detail::device_query<std::vector<memory_order>> {};
struct atomic_fence_order_capabilities : detail::device_query<std::vector<memory_order>> {};
struct atomic_memory_scope_capabilities : detail::device_query<std::vector<memory_scope>> {};
struct atomic_fence_scope_capabilities : detail::device_query<std::vector<memory_scope>> {};
struct profiling_timer_resolution : detail::device_query<std::size_t> {}; ///< ns
struct is_endian_little : detail::device_query<bool> {};
struct is_available : detail::device_query<bool> {};
struct is_compiler_available : detail::device_query<bool> {};
struct is_linker_available : detail::device_query<bool> {};
struct execution_capabilities : detail::device_query<std::vector<info::execution_capability>> {};
struct queue_profiling : detail::device_query<bool> {};
/// Kernels may use pipes (sycl_ext_intel_dataflow_pipes).
struct kernel_kernel_pipe_support : detail::device_query<bool> {};
struct built_in_kernel_ids : detail::device_query<std::vector<kernel_id>> {};
struct built_in_kernels : detail::device_query<std::vector<std::string>> {};
struct platform : detail::device_query<lanefold::platform> {};
struct name : detail::device_query<std::string> {};
struct vendor : detail::device_query<std::string> {};
struct driver_version : detail::device_query<std::string> {};
struct profile : detail::device_query<std::string> {};
struct version : detail::device_query<std::string> {}; ///< of the library, and the instruction set of the CPU
struct backend_version : detail::device_query<std::string> {};
struct opencl_c_version : detail::device_query<std::string> {}; ///< of OpenCL devices; of the CPU nothing
struct aspects : detail::device_query<std::vector<aspect>> {};
struct extensions : detail::device_query<std::vector<std::string>> {}; ///< the instruction sets that the CPU can run
struct printf_buffer_size : detail::device_query<std::size_t> {};
struct preferred_interop_user_sync : detail::device_query<bool> {};
struct parent_device : detail::device_query<lanefold::device> {};
struct partition_max_sub_devices : detail::device_query<std::uint32_t> {};
struct partition_properties : detail::device_query<std::vector<info::partition_property>> {};
struct partition_affinity_domains : detail::device_query<std::vector<info::partition_affinity_domain>> {};
struct partition_type_property : detail::device_query<info::partition_property> {};
struct partition_type_affinity_domain : detail::device_query<info::partition_affinity_domain> {};
struct reference_count : detail::device_query<std::uint32_t> {};
} // namespace device

/// [sycl.4.6.5.3]
namespace queue {
struct context : detail::queue_query<lanefold::context> {};
struct device : detail::queue_query<lanefold::device> {};
struct reference_count : detail::queue_query<std::uint32_t> {};
} // namespace queue

/// [sycl.4.11.13]
namespace kernel {
struct num_args : detail::kernel_query<std::uint32_t> {};
struct attributes : detail::kernel_query<std::string> {};
struct function_name : detail::kernel_query<std::string> {};
struct context : detail::kernel_query<lanefold::context> {};
struct reference_count : detail::kernel_query<std::uint32_t> {};
} // namespace kernel

namespace kernel_device_specific {
struct global_work_size : detail::kernel_device_query<range<3>> {};
struct work_group_size : detail::kernel_device_query<std::size_t> {};
struct compile_work_group_size : detail::kernel_device_query<range<3>> {};
struct preferred_work_group_size_multiple : detail::kernel_device_query<std::size_t> {};
struct private_mem_size : detail::kernel_device_query<std::size_t> {};
struct max_num_sub_groups : detail::kernel_device_query<std::uint32_t> {};
struct compile_num_sub_groups : detail::kernel_device_query<std::uint32_t> {};
struct max_sub_group_size : detail::kernel_device_query<std::uint32_t> {};
struct compile_sub_group_size : detail::kernel_device_query<std::uint32_t> {};
} // namespace kernel_device_specific
namespace kernel_work_group = kernel_device_specific; // of SYCL 1.2.1
/// Has the names of oneAPI's older extension of sub-groups.
namespace kernel_sub_group {
using namespace kernel_device_specific;
using max_sub_group_size_for_ndrange = max_sub_group_size;
} // namespace kernel_sub_group

} // namespace info

/// Asks how many work-groups an ND-range may have. (the extension SYCL_KHR_MAX_WORK_GROUP_QUERIES)
namespace khr::info::device {
template <int Dimensions = 3>
struct max_work_group_range : lanefold::detail::device_query<range<Dimensions>> {};
struct max_work_group_range_size : lanefold::detail::device_query<std::size_t> {};
} // namespace khr::info::device

/// oneAPI's name for max_compute_units (sycl_ext_oneapi_num_compute_units).
namespace ext::oneapi::info::device {
struct num_compute_units : lanefold::detail::device_query<std::size_t> {};
} // namespace ext::oneapi::info::device

/// Asks how many work-groups of a kernel run at the same time (sycl_ext_oneapi_launch_queries).
namespace ext::oneapi::experimental::info::kernel_queue_specific {
struct max_num_work_groups {
  using return_type = std::size_t;
};
} // namespace ext::oneapi::experimental::info::kernel_queue_specific
LANEFOLD_END_NAMESPACE
