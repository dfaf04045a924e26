// SPDX-License-Identifier: Apache-2.0
#include <lanefold/gpu/device.hpp>

#include "states.hpp"

#include <lanefold/execution/detail/environment_variable.hpp>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <sstream>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu {
namespace opencl {
namespace {

constexpr cl_device_info intel_sub_group_sizes = 0x4108; // CL_DEVICE_SUB_GROUP_SIZES_INTEL

bool contains(const std::string& extensions, std::string_view name) {
  return extensions.find(std::string(" ").append(name).append(" ")) != std::string::npos;
}

/// "OpenCL 3.0 …" -> 30
int version_of(const cl::Device& device) {
  const std::string text = device.getInfo<CL_DEVICE_VERSION>();
  return text.size() < 10 ? 10 : (text[7] - '0') * 10 + (text[9] - '0');
}

bool is_nvidia(const cl::Device& device) {
  return device.getInfo<CL_DEVICE_VENDOR>().find("NVIDIA") != std::string::npos;
}

bool is_pocl(const cl::Device& device) { return device.getInfo<CL_DEVICE_VERSION>().find("PoCL") != std::string::npos; }

/// The work_group_reduce_* of OpenCL C 2.0. NVIDIA's compiler has them without saying so.
/// PoCL 5.0 says that it has them, but the symbols are missing when a kernel is loaded.
bool has_vendor_functions(const cl::Device& device) {
  if (is_pocl(device))
    return false;
  if (is_nvidia(device))
    return true;
  cl_bool there = CL_FALSE;
  if (version_of(device) >= 30)
    clGetDeviceInfo(device(), CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, sizeof(there), &there, nullptr);
  return version_of(device) >= 30 ? there == CL_TRUE : version_of(device) >= 20;
}

std::vector<std::size_t> sub_group_sizes_of(const cl::Device& device) {
  std::size_t bytes = 0;
  if (clGetDeviceInfo(device(), intel_sub_group_sizes, 0, nullptr, &bytes) != CL_SUCCESS)
    return {};
  std::vector<std::size_t> sizes(bytes / sizeof(std::size_t));
  clGetDeviceInfo(device(), intel_sub_group_sizes, bytes, sizes.data(), nullptr);
  return sizes;
}

gpu::library_target target_of(const cl::Device& device, const std::string& extensions) {
  gpu::library_target target;
  target.nv = is_nvidia(device);
  // PoCL 5.0 has both, but lacks a symbol for work-groups of one work-item, which ends the process, does not count
  // partial sub-groups of a required size, and its sub-groups meet barriers together: no faster than local memory.
  target.khr = contains(extensions, "cl_khr_subgroup_shuffle") && !is_pocl(device);
  target.intel = contains(extensions, "cl_intel_subgroups") && !is_pocl(device);
  target.flavour = target.nv ? flavour::nv : target.khr ? flavour::khr : target.intel ? flavour::intel : flavour::local;
  if (contains(extensions, "cl_intel_required_subgroup_size") && !is_pocl(device))
    target.sub_group_sizes = sub_group_sizes_of(device);
  target.fp16 = contains(extensions, "cl_khr_fp16");
  target.fp64 = contains(extensions, "cl_khr_fp64");
  target.cpu = (device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) != 0;
  target.vendor_functions = has_vendor_functions(device);
  target.largest_work_group = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
  return target;
}

template <class Function>
void load(const cl::Platform& platform, const char* name, Function& to) {
  to = reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform(), name));
}

usm_functions usm_of(const cl::Platform& platform, const std::string& extensions) {
  usm_functions f;
  if (!contains(extensions, "cl_intel_unified_shared_memory"))
    return f;
  load(platform, "clHostMemAllocINTEL", f.host_alloc);
  load(platform, "clDeviceMemAllocINTEL", f.device_alloc);
  load(platform, "clSharedMemAllocINTEL", f.shared_alloc);
  load(platform, "clMemBlockingFreeINTEL", f.free);
  load(platform, "clSetKernelArgMemPointerINTEL", f.set_argument);
  load(platform, "clEnqueueMemcpyINTEL", f.memcpy);
  load(platform, "clEnqueueMemFillINTEL", f.fill);
  load(platform, "clEnqueueMigrateMemINTEL", f.migrate);
  const bool all = f.host_alloc && f.device_alloc && f.shared_alloc && f.free && f.set_argument && f.memcpy && f.fill;
  return all ? f : usm_functions{};
}

bool has_intel_system_usm(const cl::Device& device) {
  cl_device_unified_shared_memory_capabilities_intel found = 0;
  const cl_int code =
      clGetDeviceInfo(device(), CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL, sizeof(found), &found, nullptr);
  return code == CL_SUCCESS && (found & CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL) != 0;
}

gpu::usm_support usm_way_of(bool has_intel, bool has_svm) {
  const auto& variable = lanefold::detail::environment_variables::gpu_usm;
  const std::optional<std::size_t> wanted = lanefold::detail::value_of(variable);
  if (!wanted)
    return has_intel ? usm_support::intel : has_svm ? usm_support::svm : usm_support::handles;
  const std::string_view word = variable.words[*wanted];
  if (word == "handles")
    return usm_support::handles;
  return word == "svm" && has_svm       ? usm_support::svm
         : word == "intel" && has_intel ? usm_support::intel
                                        : usm_support::none;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::vector<device> find_all() {
  std::vector<device> found;
  std::vector<cl_platform_id> platforms;
  cl_uint count = 0;
  // Errors mean that there is none, which is a normal situation.
  if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS || count == 0)
    return found;
  platforms.resize(count);
  clGetPlatformIDs(count, platforms.data(), nullptr);
  for (const cl_platform_id platform : platforms) {
    cl_uint devices = 0;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &devices) != CL_SUCCESS)
      continue;
    std::vector<cl_device_id> handles(devices);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, devices, handles.data(), nullptr);
    for (const cl_device_id handle : handles) {
      try {
        found.emplace_back(std::make_shared<device_state>(cl::Device(handle, true)));
      } catch (const cl::Error&) { // a driver that is broken is as good as none
      }
    }
  }
  return found;
}

} // namespace

/// Never destroyed: drivers may be unloaded before static objects go.
const std::vector<device>& all_devices() {
  static const std::vector<device>* const all = new std::vector<device>(find_all());
  return *all;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), std::istream_iterator<std::string>()};
}

device_state::device_state(const cl::Device& on)
    : handle(on), platform(on.getInfo<CL_DEVICE_PLATFORM>()), type(on.getInfo<CL_DEVICE_TYPE>()),
      extensions(std::string(" ").append(on.getInfo<CL_DEVICE_EXTENSIONS>()).append(" ")),
      target(target_of(on, extensions)), usm(usm_of(platform, extensions)),
      local_memory_bytes(on.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>()) {
  clGetDeviceInfo(handle(), CL_DEVICE_SVM_CAPABILITIES, sizeof(svm), &svm, nullptr);
  checks_argument_sizes = !is_pocl(on);
  intel_system_usm = usm && has_intel_system_usm(on);
  usm_way = usm_way_of(static_cast<bool>(usm), (svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) != 0);
}

const cl::Context& device_state::context() {
  std::call_once(m_context_made,
                 [&] { m_context = guarded("making an OpenCL context", [&] { return cl::Context(handle); }); });
  return m_context;
}

void refuse_no_device(std::string_view wanted) {
  const auto variable = lanefold::detail::value_of(lanefold::detail::environment_variables::gpu_device);
  std::string text = "no OpenCL device: wanted " + std::string(wanted);
  if (all_devices().empty()) {
    text +=
        ", but there is no OpenCL platform with a device. Install a driver with an ICD file (a GPU's own; on Debian "
        "pocl-opencl-icd for the CPU), or name its folder in OCL_ICD_VENDORS";
  } else {
    text += "; there are:";
    for (const device& d : all_devices())
      text += " '" + d.get_name() + "' of " + d.get_platform_name() + ";";
    if (variable)
      text += " LANEFOLD_GPU_DEVICE is '" + *variable + "'";
  }
  throw exception(make_error_code(errc::runtime), text);
}

} // namespace opencl

std::string device::get_name() const { return m_state->handle.getInfo<CL_DEVICE_NAME>(); }
std::string device::get_vendor() const { return m_state->handle.getInfo<CL_DEVICE_VENDOR>(); }
std::string device::get_platform_name() const { return m_state->platform.getInfo<CL_PLATFORM_NAME>(); }
std::string device::get_driver_version() const { return m_state->handle.getInfo<CL_DRIVER_VERSION>(); }
bool device::is_cpu() const noexcept { return (m_state->type & CL_DEVICE_TYPE_CPU) != 0; }
bool device::is_gpu() const noexcept { return (m_state->type & CL_DEVICE_TYPE_GPU) != 0; }
bool device::is_accelerator() const noexcept { return (m_state->type & CL_DEVICE_TYPE_ACCELERATOR) != 0; }
std::size_t device::max_compute_units() const { return m_state->handle.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>(); }
std::size_t device::max_work_group_size() const { return m_state->target.largest_work_group; }
std::size_t device::local_memory_bytes() const { return m_state->local_memory_bytes; }
std::size_t device::global_memory_bytes() const { return m_state->handle.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>(); }
bool device::has_extension(std::string_view name) const { return opencl::contains(m_state->extensions, name); }
bool device::has_fp16() const { return m_state->target.fp16; }
bool device::has_fp64() const { return m_state->target.fp64; }
usm_support device::get_usm_support() const noexcept { return m_state->usm_way; }
bool device::has_usm_device() const { return m_state->usm_way != usm_support::none; }
bool device::has_usm_shared() const {
  const bool fine = (m_state->svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0;
  return m_state->usm_way == usm_support::intel || (m_state->usm_way == usm_support::svm && fine);
}
const gpu::library_target& device::library_target() const { return m_state->target; }

bool matches(const device& candidate, std::string_view words) {
  while (!words.empty()) {
    const std::size_t end = words.find(',');
    const std::string word = opencl::lower(words.substr(0, end));
    words.remove_prefix(end == words.npos ? words.size() : end + 1);
    const bool fits = word == "gpu"   ? candidate.is_gpu()
                      : word == "cpu" ? candidate.is_cpu()
                      : word == "accelerator"
                          ? candidate.is_accelerator()
                          : opencl::lower(candidate.get_name()).find(word) != std::string::npos ||
                                opencl::lower(candidate.get_platform_name()).find(word) != std::string::npos;
    if (!fits)
      return false;
  }
  return true;
}

std::vector<device> devices() {
  const auto variable = lanefold::detail::value_of(lanefold::detail::environment_variables::gpu_device);
  std::vector<device> found;
  for (const device& candidate : opencl::all_devices())
    if (matches(candidate, variable.value_or("")))
      found.push_back(candidate);
  return found;
}

std::vector<device> devices(std::string_view words) {
  std::vector<device> found = devices();
  std::erase_if(found, [&](const device& candidate) { return !matches(candidate, words); });
  return found;
}

device select_device(std::string_view words) {
  const std::vector<device> found = devices(words);
  if (found.empty())
    opencl::refuse_no_device("'" + std::string(words) + "'");
  return found.front();
}

} // namespace gpu
LANEFOLD_END_NAMESPACE
