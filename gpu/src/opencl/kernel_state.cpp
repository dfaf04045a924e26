// SPDX-License-Identifier: Apache-2.0
#include "kernel_state.hpp"

#include "program.hpp"

#include <cstring>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu {
namespace opencl {

// Definitions are lines of the program: among the options, drivers take a space for the end of one.
std::string kernel_state::text_for(const device_state& device) const {
  std::string text;
  for (const auto& [macro, value] : options.definitions)
    text += "#define " + macro + " " + value + "\n";
  return text + print_library(device.target, options, source) + source;
}

namespace {

/// The newest OpenCL C that the flavour needs. NVIDIA's compiler has the most when it is not asked for a version.
std::string language_option(const device_state& device, const build_options& options) {
  const bool named = options.compiler_options.find("-cl-std") != std::string::npos;
  const flavour wanted = options.flavour == flavour::automatic ? device.target.flavour : options.flavour;
  const bool old = (wanted == flavour::local && !device.target.vendor_functions) || device.target.nv;
  if (named || old)
    return "";
  return device.handle.getInfo<CL_DEVICE_VERSION>() < "OpenCL 3" ? "-cl-std=CL2.0 " : "-cl-std=CL3.0 ";
}

} // namespace

kernel_object::known_argument& kernel_object::known(std::size_t index) {
  if (m_known.size() <= index)
    m_known.resize(index + 1);
  return m_known[index];
}

cl_int kernel_object::set_value(std::size_t index, const void* data, std::size_t bytes) {
  known_argument& its = known(index);
  const bool fits = bytes <= its.value.size();
  if (fits && its.bytes == bytes && std::memcmp(its.value.data(), data, bytes) == 0)
    return CL_SUCCESS;
  its.bytes = 0;
  const cl_int code = clSetKernelArg(handle(), static_cast<cl_uint>(index), bytes, data);
  if (fits && code == CL_SUCCESS) {
    std::memcpy(its.value.data(), data, bytes);
    its.bytes = bytes;
  }
  return code;
}

cl_int kernel_object::set_local(std::size_t index, std::size_t bytes) {
  known_argument& its = known(index);
  if (its.bytes == bytes)
    return CL_SUCCESS;
  its.bytes = 0;
  const cl_int code = clSetKernelArg(handle(), static_cast<cl_uint>(index), bytes, nullptr);
  if (code == CL_SUCCESS)
    its.bytes = bytes;
  return code;
}

cl_int kernel_object::set_memory(std::size_t index, const memory_state& memory) {
  known_argument& its = known(index);
  if (its.memory == memory.id)
    return CL_SUCCESS;
  its.memory = 0;
  const cl_mem its_handle = memory.handle();
  const cl_int code = clSetKernelArg(handle(), static_cast<cl_uint>(index), sizeof(its_handle), &its_handle);
  if (code == CL_SUCCESS)
    its.memory = memory.id;
  return code;
}

cl_int kernel_object::set_memory(std::size_t index, cl_mem memory) {
  known(index).memory = 0;
  return clSetKernelArg(handle(), static_cast<cl_uint>(index), sizeof(memory), &memory);
}

kernel_object& built_kernel::object_for(const std::vector<bool>& wanted) {
  if (wanted.empty())
    return object;
  kernel_object& found = others[wanted];
  if (found.handle() == nullptr)
    guarded("making the kernel", [&] {
      const std::string name = object.handle.getInfo<CL_KERNEL_FUNCTION_NAME>();
      found.handle = cl::Kernel(object.handle.getInfo<CL_KERNEL_PROGRAM>(), name.c_str());
    });
  return found;
}

built_kernel& kernel_state::on(const device& where) {
  if (built_kernel* const known = last.load(std::memory_order_acquire);
      known != nullptr && &known->device == &where.state())
    return *known;
  const std::lock_guard lock(built_mutex);
  std::shared_ptr<built_kernel>& slot = built[&where.state()];
  if (slot) {
    last.store(slot.get(), std::memory_order_release);
    return *slot;
  }
  device_state& device = where.state();
  auto made = std::make_shared<built_kernel>(device);
  const cl::Program program =
      program_for(device, text_for(device), language_option(device, options) + options.compiler_options);
  guarded("making the kernel", [&] {
    made->object.handle = cl::Kernel(program, name.c_str());
    made->largest_work_group = made->object.handle.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device.handle);
    made->local_bytes = made->object.handle.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(device.handle);
  });
  slot = std::move(made);
  last.store(slot.get(), std::memory_order_release);
  return *slot;
}

} // namespace opencl

kernel::kernel(std::string source, std::string name, build_options options)
    : m_state(std::make_shared<opencl::kernel_state>()) {
  auto parameters = opencl::find_kernel(source, name);
  if (!parameters)
    throw exception(make_error_code(errc::invalid), "gpu::kernel: the source has no kernel '" + name + "'");
  for (const auto& [macro, value] : options.definitions)
    if ((macro + value).find_first_of("\n\r") != std::string::npos || value.ends_with('\\'))
      throw exception(make_error_code(errc::invalid),
                      "gpu::kernel: the definition of '" + macro + "' has several lines");
  m_state->source = std::move(source);
  m_state->name = std::move(name);
  m_state->options = std::move(options);
  m_state->parameters = std::move(*parameters);
}

const std::string& kernel::name() const noexcept { return m_state->name; }
const build_options& kernel::options() const noexcept { return m_state->options; }
std::string kernel::text_for(const device& on) const { return m_state->text_for(on.state()); }

} // namespace gpu
LANEFOLD_END_NAMESPACE
