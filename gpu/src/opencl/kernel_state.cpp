// SPDX-License-Identifier: Apache-2.0
#include "kernel_state.hpp"

#include "program.hpp"

#include <algorithm>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu {
namespace opencl {

std::string kernel_state::text_for(const device_state& device) const {
  return print_library(device.target, options, source) + source;
}

std::string kernel_state::compiler_options() const {
  std::string text = options.compiler_options;
  for (const auto& [macro, value] : options.definitions)
    text += (text.empty() ? "-D" : " -D") + macro + "=" + value;
  return text;
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

const cl::Kernel& built_kernel::handle_for(const std::vector<bool>& wanted) {
  if (std::find(wanted.begin(), wanted.end(), true) == wanted.end())
    return handle;
  cl::Kernel& found = others[wanted];
  if (found() == nullptr)
    guarded("making the kernel", [&] {
      const std::string name = handle.getInfo<CL_KERNEL_FUNCTION_NAME>();
      found = cl::Kernel(handle.getInfo<CL_KERNEL_PROGRAM>(), name.c_str());
    });
  return found;
}

built_kernel& kernel_state::on(const device& where) {
  const std::lock_guard lock(built_mutex);
  std::shared_ptr<built_kernel>& slot = built[&where.state()];
  if (slot)
    return *slot;
  device_state& device = where.state();
  auto made = std::make_shared<built_kernel>();
  const cl::Program program =
      program_for(device, text_for(device), language_option(device, options) + compiler_options());
  guarded("making the kernel", [&] {
    made->handle = cl::Kernel(program, name.c_str());
    made->largest_work_group = made->handle.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device.handle);
    made->local_bytes = made->handle.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(device.handle);
  });
  slot = std::move(made);
  return *slot;
}

} // namespace opencl

kernel::kernel(std::string source, std::string name, build_options options)
    : m_state(std::make_shared<opencl::kernel_state>()) {
  auto parameters = opencl::find_kernel(source, name);
  if (!parameters)
    throw exception(make_error_code(errc::invalid), "gpu::kernel: the source has no kernel '" + name + "'");
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
