// SPDX-License-Identifier: Apache-2.0
/// Gives the answers of devices to info::device queries.
#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/device_backend.hpp>
#include <lanefold/execution/detail/machine.hpp>
#include <lanefold/execution/detail/platform_entry.hpp>
#include <lanefold/execution/device.hpp>
#include <lanefold/execution/kernel_bundle.hpp>
#include <lanefold/execution/nd_range.hpp>
#include <lanefold/execution/platform.hpp>
#include <lanefold/simd/isa.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <ctime>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

namespace query = info::device;

// ---- what the CPU answers

/// Lanes of a T in a register of the widest instruction set that the CPU can run.
template <class T>
std::uint32_t lanes_of() {
  return static_cast<std::uint32_t>(std::max<std::size_t>(register_bytes() / sizeof(T), 1));
}

// These answer what the device is.
info::device_type answer(query::device_type) { return info::device_type::cpu; }
std::uint32_t answer(query::vendor_id) { return vendor_number(); }
std::string answer(query::name) {
  const std::string model = cpuinfo("model name");
  return model.empty() ? "CPU" : model;
}
std::string answer(query::vendor) {
  const std::string vendor = cpuinfo("vendor_id");
  return vendor.empty() ? "unknown" : vendor;
}
std::string answer(query::driver_version) { return LANEFOLD_VERSION_STRING; }
std::string answer(query::profile) { return "FULL_PROFILE"; }
std::string answer(query::version) {
  return std::string("Lanefold " LANEFOLD_VERSION_STRING " (") + isa_name(cpu_isa()) + ")";
}
std::string answer(query::backend_version) { return LANEFOLD_VERSION_STRING; }
std::string answer(query::opencl_c_version) { return {}; }
platform answer(query::platform) { return platform(); }
bool answer(query::is_available) { return true; }
bool answer(query::is_endian_little) { return std::endian::native == std::endian::little; }
std::uint32_t answer(query::address_bits) { return 8 * sizeof(void*); }
std::uint32_t answer(query::max_clock_frequency) { return clock_megahertz(); }
std::uint32_t answer(query::reference_count) { return 1; }

std::vector<aspect> answer(query::aspects) {
  std::vector<aspect> all;
  for (int a = 0; a <= static_cast<int>(aspect::usm_system_allocations); ++a) {
    if (cpu_has(static_cast<aspect>(a))) {
      all.push_back(static_cast<aspect>(a));
    }
  }
  return all;
}

std::vector<std::string> answer(query::extensions) {
  std::vector<std::string> names;
  for (const isa_id id : {isa_id::sse2, isa_id::avx2, isa_id::avx512, isa_id::neon}) {
    if (supports(id)) {
      names.push_back(std::string("lanefold_isa_") + isa_name(id));
    }
  }
  return names;
}

// These answer how kernels run on the device.
std::uint32_t answer(query::max_compute_units) { return static_cast<std::uint32_t>(available_cores()); }
std::uint32_t answer(query::max_work_item_dimensions) { return 3; }
template <int D>
range<D> answer(query::max_work_item_sizes<D>) {
  range<D> sizes;
  for (int d = 0; d < D; ++d) {
    sizes[d] = device::max_work_group_size();
  }
  return sizes;
}
std::size_t answer(query::max_work_group_size) { return device::max_work_group_size(); }
/// A sub-group may be as small as one work-item.
std::uint32_t answer(query::max_num_sub_groups) { return static_cast<std::uint32_t>(device::max_work_group_size()); }
/// A unit runs until it meets a barrier.
bool answer(query::sub_group_independent_forward_progress) { return false; }
/// Any size up to 256 can be asked for with property::sub_group_size; these are the usual ones.
std::vector<std::size_t> answer(query::sub_group_sizes) { return {4, 8, 16, 32, 64, 128, 256}; }
std::uint32_t answer(query::preferred_vector_width_char) { return lanes_of<std::int8_t>(); }
std::uint32_t answer(query::preferred_vector_width_short) { return lanes_of<std::int16_t>(); }
std::uint32_t answer(query::preferred_vector_width_int) { return lanes_of<std::int32_t>(); }
std::uint32_t answer(query::preferred_vector_width_long) { return lanes_of<std::int64_t>(); }
std::uint32_t answer(query::preferred_vector_width_float) { return lanes_of<float>(); }
std::uint32_t answer(query::preferred_vector_width_double) { return lanes_of<double>(); }
/// Arithmetic of half is that of float, rounded.
std::uint32_t answer(query::preferred_vector_width_half) { return lanes_of<float>(); }
std::uint32_t answer(query::native_vector_width_char) { return lanes_of<std::int8_t>(); }
std::uint32_t answer(query::native_vector_width_short) { return lanes_of<std::int16_t>(); }
std::uint32_t answer(query::native_vector_width_int) { return lanes_of<std::int32_t>(); }
std::uint32_t answer(query::native_vector_width_long) { return lanes_of<std::int64_t>(); }
std::uint32_t answer(query::native_vector_width_float) { return lanes_of<float>(); }
std::uint32_t answer(query::native_vector_width_double) { return lanes_of<double>(); }
std::uint32_t answer(query::native_vector_width_half) { return lanes_of<float>(); }
std::vector<info::execution_capability> answer(query::execution_capabilities) {
  return {info::execution_capability::exec_kernel, info::execution_capability::exec_native_kernel};
}
bool answer(query::queue_profiling) { return true; }
bool answer(query::kernel_kernel_pipe_support) { return true; }
std::size_t answer(query::profiling_timer_resolution) {
  timespec resolution = {};
  clock_getres(CLOCK_MONOTONIC, &resolution);
  return static_cast<std::size_t>(resolution.tv_sec) * 1000000000 + static_cast<std::size_t>(resolution.tv_nsec);
}
/// Kernels are objects of the program, which the frames that run them hold: this much fits on the smallest stack.
std::size_t answer(query::max_parameter_size) { return 1024; }
// The aspects of these names say it. [sycl.4.6.4.2]
bool answer(query::is_compiler_available) { return cpu_has(aspect::online_compiler); }
bool answer(query::is_linker_available) { return cpu_has(aspect::online_linker); }
std::vector<std::string> answer(query::built_in_kernels) { return {}; }
std::vector<kernel_id> answer(query::built_in_kernel_ids) { return {}; }
/// printf in a kernel is that of the process.
std::size_t answer(query::printf_buffer_size) { return 0; }
bool answer(query::preferred_interop_user_sync) { return true; }

// Floating point: that of the processor, as the program has set it.
std::vector<info::fp_config> ieee() {
  return {info::fp_config::denorm,
          info::fp_config::inf_nan,
          info::fp_config::round_to_nearest,
          info::fp_config::round_to_zero,
          info::fp_config::round_to_inf,
          info::fp_config::fma,
          info::fp_config::correctly_rounded_divide_sqrt};
}
/// A result of float that is rounded to half is right for the basic operations, but not for fma.
std::vector<info::fp_config> answer(query::half_fp_config) {
  return {info::fp_config::denorm, info::fp_config::inf_nan, info::fp_config::round_to_nearest,
          info::fp_config::correctly_rounded_divide_sqrt};
}
std::vector<info::fp_config> answer(query::single_fp_config) { return ieee(); }
std::vector<info::fp_config> answer(query::double_fp_config) { return ieee(); }

// Memory.
std::uint64_t answer(query::max_mem_alloc_size) { return memory_bytes(); }
std::uint64_t answer(query::global_mem_size) { return memory_bytes(); }
info::global_mem_cache_type answer(query::global_mem_cache_type) { return info::global_mem_cache_type::read_write; }
std::uint32_t answer(query::global_mem_cache_line_size) { return largest_cache().line; }
std::uint64_t answer(query::global_mem_cache_size) { return largest_cache().bytes; }
std::uint64_t answer(query::max_constant_buffer_size) { return memory_bytes(); }
std::uint32_t answer(query::max_constant_args) { return 128; }
/// Ordinary memory, which stays in the cache of the core that runs the group.
info::local_mem_type answer(query::local_mem_type) { return info::local_mem_type::global; }
std::uint64_t answer(query::local_mem_size) { return device::local_memory_bytes(); }
std::uint32_t answer(query::mem_base_addr_align) { return 8 * 128; }
/// The operating system does not tell.
bool answer(query::error_correction_support) { return false; }
bool answer(query::host_unified_memory) { return true; }

// Atomics: those of the processor.
std::vector<memory_order> all_orders() {
  return {memory_order::relaxed, memory_order::acquire, memory_order::release, memory_order::acq_rel,
          memory_order::seq_cst};
}
std::vector<memory_scope> all_scopes() {
  return {memory_scope::work_item, memory_scope::sub_group, memory_scope::work_group, memory_scope::device,
          memory_scope::system};
}
std::vector<memory_order> answer(query::atomic_memory_order_capabilities) { return all_orders(); }
std::vector<memory_order> answer(query::atomic_fence_order_capabilities) { return all_orders(); }
std::vector<memory_scope> answer(query::atomic_memory_scope_capabilities) { return all_scopes(); }
std::vector<memory_scope> answer(query::atomic_fence_scope_capabilities) { return all_scopes(); }

// Images lie in memory of the host: these are limits of nothing but size.
bool answer(query::image_support) { return true; }
std::uint32_t answer(query::max_read_image_args) { return 128; }
std::uint32_t answer(query::max_write_image_args) { return 128; }
std::size_t answer(query::image2d_max_height) { return 65536; }
std::size_t answer(query::image2d_max_width) { return 65536; }
std::size_t answer(query::image3d_max_height) { return 16384; }
std::size_t answer(query::image3d_max_width) { return 16384; }
std::size_t answer(query::image3d_max_depth) { return 16384; }
std::size_t answer(query::image_max_buffer_size) { return std::size_t{1} << 30; }
std::uint32_t answer(query::max_samplers) { return 16; }

// It cannot be divided.
device answer(query::parent_device) {
  throw exception(make_error_code(errc::invalid), "info::device::parent_device: this device is no sub-device");
}
std::uint32_t answer(query::partition_max_sub_devices) { return 0; }
std::vector<info::partition_property> answer(query::partition_properties) { return {}; }
std::vector<info::partition_affinity_domain> answer(query::partition_affinity_domains) { return {}; }
info::partition_property answer(query::partition_type_property) { return info::partition_property::no_partition; }
info::partition_affinity_domain answer(query::partition_type_affinity_domain) {
  return info::partition_affinity_domain::not_applicable;
}

} // namespace
} // namespace detail

// ---- device

template <class Query>
typename Query::return_type device::answer() const {
  if (m_device->native != nullptr) {
    return std::any_cast<typename Query::return_type>(m_device->native->answer(typeid(Query)));
  }
  return detail::answer(Query());
}

#define LANEFOLD_DETAIL_ANSWER(query)                                                                                  \
  template info::device::query::return_type device::answer<info::device::query>() const
LANEFOLD_DETAIL_ANSWER(device_type);
LANEFOLD_DETAIL_ANSWER(vendor_id);
LANEFOLD_DETAIL_ANSWER(max_compute_units);
LANEFOLD_DETAIL_ANSWER(max_work_item_dimensions);
LANEFOLD_DETAIL_ANSWER(max_work_item_sizes<1>);
LANEFOLD_DETAIL_ANSWER(max_work_item_sizes<2>);
LANEFOLD_DETAIL_ANSWER(max_work_item_sizes<3>);
LANEFOLD_DETAIL_ANSWER(max_work_group_size);
LANEFOLD_DETAIL_ANSWER(max_num_sub_groups);
LANEFOLD_DETAIL_ANSWER(sub_group_independent_forward_progress);
LANEFOLD_DETAIL_ANSWER(sub_group_sizes);
LANEFOLD_DETAIL_ANSWER(preferred_vector_width_char);
LANEFOLD_DETAIL_ANSWER(preferred_vector_width_short);
LANEFOLD_DETAIL_ANSWER(preferred_vector_width_int);
LANEFOLD_DETAIL_ANSWER(preferred_vector_width_long);
LANEFOLD_DETAIL_ANSWER(preferred_vector_width_float);
LANEFOLD_DETAIL_ANSWER(preferred_vector_width_double);
LANEFOLD_DETAIL_ANSWER(preferred_vector_width_half);
LANEFOLD_DETAIL_ANSWER(native_vector_width_char);
LANEFOLD_DETAIL_ANSWER(native_vector_width_short);
LANEFOLD_DETAIL_ANSWER(native_vector_width_int);
LANEFOLD_DETAIL_ANSWER(native_vector_width_long);
LANEFOLD_DETAIL_ANSWER(native_vector_width_float);
LANEFOLD_DETAIL_ANSWER(native_vector_width_double);
LANEFOLD_DETAIL_ANSWER(native_vector_width_half);
LANEFOLD_DETAIL_ANSWER(max_clock_frequency);
LANEFOLD_DETAIL_ANSWER(address_bits);
LANEFOLD_DETAIL_ANSWER(max_mem_alloc_size);
LANEFOLD_DETAIL_ANSWER(image_support);
LANEFOLD_DETAIL_ANSWER(max_read_image_args);
LANEFOLD_DETAIL_ANSWER(max_write_image_args);
LANEFOLD_DETAIL_ANSWER(image2d_max_height);
LANEFOLD_DETAIL_ANSWER(image2d_max_width);
LANEFOLD_DETAIL_ANSWER(image3d_max_height);
LANEFOLD_DETAIL_ANSWER(image3d_max_width);
LANEFOLD_DETAIL_ANSWER(image3d_max_depth);
LANEFOLD_DETAIL_ANSWER(image_max_buffer_size);
LANEFOLD_DETAIL_ANSWER(max_samplers);
LANEFOLD_DETAIL_ANSWER(max_parameter_size);
LANEFOLD_DETAIL_ANSWER(mem_base_addr_align);
LANEFOLD_DETAIL_ANSWER(half_fp_config);
LANEFOLD_DETAIL_ANSWER(single_fp_config);
LANEFOLD_DETAIL_ANSWER(double_fp_config);
LANEFOLD_DETAIL_ANSWER(global_mem_cache_type);
LANEFOLD_DETAIL_ANSWER(global_mem_cache_line_size);
LANEFOLD_DETAIL_ANSWER(global_mem_cache_size);
LANEFOLD_DETAIL_ANSWER(global_mem_size);
LANEFOLD_DETAIL_ANSWER(max_constant_buffer_size);
LANEFOLD_DETAIL_ANSWER(max_constant_args);
LANEFOLD_DETAIL_ANSWER(local_mem_type);
LANEFOLD_DETAIL_ANSWER(local_mem_size);
LANEFOLD_DETAIL_ANSWER(error_correction_support);
LANEFOLD_DETAIL_ANSWER(host_unified_memory);
LANEFOLD_DETAIL_ANSWER(atomic_memory_order_capabilities);
LANEFOLD_DETAIL_ANSWER(atomic_fence_order_capabilities);
LANEFOLD_DETAIL_ANSWER(atomic_memory_scope_capabilities);
LANEFOLD_DETAIL_ANSWER(atomic_fence_scope_capabilities);
LANEFOLD_DETAIL_ANSWER(built_in_kernel_ids);
LANEFOLD_DETAIL_ANSWER(profiling_timer_resolution);
LANEFOLD_DETAIL_ANSWER(is_endian_little);
LANEFOLD_DETAIL_ANSWER(is_available);
LANEFOLD_DETAIL_ANSWER(is_compiler_available);
LANEFOLD_DETAIL_ANSWER(is_linker_available);
LANEFOLD_DETAIL_ANSWER(execution_capabilities);
LANEFOLD_DETAIL_ANSWER(queue_profiling);
LANEFOLD_DETAIL_ANSWER(kernel_kernel_pipe_support);
LANEFOLD_DETAIL_ANSWER(built_in_kernels);
LANEFOLD_DETAIL_ANSWER(platform);
LANEFOLD_DETAIL_ANSWER(name);
LANEFOLD_DETAIL_ANSWER(vendor);
LANEFOLD_DETAIL_ANSWER(driver_version);
LANEFOLD_DETAIL_ANSWER(profile);
LANEFOLD_DETAIL_ANSWER(version);
LANEFOLD_DETAIL_ANSWER(backend_version);
LANEFOLD_DETAIL_ANSWER(opencl_c_version);
LANEFOLD_DETAIL_ANSWER(aspects);
LANEFOLD_DETAIL_ANSWER(extensions);
LANEFOLD_DETAIL_ANSWER(printf_buffer_size);
LANEFOLD_DETAIL_ANSWER(preferred_interop_user_sync);
LANEFOLD_DETAIL_ANSWER(parent_device);
LANEFOLD_DETAIL_ANSWER(partition_max_sub_devices);
LANEFOLD_DETAIL_ANSWER(partition_properties);
LANEFOLD_DETAIL_ANSWER(partition_affinity_domains);
LANEFOLD_DETAIL_ANSWER(partition_type_property);
LANEFOLD_DETAIL_ANSWER(partition_type_affinity_domain);
LANEFOLD_DETAIL_ANSWER(reference_count);
#undef LANEFOLD_DETAIL_ANSWER

namespace {

/// Returns so many that a std::size_t counts their work-items, of whatever size the groups are.
template <int D>
range<D> most_work_groups() {
  range<D> most;
  for (int d = 0; d < D; ++d) {
    most[d] = std::numeric_limits<std::size_t>::max() / detail::most_work_items;
  }
  return most;
}

} // namespace

template <>
range<1> device::answer<khr::info::device::max_work_group_range<1>>() const {
  return most_work_groups<1>();
}
template <>
range<2> device::answer<khr::info::device::max_work_group_range<2>>() const {
  return most_work_groups<2>();
}
template <>
range<3> device::answer<khr::info::device::max_work_group_range<3>>() const {
  return most_work_groups<3>();
}
template <>
std::size_t device::answer<ext::oneapi::info::device::num_compute_units>() const {
  return get_info<info::device::max_compute_units>();
}
template <>
std::size_t device::answer<khr::info::device::max_work_group_range_size>() const {
  return most_work_groups<1>()[0];
}

LANEFOLD_END_NAMESPACE
