// SPDX-License-Identifier: Apache-2.0
#include <lanefold/gpu/command.hpp>

#include "arguments.hpp"
#include "backend.hpp"
#include "launch_space.hpp"

#include <algorithm>
#include <string>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::detail {
namespace {

/// Bytes from `begin` on: all of the memory, or a sub-buffer.
std::shared_ptr<memory_state> part_of(const std::shared_ptr<memory_state>& whole, std::size_t begin, std::size_t end) {
  if (begin == 0 || begin == end)
    return whole;
  const cl_buffer_region region{begin, end - begin};
  cl_int code = CL_SUCCESS;
  const cl_mem part =
      clCreateSubBuffer(whole->handle(), CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
  check(code, "making a part of a buffer", errc::memory_allocation);
  return std::make_shared<memory_state>(memory_state{whole->device, cl::Buffer(part), end - begin});
}

/// The argument for OpenCL, once the buffers are on the device. The command keeps what it needs.
kernel_argument resolve(command_argument& a, const opencl_device& on) {
  kernel_argument given = a.given;
  if (a.buffer) {
    a.memory = part_of(memory_of(*a.buffer, on), a.begin, a.end);
    given.memory = a.memory.get();
  } else if (given.what == kernel_argument::kind::value) {
    given.data = a.value.data();
  }
  return given;
}

class kernel_launch final : public opencl_launch {
public:
  kernel_launch(const ld::launch_settings& settings, kernel k, const launch_space& space,
                std::vector<command_argument> arguments)
      : opencl_launch(settings, k.name()), m_kernel(std::move(k)), m_space(space), m_arguments(std::move(arguments)) {}

private:
  event start_native(opencl_queue& on, const std::vector<event>& after) override {
    std::vector<kernel_argument> list;
    list.reserve(m_arguments.size());
    for (command_argument& a : m_arguments)
      list.push_back(resolve(a, on.device()));
    return on.native().launch(m_kernel, m_space, list.data(), list.size(), after);
  }

  kernel m_kernel;
  launch_space m_space;
  std::vector<command_argument> m_arguments;
};

class native_launch final : public opencl_launch {
public:
  native_launch(const ld::launch_settings& settings, native_call what, std::vector<command_argument> arguments)
      : opencl_launch(settings, what.name), m_what(std::move(what)), m_arguments(std::move(arguments)) {}

private:
  event start_native(opencl_queue& on, const std::vector<event>& after) override {
    std::vector<device_array> arrays;
    for (command_argument& a : m_arguments) {
      const kernel_argument given = resolve(a, on.device());
      // Of a pointer, as many elements as it takes.
      const std::size_t count = a.buffer ? (a.end - a.begin) / given.element_bytes : static_cast<std::size_t>(-1);
      arrays.push_back({given, count});
    }
    return m_what.call(on.native(), arrays, after);
  }

  native_call m_what;
  std::vector<command_argument> m_arguments;
};

/// "kernel 'sum', argument 1 ('out')"
std::string place_of(const kernel_state& kernel, std::size_t index) {
  return "kernel '" + kernel.name + "', argument " + std::to_string(index) + " ('" + kernel.parameters[index].name +
         "')";
}

/// What an accessor gives access to is what the kernel may do; a buffer becomes a requirement of the command. `place`
/// is for messages.
void check_access(handler& command, const device& on, const std::string& place, bool writes,
                  const command_argument& a) {
  const std::size_t alignment =
      std::max<std::size_t>(on.state().handle.getInfo<CL_DEVICE_MEM_BASE_ADDR_ALIGN>() / 8, 1);
  if (a.begin != a.end && a.begin % alignment != 0)
    throw exception(make_error_code(errc::kernel_argument),
                    place + ": begins " + std::to_string(a.begin) +
                        " bytes behind the beginning of the buffer; on this device that must be a multiple of " +
                        std::to_string(alignment) + " (or pass the whole buffer, and the place as a number)");
  if (!a.is_accessor) {
    command.require({a.buffer, a.begin, a.end, {writes, true}, a.begin, a.end});
    return;
  }
  if (writes && a.only_reads)
    throw exception(make_error_code(errc::kernel_argument),
                    place + ": the accessor only reads, and the kernel may write there; point the "
                            "parameter to const elements");
  const auto gives_access = [&](const ld::buffer_requirement& r) {
    return r.buffer == a.buffer && r.begin <= a.begin && a.end <= r.end && (r.kind.writes || !writes);
  };
  if (a.begin != a.end && std::none_of(command.requirements().begin(), command.requirements().end(), gives_access))
    throw exception(make_error_code(errc::accessor),
                    place + ": the accessor is not of this command; make it with the handler of the "
                            "command group, or give it to handler::require");
}

} // namespace

std::unique_ptr<ld::launch> make_command(handler& command, const kernel& k, const launch_space& space,
                                         std::vector<command_argument> arguments) {
  kernel_state& kernel = k.state();
  const ld::launch_settings& settings = command.common_settings();
  if (settings.device == nullptr)
    throw exception(make_error_code(errc::kernel_not_supported),
                    "kernel '" + kernel.name +
                        "' is OpenCL C, and the device of the queue is the CPU of this process; "
                        "make the queue with gpu_selector_v or a gpu::device");
  const device& on = static_cast<opencl_device*>(settings.device)->native();
  built_kernel& built = kernel.on(on);
  std::vector<kernel_argument> list;
  for (const command_argument& a : arguments)
    list.push_back(a.given);
  check_arguments(on, kernel, built, list.data(), list.size());
  check_space(on, kernel, built, space);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].buffer)
      check_access(command, on, place_of(kernel, i), !kernel.parameters[i].is_const, arguments[i]);
  return std::make_unique<kernel_launch>(settings, k, space, std::move(arguments));
}

std::unique_ptr<ld::launch> make_command(handler& command, const native_call& what,
                                         std::vector<command_argument> arguments) {
  const ld::launch_settings& settings = command.common_settings();
  if (settings.device == nullptr)
    throw exception(make_error_code(errc::backend_mismatch),
                    what.name + ": the device of the queue is the CPU, not an OpenCL device");
  const device& on = static_cast<opencl_device*>(settings.device)->native();
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].buffer)
      check_access(command, on, what.name + ", array " + std::to_string(i), what.writes[i], arguments[i]);
  return std::make_unique<native_launch>(settings, what, std::move(arguments));
}

} // namespace gpu::detail
LANEFOLD_END_NAMESPACE
