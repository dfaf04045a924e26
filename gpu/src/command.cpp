// SPDX-License-Identifier: Apache-2.0
#include <lanefold/gpu/command.hpp>

#include "arguments.hpp"
#include "backend.hpp"
#include "launch_space.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::detail {
namespace {

/// Gives a command to the device once its buffers are there: calls `start` with its arguments for OpenCL.
template <class Start>
event start_with(const std::vector<command_argument>& arguments, opencl_device& on, Start start) {
  std::vector<opencl_memory*> memories; // before the lock, see opencl_device::starting
  for (const command_argument& a : arguments)
    memories.push_back(a.buffer ? &memory_of(*a.buffer, on) : nullptr);
  const std::lock_guard lock(on.starting());
  std::vector<std::unique_ptr<memory_state>> parts;
  std::vector<kernel_argument> native;
  native.reserve(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const command_argument& a = arguments[i];
    native.push_back(a.buffer ? memories[i]->part(a.given, a.begin, a.end, parts) : a.given);
    if (a.given.what == kernel_argument::kind::value)
      native.back().data = a.value.data();
  }
  const event started = start(native);
  for (opencl_memory* const memory : memories)
    if (memory != nullptr)
      memory->used_by(started);
  return started;
}

class kernel_launch final : public opencl_launch {
public:
  kernel_launch(const ld::launch_settings& settings, kernel k, const launch_space& space,
                std::vector<command_argument> arguments)
      : opencl_launch(settings, k.name()), m_kernel(std::move(k)), m_space(space), m_arguments(std::move(arguments)) {}

private:
  event start_native(opencl_queue& on, const std::vector<event>& after) override {
    return start_with(m_arguments, on.device(), [&](const std::vector<kernel_argument>& native) {
      return on.native().launch(m_kernel, m_space, native.data(), native.size(), after);
    });
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
    return start_with(m_arguments, on.device(), [&](const std::vector<kernel_argument>& native) {
      std::vector<device_array> arrays;
      for (std::size_t i = 0; i < m_arguments.size(); ++i) {
        const command_argument& a = m_arguments[i];
        // Of a pointer, as many elements as it takes.
        const std::size_t count = a.buffer ? (a.end - a.begin) / a.given.element_bytes : static_cast<std::size_t>(-1);
        arrays.push_back({native[i], count});
      }
      return m_what.call(on.native(), arrays, after);
    });
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
void check_access(handler& command, const opencl_device& on, const std::string& place, bool writes,
                  const command_argument& a) {
  // A memory object has parts only where OpenCL aligns them.
  const std::size_t alignment =
      on.parts_begin_anywhere()
          ? 1
          : std::max<std::size_t>(on.native().state().handle.getInfo<CL_DEVICE_MEM_BASE_ADDR_ALIGN>() / 8, 1);
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
  const opencl_device& home = *static_cast<opencl_device*>(settings.device);
  const device& on = home.native();
  built_kernel& built = kernel.on(on);
  std::vector<kernel_argument> list;
  for (const command_argument& a : arguments)
    list.push_back(a.given);
  check_arguments(on, kernel, built, list.data(), list.size());
  check_space(on, kernel, built, space);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].buffer)
      check_access(command, home, place_of(kernel, i), !kernel.parameters[i].is_const, arguments[i]);
  return std::make_unique<kernel_launch>(settings, k, space, std::move(arguments));
}

std::unique_ptr<ld::launch> make_command(handler& command, const native_call& what,
                                         std::vector<command_argument> arguments) {
  const ld::launch_settings& settings = command.common_settings();
  if (settings.device == nullptr)
    throw exception(make_error_code(errc::backend_mismatch),
                    what.name + ": the device of the queue is the CPU, not an OpenCL device");
  const opencl_device& home = *static_cast<opencl_device*>(settings.device);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].buffer)
      check_access(command, home, what.name + ", array " + std::to_string(i), what.writes[i], arguments[i]);
  return std::make_unique<native_launch>(settings, what, std::move(arguments));
}

} // namespace gpu::detail
LANEFOLD_END_NAMESPACE
