// SPDX-License-Identifier: Apache-2.0
#include "kernel_state.hpp"

#include "opencl_types.hpp"
#include "program.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <string_view>
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

[[noreturn]] void refuse_name(const std::string& name) {
  throw exception(make_error_code(errc::invalid), "gpu::kernel: the source has no kernel '" + name + "'");
}

/// The names of the macros that a program is built with, besides those that it defines.
std::vector<std::string_view> macros_of(const build_options& options) {
  std::vector<std::string_view> macros;
  for (const auto& definition : options.definitions)
    macros.emplace_back(definition.first);
  const std::string_view more = options.compiler_options;
  for (std::size_t i = more.find("-D"); i != more.npos; i = more.find("-D", i + 2)) {
    const std::size_t begin = std::min(more.find_first_not_of(" \t", i + 2), more.size());
    macros.push_back(more.substr(begin, more.find_first_of(" \t=(", begin) - begin));
  }
  if (more.find("-include") != more.npos)
    macros.emplace_back(); // of which nothing is known
  return macros;
}

std::string text_of(cl_kernel kernel, cl_uint index, cl_kernel_arg_info what) {
  std::size_t bytes = 0;
  if (clGetKernelArgInfo(kernel, index, what, 0, nullptr, &bytes) != CL_SUCCESS || bytes == 0)
    return {};
  std::string text(bytes, '\0');
  if (clGetKernelArgInfo(kernel, index, what, bytes, text.data(), nullptr) != CL_SUCCESS)
    return {};
  return text.substr(0, text.find('\0'));
}

/// Returns what the device knows of a parameter: without its address space, which has no default here, nothing.
kernel_parameter parameter_on_device(cl_kernel kernel, cl_uint index) {
  using space = kernel_parameter::space;
  kernel_parameter p;
  p.where = space::unknown;
  cl_kernel_arg_address_qualifier where = 0;
  cl_kernel_arg_type_qualifier how = 0;
  std::string type = text_of(kernel, index, CL_KERNEL_ARG_TYPE_NAME);
  if (type.empty() ||
      clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(where), &where, nullptr) !=
          CL_SUCCESS ||
      clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof(how), &how, nullptr) != CL_SUCCESS)
    return p;
  const bool is_global = where == CL_KERNEL_ARG_ADDRESS_GLOBAL || where == CL_KERNEL_ARG_ADDRESS_CONSTANT;
  p.name = text_of(kernel, index, CL_KERNEL_ARG_NAME);
  p.type = type.substr(0, type.find('*'));
  p.is_const = where == CL_KERNEL_ARG_ADDRESS_CONSTANT || (how & CL_KERNEL_ARG_TYPE_CONST) != 0;
  p.where = is_image(type) || type == "sampler_t"  ? space::other
            : is_global                            ? space::global
            : where == CL_KERNEL_ARG_ADDRESS_LOCAL ? space::local
                                                   : space::value;
  return p;
}

/// The parameters of a kernel whose text does not tell them.
std::vector<kernel_parameter> parameters_on_device(const cl::Kernel& kernel) {
  std::vector<kernel_parameter> parameters(kernel.getInfo<CL_KERNEL_NUM_ARGS>());
  for (cl_uint i = 0; i < parameters.size(); ++i)
    parameters[i] = parameter_on_device(kernel(), i);
  return parameters;
}

/// Notes the sizes of values whose types are the program's own. Another program tells them, as the work-group sizes
/// that its kernels require, since OpenCL has no question for them. If it cannot be built, they are not known.
void note_sizes(device_state& device, const std::string& text, const std::string& options,
                std::vector<kernel_parameter>& parameters) {
  const auto is_own = [](const kernel_parameter& p) {
    return p.where == kernel_parameter::space::value && !find_opencl_type(p.type);
  };
  const auto name_of = [](std::size_t i) { return "lf_bytes_of_" + std::to_string(i); };
  std::string more;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (is_own(parameters[i]))
      more += "\n#undef kernel\nkernel __attribute__((reqd_work_group_size(sizeof(" + parameters[i].type +
              "), 1, 1))) void " + name_of(i) + "() {}";
  if (more.empty())
    return;
  try {
    const cl::Program program = program_for(device, text + more + "\n", options);
    guarded("asking for the sizes of types", [&] {
      for (std::size_t i = 0; i < parameters.size(); ++i)
        if (is_own(parameters[i]))
          parameters[i].bytes = cl::Kernel(program, name_of(i).c_str())
                                    .getWorkGroupInfo<CL_KERNEL_COMPILE_WORK_GROUP_SIZE>(device.handle)[0];
    });
  } catch (const exception&) { // the driver takes what it is given
  }
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

/// Returns a program that tells what its kernels take, or one that does not: NVIDIA's compiler fails where one of the
/// kernels takes nothing. It is not asked for such programs, and once only for those that hide it.
static cl::Program program_with_argument_info(device_state& device, const std::string& text,
                                              const std::string& options) {
  const std::size_t key = std::hash<std::string>()(options + '\0' + text);
  const auto is_refused = [&] {
    const std::lock_guard lock(device.programs_mutex);
    return device.programs_without_info.contains(key);
  };
  if (device.target.nv && (has_kernel_without_parameters(text) || is_refused()))
    return program_for(device, text, options);
  try {
    return program_for(device, text, options + " -cl-kernel-arg-info");
  } catch (const exception& e) {
    if (e.code() != errc::build)
      throw;
  }
  cl::Program made = program_for(device, text, options);
  const std::lock_guard lock(device.programs_mutex);
  device.programs_without_info.insert(key);
  return made;
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
  const std::string built_with = language_option(device, options) + options.compiler_options;
  const std::string text = text_for(device);
  const cl::Program program = signature.is_certain ? program_for(device, text, built_with)
                                                   : program_with_argument_info(device, text, built_with);
  cl_int code = CL_SUCCESS;
  const cl_kernel found = clCreateKernel(program(), name.c_str(), &code);
  if (code == CL_INVALID_KERNEL_NAME)
    refuse_name(name);
  check(code, "making the kernel");
  made->object.handle = cl::Kernel(found, false);
  guarded("asking for a kernel's properties", [&] {
    made->parameters = signature.is_certain ? signature.parameters : parameters_on_device(made->object.handle);
    made->largest_work_group = made->object.handle.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device.handle);
    const auto required = made->object.handle.getWorkGroupInfo<CL_KERNEL_COMPILE_WORK_GROUP_SIZE>(device.handle);
    std::copy_n(required.begin(), 3, made->required_work_group.begin());
    made->local_bytes = made->object.handle.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(device.handle);
  });
  if (!device.checks_argument_sizes)
    note_sizes(device, text, built_with, made->parameters);
  slot = std::move(made);
  last.store(slot.get(), std::memory_order_release);
  return *slot;
}

} // namespace opencl

kernel::kernel(std::string source, std::string name, build_options options)
    : m_state(std::make_shared<opencl::kernel_state>()) {
  std::string declared; // what stands before the source
  for (const type_description& type : options.types)
    declared += type.definition + "\n";
  auto signature = opencl::find_kernel(declared + source, name, opencl::macros_of(options));
  if (!signature)
    opencl::refuse_name(name);
  for (const auto& [macro, value] : options.definitions)
    if ((macro + value).find_first_of("\n\r") != std::string::npos || value.ends_with('\\'))
      throw exception(make_error_code(errc::invalid),
                      "gpu::kernel: the definition of '" + macro + "' has several lines");
  m_state->source = std::move(source);
  m_state->name = std::move(name);
  m_state->options = std::move(options);
  m_state->signature = std::move(*signature);
}

const std::string& kernel::name() const noexcept { return m_state->name; }
const std::string& kernel::title() const noexcept { return m_state->title(); }
const build_options& kernel::options() const noexcept { return m_state->options; }
std::string kernel::text_for(const device& on) const { return m_state->text_for(on.state()); }

} // namespace gpu
LANEFOLD_END_NAMESPACE
