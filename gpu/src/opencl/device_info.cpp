// SPDX-License-Identifier: Apache-2.0
// Answers info::device queries and questions for aspects of OpenCL devices.
#include "backend.hpp"

#include <lanefold/execution/context.hpp>
#include <lanefold/execution/kernel_bundle.hpp>
#include <lanefold/execution/platform.hpp>
#include <lanefold/memory/memory_order.hpp>

#include <string>
#include <typeindex>
#include <unordered_map>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {
namespace {

namespace query = info::device;

/// A number of the device; 0 where its version of OpenCL does not know it.
template <class T>
T number(const device& on, cl_device_info what) {
  T value{};
  if (clGetDeviceInfo(on.state().handle(), what, sizeof(value), &value, nullptr) != CL_SUCCESS)
    return T{};
  return value;
}

std::string text(const device& on, cl_device_info what) {
  std::string value;
  on.state().handle.getInfo(what, &value);
  return value;
}

std::vector<info::fp_config> fp_configs(const device& on, cl_device_info what) {
  const auto bits = number<cl_device_fp_config>(on, what);
  std::vector<info::fp_config> all;
  const auto add = [&](cl_device_fp_config bit, info::fp_config meaning) {
    if ((bits & bit) != 0)
      all.push_back(meaning);
  };
  add(CL_FP_DENORM, info::fp_config::denorm);
  add(CL_FP_INF_NAN, info::fp_config::inf_nan);
  add(CL_FP_ROUND_TO_NEAREST, info::fp_config::round_to_nearest);
  add(CL_FP_ROUND_TO_ZERO, info::fp_config::round_to_zero);
  add(CL_FP_ROUND_TO_INF, info::fp_config::round_to_inf);
  add(CL_FP_FMA, info::fp_config::fma);
  add(CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, info::fp_config::correctly_rounded_divide_sqrt);
  add(CL_FP_SOFT_FLOAT, info::fp_config::soft_float);
  return all;
}

/// OpenCL 3.0 says it; before, relaxed atomics within a device are what there is.
std::vector<memory_order> orders(const device& on, cl_device_info what) {
  const auto bits = number<cl_device_atomic_capabilities>(on, what);
  std::vector<memory_order> all{memory_order::relaxed};
  if ((bits & CL_DEVICE_ATOMIC_ORDER_ACQ_REL) != 0)
    all.insert(all.end(), {memory_order::acquire, memory_order::release, memory_order::acq_rel});
  if ((bits & CL_DEVICE_ATOMIC_ORDER_SEQ_CST) != 0)
    all.push_back(memory_order::seq_cst);
  return all;
}

std::vector<memory_scope> scopes(const device& on, cl_device_info what) {
  const auto bits = number<cl_device_atomic_capabilities>(on, what);
  std::vector<memory_scope> all{memory_scope::work_item, memory_scope::sub_group, memory_scope::work_group};
  if (bits == 0 || (bits & (CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES)) != 0)
    all.push_back(memory_scope::device);
  if ((bits & CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES) != 0)
    all.push_back(memory_scope::system);
  return all;
}

template <int D>
range<D> largest_sizes(const device& on) {
  const std::vector<std::size_t> sizes = on.state().handle.getInfo<CL_DEVICE_MAX_WORK_ITEM_SIZES>();
  range<D> result;
  for (int d = 0; d < D; ++d) // OpenCL's dimension 0 varies fastest
    result[d] = sizes[static_cast<std::size_t>(D - 1 - d)];
  return result;
}

[[noreturn]] void refuse_parent() {
  throw exception(make_error_code(errc::invalid), "info::device::parent_device: this device is no sub-device");
}

using answers = std::unordered_map<std::type_index, std::any (*)(const opencl_device&)>;

/// `Answer` makes the answer from the device.
template <class Query, class Answer>
void add(answers& to, Answer) {
  to.emplace(typeid(Query), [](const opencl_device& on) -> std::any {
    return static_cast<typename Query::return_type>(Answer{}(on.native()));
  });
}

/// The answer is what clGetDeviceInfo returns as a T.
template <class Query, class T, cl_device_info What>
void add_number(answers& to) {
  add<Query>(to, [](const device& on) { return number<T>(on, What); });
}

template <class Query, cl_device_info What>
void add_text(answers& to) {
  add<Query>(to, [](const device& on) { return text(on, What); });
}

void add_identity(answers& to) {
  to.emplace(typeid(query::platform), [](const opencl_device& on) -> std::any { return on.handle().get_platform(); });
  to.emplace(typeid(query::aspects), [](const opencl_device& on) -> std::any {
    std::vector<aspect> all;
    for (int a = 0; a <= static_cast<int>(aspect::usm_system_allocations); ++a)
      if (on.has(static_cast<aspect>(a)))
        all.push_back(static_cast<aspect>(a));
    return all;
  });
  add<query::device_type>(to, [](const device& on) { return type_of(on); });
  add_number<query::vendor_id, cl_uint, CL_DEVICE_VENDOR_ID>(to);
  add_text<query::name, CL_DEVICE_NAME>(to);
  add_text<query::vendor, CL_DEVICE_VENDOR>(to);
  add_text<query::driver_version, CL_DRIVER_VERSION>(to);
  add_text<query::profile, CL_DEVICE_PROFILE>(to);
  add_text<query::version, CL_DEVICE_VERSION>(to);
  add_text<query::backend_version, CL_DEVICE_VERSION>(to);
  add_text<query::opencl_c_version, CL_DEVICE_OPENCL_C_VERSION>(to);
  add<query::extensions>(to, [](const device& on) { return words_of(on.state().extensions); });
  add_number<query::is_available, cl_bool, CL_DEVICE_AVAILABLE>(to);
  add_number<query::is_endian_little, cl_bool, CL_DEVICE_ENDIAN_LITTLE>(to);
  add_number<query::address_bits, cl_uint, CL_DEVICE_ADDRESS_BITS>(to);
  add_number<query::max_clock_frequency, cl_uint, CL_DEVICE_MAX_CLOCK_FREQUENCY>(to);
  add<query::reference_count>(to, [](const device&) { return 1; });
}

void add_execution(answers& to) {
  add_number<query::max_compute_units, cl_uint, CL_DEVICE_MAX_COMPUTE_UNITS>(to);
  add_number<query::max_work_item_dimensions, cl_uint, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS>(to);
  add<query::max_work_item_sizes<1>>(to, [](const device& on) { return largest_sizes<1>(on); });
  add<query::max_work_item_sizes<2>>(to, [](const device& on) { return largest_sizes<2>(on); });
  add<query::max_work_item_sizes<3>>(to, [](const device& on) { return largest_sizes<3>(on); });
  add_number<query::max_work_group_size, std::size_t, CL_DEVICE_MAX_WORK_GROUP_SIZE>(to);
  add<query::max_num_sub_groups>(to, [](const device& on) {
    const auto said = number<cl_uint>(on, CL_DEVICE_MAX_NUM_SUB_GROUPS);
    return said != 0 ? said : on.state().target.nv ? on.max_work_group_size() / 32 : 1;
  });
  add_number<query::sub_group_independent_forward_progress, cl_bool, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS>(
      to);
  add<query::sub_group_sizes>(to, [](const device& on) {
    const library_target& target = on.library_target();
    return !target.sub_group_sizes.empty() ? target.sub_group_sizes
                                           : std::vector<std::size_t>{target.nv ? std::size_t{32} : std::size_t{1}};
  });
  add_number<query::preferred_vector_width_char, cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR>(to);
  add_number<query::preferred_vector_width_short, cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT>(to);
  add_number<query::preferred_vector_width_int, cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT>(to);
  add_number<query::preferred_vector_width_long, cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG>(to);
  add_number<query::preferred_vector_width_float, cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT>(to);
  add_number<query::preferred_vector_width_double, cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE>(to);
  add_number<query::preferred_vector_width_half, cl_uint, CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF>(to);
  add_number<query::native_vector_width_char, cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR>(to);
  add_number<query::native_vector_width_short, cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT>(to);
  add_number<query::native_vector_width_int, cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_INT>(to);
  add_number<query::native_vector_width_long, cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG>(to);
  add_number<query::native_vector_width_float, cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT>(to);
  add_number<query::native_vector_width_double, cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE>(to);
  add_number<query::native_vector_width_half, cl_uint, CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF>(to);
  add<query::execution_capabilities>(
      to, [](const device&) { return std::vector{info::execution_capability::exec_kernel}; });
  add<query::queue_profiling>(to, [](const device&) { return true; });
  add<query::kernel_kernel_pipe_support>(to, [](const device&) { return false; });
  add_number<query::profiling_timer_resolution, std::size_t, CL_DEVICE_PROFILING_TIMER_RESOLUTION>(to);
  add_number<query::max_parameter_size, std::size_t, CL_DEVICE_MAX_PARAMETER_SIZE>(to);
  add_number<query::is_compiler_available, cl_bool, CL_DEVICE_COMPILER_AVAILABLE>(to);
  add_number<query::is_linker_available, cl_bool, CL_DEVICE_LINKER_AVAILABLE>(to);
  add<query::built_in_kernels>(to, [](const device&) { return std::vector<std::string>(); });
  add<query::built_in_kernel_ids>(to, [](const device&) { return std::vector<kernel_id>(); });
  add_number<query::printf_buffer_size, std::size_t, CL_DEVICE_PRINTF_BUFFER_SIZE>(to);
  add_number<query::preferred_interop_user_sync, cl_bool, CL_DEVICE_PREFERRED_INTEROP_USER_SYNC>(to);
  add<query::half_fp_config>(to, [](const device& on) {
    return on.has_fp16() ? fp_configs(on, CL_DEVICE_HALF_FP_CONFIG) : std::vector<info::fp_config>();
  });
  add<query::single_fp_config>(to, [](const device& on) { return fp_configs(on, CL_DEVICE_SINGLE_FP_CONFIG); });
  add<query::double_fp_config>(to, [](const device& on) { return fp_configs(on, CL_DEVICE_DOUBLE_FP_CONFIG); });
}

void add_memory(answers& to) {
  add_number<query::max_mem_alloc_size, cl_ulong, CL_DEVICE_MAX_MEM_ALLOC_SIZE>(to);
  add_number<query::global_mem_size, cl_ulong, CL_DEVICE_GLOBAL_MEM_SIZE>(to);
  add<query::global_mem_cache_type>(to, [](const device& on) {
    const auto type = number<cl_device_mem_cache_type>(on, CL_DEVICE_GLOBAL_MEM_CACHE_TYPE);
    return type == CL_READ_WRITE_CACHE  ? info::global_mem_cache_type::read_write
           : type == CL_READ_ONLY_CACHE ? info::global_mem_cache_type::read_only
                                        : info::global_mem_cache_type::none;
  });
  add_number<query::global_mem_cache_line_size, cl_uint, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE>(to);
  add_number<query::global_mem_cache_size, cl_ulong, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE>(to);
  add_number<query::max_constant_buffer_size, cl_ulong, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE>(to);
  add_number<query::max_constant_args, cl_uint, CL_DEVICE_MAX_CONSTANT_ARGS>(to);
  add<query::local_mem_type>(to, [](const device& on) {
    const auto type = number<cl_device_local_mem_type>(on, CL_DEVICE_LOCAL_MEM_TYPE);
    return type == CL_LOCAL    ? info::local_mem_type::local
           : type == CL_GLOBAL ? info::local_mem_type::global
                               : info::local_mem_type::none;
  });
  add_number<query::local_mem_size, cl_ulong, CL_DEVICE_LOCAL_MEM_SIZE>(to);
  add_number<query::mem_base_addr_align, cl_uint, CL_DEVICE_MEM_BASE_ADDR_ALIGN>(to);
  add_number<query::error_correction_support, cl_bool, CL_DEVICE_ERROR_CORRECTION_SUPPORT>(to);
  add_number<query::host_unified_memory, cl_bool, CL_DEVICE_HOST_UNIFIED_MEMORY>(to);
  add<query::atomic_memory_order_capabilities>(
      to, [](const device& on) { return orders(on, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES); });
  add<query::atomic_fence_order_capabilities>(
      to, [](const device& on) { return orders(on, CL_DEVICE_ATOMIC_FENCE_CAPABILITIES); });
  add<query::atomic_memory_scope_capabilities>(
      to, [](const device& on) { return scopes(on, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES); });
  add<query::atomic_fence_scope_capabilities>(
      to, [](const device& on) { return scopes(on, CL_DEVICE_ATOMIC_FENCE_CAPABILITIES); });
}

/// Images of the device; buffers and USM are what this library gives to kernels.
void add_images(answers& to) {
  add_number<query::image_support, cl_bool, CL_DEVICE_IMAGE_SUPPORT>(to);
  add_number<query::max_read_image_args, cl_uint, CL_DEVICE_MAX_READ_IMAGE_ARGS>(to);
  add_number<query::max_write_image_args, cl_uint, CL_DEVICE_MAX_WRITE_IMAGE_ARGS>(to);
  add_number<query::image2d_max_height, std::size_t, CL_DEVICE_IMAGE2D_MAX_HEIGHT>(to);
  add_number<query::image2d_max_width, std::size_t, CL_DEVICE_IMAGE2D_MAX_WIDTH>(to);
  add_number<query::image3d_max_height, std::size_t, CL_DEVICE_IMAGE3D_MAX_HEIGHT>(to);
  add_number<query::image3d_max_width, std::size_t, CL_DEVICE_IMAGE3D_MAX_WIDTH>(to);
  add_number<query::image3d_max_depth, std::size_t, CL_DEVICE_IMAGE3D_MAX_DEPTH>(to);
  add_number<query::image_max_buffer_size, std::size_t, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE>(to);
  add_number<query::max_samplers, cl_uint, CL_DEVICE_MAX_SAMPLERS>(to);
}

void add_partition(answers& to) {
  to.emplace(typeid(query::parent_device), [](const opencl_device&) -> std::any { refuse_parent(); });
  add<query::partition_max_sub_devices>(to, [](const device&) { return 0; });
  add<query::partition_properties>(to, [](const device&) { return std::vector<info::partition_property>(); });
  add<query::partition_affinity_domains>(to,
                                         [](const device&) { return std::vector<info::partition_affinity_domain>(); });
  add<query::partition_type_property>(to, [](const device&) { return info::partition_property::no_partition; });
  add<query::partition_type_affinity_domain>(
      to, [](const device&) { return info::partition_affinity_domain::not_applicable; });
}

const answers& all_answers() {
  static const answers* const all = [] {
    auto* const made = new answers;
    add_identity(*made);
    add_execution(*made);
    add_memory(*made);
    add_images(*made);
    add_partition(*made);
    return made;
  }();
  return *all;
}

} // namespace

std::any opencl_device::answer(const std::type_info& query) const {
  const auto found = all_answers().find(query);
  if (found == all_answers().end())
    throw exception(make_error_code(errc::feature_not_supported), "get_info: OpenCL devices do not answer this query");
  return found->second(*this);
}

bool opencl_device::has(aspect asked) const noexcept {
  switch (asked) {
  case aspect::cpu: return m_native.is_cpu();
  case aspect::gpu: return m_native.is_gpu();
  case aspect::accelerator: return m_native.is_accelerator();
  case aspect::custom: return type_of(m_native) == info::device_type::custom;
  case aspect::fp16: return m_native.state().target.fp16;
  case aspect::fp64: return m_native.state().target.fp64;
  case aspect::atomic64:
    return m_native.state().extensions.find(" cl_khr_int64_base_atomics ") != std::string::npos &&
           m_native.state().extensions.find(" cl_khr_int64_extended_atomics ") != std::string::npos;
  case aspect::image: return number<cl_bool>(m_native, CL_DEVICE_IMAGE_SUPPORT) == CL_TRUE;
  case aspect::online_compiler: return number<cl_bool>(m_native, CL_DEVICE_COMPILER_AVAILABLE) == CL_TRUE;
  case aspect::online_linker: return number<cl_bool>(m_native, CL_DEVICE_LINKER_AVAILABLE) == CL_TRUE;
  case aspect::queue_profiling:
  case aspect::ext_oneapi_graph:
  case aspect::ext_oneapi_limited_graph: return true;
  case aspect::usm_device_allocations: return m_native.has_usm_device();
  case aspect::usm_host_allocations:
  case aspect::usm_shared_allocations: return m_native.has_usm_shared();
  default: return false;
  }
}

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
