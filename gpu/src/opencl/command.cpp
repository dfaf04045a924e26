// SPDX-License-Identifier: Apache-2.0
#include <lanefold/gpu/command.hpp>

#include "arguments.hpp"
#include "backend.hpp"
#include "launch_space.hpp"
#include "sub_buffer.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {
namespace {

argument_list given_of(const std::vector<command_argument>& arguments) {
  return {arguments.empty() ? nullptr : &arguments.front().given, arguments.size(), sizeof(command_argument)};
}

bool begins_in_the_middle(const command_argument& a) { return a.buffer && a.begin != 0 && a.begin != a.end; }

/// Gives a command to the device once its buffers are there: calls `start` with what it comes after, when its arguments
/// name memory of the device. A part from the middle of a buffer is a sub-buffer where that can be, else it is copied
/// to memory of its own and, if the command writes it, back.
template <class Start>
event start_with_parts(std::vector<command_argument>& arguments, opencl_queue& on, const std::vector<event>& after,
                       Start start) {
  queue& native = on.native();
  std::vector<event> behind = after;
  std::vector<std::shared_ptr<memory_state>> parts(arguments.size()); // OpenCL keeps what its commands use
  std::vector<std::size_t> copied;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    command_argument& a = arguments[i];
    if (!begins_in_the_middle(a))
      continue;
    const std::shared_ptr<memory_state>& whole = memory_of(*a.buffer, on.device());
    const std::size_t bytes = a.end - a.begin;
    if (on.device().has_sub_buffer_at(a.begin)) {
      parts[i] = std::make_shared<memory_state>(memory_state{
          whole->device, make_sub_buffer(*whole, a.begin, bytes, "making a part of a buffer", errc::memory_allocation),
          bytes});
    } else {
      parts[i] = allocate_memory(on.device().native(), bytes);
      behind.push_back(native.copy_memory(*whole, a.begin, *parts[i], 0, bytes, after));
      copied.push_back(i);
    }
    a.given.memory = parts[i].get();
  }
  const event started = start(behind);
  std::vector<event> last{started};
  for (const std::size_t i : copied) {
    const command_argument& a = arguments[i];
    if (a.writes)
      last.push_back(
          native.copy_memory(*parts[i], 0, *memory_of(*a.buffer, on.device()), a.begin, a.end - a.begin, {started}));
  }
  return last.size() == 1 ? started : last.size() == 2 ? last.back() : native.ext_oneapi_submit_barrier(last);
}

/// Lets the arguments name memory of the device, but for parts of buffers. Returns whether there are parts.
bool name_memory(std::vector<command_argument>& arguments, const opencl_device& on) {
  bool has_parts = false;
  for (command_argument& a : arguments) {
    if (a.given.what == kernel_argument::kind::value)
      a.given.data = a.value.data();
    else if (begins_in_the_middle(a))
      has_parts = true;
    else if (a.buffer)
      a.given.memory = memory_of(*a.buffer, on).get();
  }
  return has_parts;
}

/// Calls `start` as start_with_parts does; most commands have no parts.
template <class Start>
event start_with(std::vector<command_argument>& arguments, opencl_queue& on, const std::vector<event>& after,
                 Start start) {
  return name_memory(arguments, on.device()) ? start_with_parts(arguments, on, after, start) : start(after);
}

class kernel_launch final : public opencl_launch {
public:
  kernel_launch(const ld::launch_settings& settings, kernel k, built_kernel& built, const launch_space& space,
                std::vector<command_argument> arguments)
      : opencl_launch(settings, k.title()), m_kernel(std::move(k)), m_built(built), m_space(space),
        m_arguments(std::move(arguments)) {}

private:
  event start_native(opencl_queue& on, const std::vector<event>& after) override {
    const auto enqueue = [&](const std::vector<event>& behind) {
      return launch_checked(on.native().state(), m_kernel.state(), m_built, m_space, given_of(m_arguments), behind);
    };
    return start_with(m_arguments, on, after, enqueue);
  }
  std::uint64_t start_native_without_event(opencl_queue& on) override {
    return is_empty(m_space) || name_memory(m_arguments, on.device())
               ? 0
               : launch_counted(on.native().state(), m_kernel.state(), m_built, m_space, given_of(m_arguments));
  }
  std::shared_ptr<const std::string> take_name() noexcept override {
    std::shared_ptr<kernel_state> taken = std::move(m_kernel).shared_state();
    const std::string* const name = &taken->title();
    return {std::move(taken), name};
  }

  kernel m_kernel;
  built_kernel& m_built; // m_kernel keeps it
  launch_space m_space;
  std::vector<command_argument> m_arguments;
};

class native_launch final : public opencl_launch {
public:
  native_launch(const ld::launch_settings& settings, native_call what, std::vector<command_argument> arguments)
      : opencl_launch(settings, what.name), m_what(std::move(what)), m_arguments(std::move(arguments)) {}

private:
  event start_native(opencl_queue& on, const std::vector<event>& after) override {
    const auto call = [&](const std::vector<event>& behind) {
      std::vector<device_array> arrays;
      for (const command_argument& a : m_arguments) {
        // Of a pointer, as many elements as it takes.
        const std::size_t count = a.buffer ? (a.end - a.begin) / a.given.element_bytes : static_cast<std::size_t>(-1);
        arrays.push_back({a.given, count});
      }
      return m_what.call(on.native(), arrays, behind);
    };
    return start_with(m_arguments, on, after, call);
  }

  native_call m_what;
  std::vector<command_argument> m_arguments;
};

class empty_launch final : public opencl_launch {
public:
  empty_launch(const ld::launch_settings& settings, const std::string& name) : opencl_launch(settings, name) {}

private:
  event start_native(opencl_queue& on, const std::vector<event>& after) override {
    return nothing_behind(on.native().state(), after);
  }
};

/// Lets the kernel do with the argument what the accessor gives access to; a buffer becomes a requirement of the
/// command. `place` returns the name of the argument in messages.
template <class Place>
void check_access(handler& command, bool writes, const command_argument& a, const Place& place) {
  if (!a.is_accessor) {
    command.require({a.buffer, a.begin, a.end, {writes, true}, a.begin, a.end});
    return;
  }
  if (writes && a.only_reads)
    throw exception(make_error_code(errc::kernel_argument),
                    place() + ": the accessor only reads, and the kernel may write there; point the "
                              "parameter to const elements");
  const auto gives_access = [&](const ld::buffer_requirement& r) {
    return r.buffer == a.buffer && r.begin <= a.begin && a.end <= r.end && (r.kind.writes || !writes);
  };
  if (a.begin != a.end && std::none_of(command.requirements().begin(), command.requirements().end(), gives_access))
    throw exception(make_error_code(errc::accessor),
                    place() + ": the accessor is not of this command; make it with the handler of the "
                              "command group, or give it to handler::require");
}

/// Parts that are copied must not be two copies of the same elements.
void check_parts(const opencl_device& on, const char* what, const std::string& name,
                 const std::vector<command_argument>& arguments) {
  for (const command_argument& a : arguments)
    for (const command_argument& b : arguments)
      if (&a != &b && begins_in_the_middle(a) && a.buffer == b.buffer && a.begin < b.end && b.begin < a.end &&
          (a.writes || b.writes) && !on.has_sub_buffer_at(a.begin))
        throw exception(make_error_code(errc::accessor),
                        what + name +
                            ": two arguments are parts of a buffer that overlap, and one is written; on this device "
                            "pass the whole buffer, and places as numbers");
}

/// The OpenCL device of a launch. Errors: errc::kernel_not_supported if it has another one; `kernel` is for messages.
const opencl_device& home_of(const ld::launch_settings& settings, const std::string& kernel) {
  const opencl_device* const found = as_opencl(settings.device);
  if (found == nullptr)
    throw exception(make_error_code(errc::kernel_not_supported),
                    "kernel '" + kernel + "' is OpenCL C, and the device of the queue is " +
                        (settings.device == nullptr ? "the CPU of this process" : "not an OpenCL device") +
                        "; make the queue with gpu_selector_v or a gpu::device");
  return *found;
}

} // namespace

std::unique_ptr<ld::launch> make_command(handler& command, const kernel& k, const launch_space& space,
                                         std::vector<command_argument> arguments) {
  kernel_state& kernel = k.state();
  const ld::launch_settings& settings = command.common_settings();
  const opencl_device& home = home_of(settings, kernel.title());
  const device& on = home.native();
  built_kernel& built = checked_kernel(on, kernel, space, given_of(arguments));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const kernel_parameter& parameter = built.parameters[i];
    // Where nothing is known of the parameter, an accessor says what the kernel does.
    arguments[i].writes =
        parameter.where == kernel_parameter::space::unknown ? !arguments[i].only_reads : !parameter.is_const;
    if (arguments[i].buffer)
      check_access(command, arguments[i].writes, arguments[i], [&] { return place_of(kernel, built, i); });
  }
  check_parts(home, "kernel ", kernel.title(), arguments);
  return std::make_unique<kernel_launch>(settings, k, built, space, std::move(arguments));
}

namespace {

/// A kernel whose arguments are values, pointers and memory of the device: nothing that must be brought there.
class plain_start final : public ld::eventless_start {
public:
  plain_start(const kernel& k, built_kernel& built, const launch_space& space, const argument_list& arguments)
      : m_kernel(k), m_built(built), m_space(space), m_arguments(arguments) {}

  std::uint64_t start_without_event(ld::device_queue& on) override {
    auto& queue = static_cast<opencl_queue&>(on);
    return start_counted(
        queue, [&] { return launch_counted(queue.native().state(), m_kernel.state(), m_built, m_space, m_arguments); });
  }
  std::shared_ptr<const std::string> take_name() noexcept override {
    const std::shared_ptr<kernel_state> state = kernel(m_kernel).shared_state();
    return {state, &state->title()};
  }

private:
  const kernel& m_kernel;
  built_kernel& m_built;
  const launch_space& m_space;
  const argument_list& m_arguments;
};

} // namespace

std::optional<lanefold::event> start_at_once(const lanefold::queue& q, const kernel& k, const launch_space& space,
                                             const kernel_argument* arguments, std::size_t count) {
  const ld::device_queue* const native = q.device_queue();
  const opencl_device* const home = native == nullptr ? nullptr : as_opencl(&native->home());
  if (home == nullptr || !native->counts_commands() || is_empty(space))
    return std::nullopt;
  const argument_list list(arguments, count);
  plain_start what(k, checked_kernel(home->native(), k.state(), space, list), space, list);
  return q.start_eventless(what);
}

std::unique_ptr<ld::launch> make_command(handler& command, const native_call& what,
                                         std::vector<command_argument> arguments) {
  const ld::launch_settings& settings = command.common_settings();
  const opencl_device* const found = as_opencl(settings.device);
  if (found == nullptr)
    throw exception(make_error_code(errc::backend_mismatch),
                    what.name + ": the device of the queue is " +
                        (settings.device == nullptr ? "the CPU, not an OpenCL device" : "not an OpenCL device"));
  const opencl_device& home = *found;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    arguments[i].writes = what.writes[i];
    const auto place = [&] { return what.name + ", array " + std::to_string(i); };
    if (arguments[i].given.what == kernel_argument::kind::pointer)
      check_reached(home.native().state(), arguments[i].given.data, place);
    if (arguments[i].memory && arguments[i].memory->device.get() != &home.native().state())
      throw exception(make_error_code(errc::backend_mismatch), place() + ": the gpu::buffer is of another device");
    if (arguments[i].buffer)
      check_access(command, what.writes[i], arguments[i], place);
  }
  check_parts(home, "", what.name, arguments);
  return std::make_unique<native_launch>(settings, what, std::move(arguments));
}

std::unique_ptr<ld::launch> make_empty_command(const ld::launch_settings& settings, const std::string& name) {
  static_cast<void>(home_of(settings, name));
  return std::make_unique<empty_launch>(settings, name);
}

bool takes_addresses(const ld::launch_settings& settings) {
  const opencl_device* const on = as_opencl(settings.device);
  return on != nullptr && on->native().state().takes_addresses();
}

usm_range usm_range_of(const ld::launch_settings& settings, const void* pointer) {
  const opencl_device* const on = as_opencl(settings.device);
  return on == nullptr ? usm_range() : usm_range_of(on->native(), pointer);
}

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
