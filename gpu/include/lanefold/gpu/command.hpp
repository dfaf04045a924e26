// SPDX-License-Identifier: Apache-2.0
/// OpenCL C kernels in the command groups of lanefold::queue: handler::launch.
#pragma once

#include <lanefold/execution/accessor.hpp>
#include <lanefold/execution/buffer.hpp>
#include <lanefold/execution/handler.hpp>
#include <lanefold/execution/nd_range.hpp>
#include <lanefold/execution/queue.hpp>
#include <lanefold/gpu/algorithms.hpp>
#include <lanefold/gpu/buffer.hpp>
#include <lanefold/gpu/kernel.hpp>
#include <lanefold/gpu/queue.hpp>
#include <lanefold/gpu/usm.hpp>
#include <lanefold/memory/local_accessor.hpp>

#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {

/// The bytes of a value. Of most values they are few, and need no memory of their own.
class argument_value {
public:
  argument_value() = default;
  argument_value(const void* from, std::size_t bytes) {
    if (bytes > m_few.size())
      m_many.resize(bytes);
    std::memcpy(m_many.empty() ? m_few.data() : m_many.data(), from, bytes);
  }
  const void* data() const noexcept { return m_many.empty() ? m_few.data() : m_many.data(); }

private:
  std::array<std::byte, 16> m_few{};
  std::vector<std::byte> m_many;
};

/// An argument that a command keeps until the device is given the kernel.
struct command_argument {
  kernel_argument given;                // its pointers are written when the device is given the kernel
  argument_value value;                 // holds what given.data points to
  std::shared_ptr<memory_state> memory; // keeps given.memory
  // Of an accessor, and of a buffer in place of one.
  lanefold::detail::shared_part<lanefold::detail::buffer_state> buffer;
  std::size_t begin = 0, end = 0; // bytes
  bool is_accessor = false, only_reads = false;
  bool writes = true; // is false if the command knows that its kernel does not write it
};

template <class T>
kernel_argument buffer_argument() {
  return {kernel_argument::kind::memory, opencl_name<T>(), sizeof(T), nullptr, 0};
}

template <class T, int D, access_mode Mode, target Target, access::placeholder P>
  requires(Target != target::local)
command_argument bind(const accessor<T, D, Mode, Target, P>& a) {
  const lanefold::detail::buffer_requirement r = a.requirement();
  return {buffer_argument<T>(), {}, nullptr, r.buffer, r.begin, r.end, true, Mode == access_mode::read};
}
template <class T, int D, class A>
command_argument bind(const lanefold::buffer<T, D, A>& b) {
  return {buffer_argument<T>(), {}, nullptr, b.owner()->state, b.byte_offset(), b.byte_offset() + b.byte_size()};
}
template <class T, int D>
command_argument bind(const local_accessor<T, D>& a) {
  return {{kernel_argument::kind::local, opencl_name<T>(), sizeof(T), nullptr, a.byte_size()}, {}, nullptr, nullptr};
}
template <class T>
command_argument bind(const buffer<T>& b) {
  return {argument_of(b), {}, b.memory(), nullptr};
}
template <class T>
command_argument bind(const T& other) {
  command_argument made{argument_of(other), {}, nullptr, nullptr};
  if (made.given.what == kernel_argument::kind::value)
    made.value = argument_value(made.given.data, made.given.bytes);
  return made;
}

/// A dynamic parameter of a graph has the value of the time when the kernel is launched, or, in a graph, launched
/// again.
template <class T>
command_argument bind(const ext::oneapi::experimental::dynamic_parameter<T>& changing) {
  return bind(changing.present());
}

/// Describes what a command does with the OpenCL queue of its device. Its arguments come as arrays of the device.
struct native_call {
  using function = std::function<event(queue&, const std::vector<device_array>&, const std::vector<event>& after)>;
  std::string name;
  function call;
  std::vector<bool> writes; ///< says of each argument whether the call writes it
};

/// Throws what handler::launch and gpu::queue::launch do.
std::unique_ptr<lanefold::detail::launch> make_command(handler& command, const kernel& k, const launch_space& space,
                                                       std::vector<command_argument> arguments);
/// Throws errc::backend_mismatch if the queue's device is the CPU.
std::unique_ptr<lanefold::detail::launch> make_command(handler& command, const native_call& what,
                                                       std::vector<command_argument> arguments);

/// The launch of a kernel without work-items on an OpenCL device: it only has its place in the order of commands.
/// Throws errc::kernel_not_supported if the queue's device is another one.
std::unique_ptr<lanefold::detail::launch> make_empty_command(const lanefold::detail::launch_settings& settings,
                                                             const std::string& name);

/// Gives a kernel to the device without a command group. Returns nothing if the queue needs one: if it is not in order,
/// keeps times, records, or has open commands of other kinds. Throws what gpu::queue::launch does.
std::optional<lanefold::event> start_at_once(const lanefold::queue& q, const kernel& k, const launch_space& space,
                                             const kernel_argument* arguments, std::size_t count);

/// Returns whether kernels of the device of a launch may have `ulong` parameters for USM, and are given addresses.
bool takes_addresses(const lanefold::detail::launch_settings& settings);
/// The allocation of the device of a launch in which a pointer lies; nothing if there is none.
usm_range usm_range_of(const lanefold::detail::launch_settings& settings, const void* pointer);

/// Is true for arguments that need no command group: no accessors and buffers, no local accessors, and no parameters of
/// graphs.
template <class T>
inline constexpr bool plain_argument = true;
template <class T, int D, access_mode Mode, target Target, access::placeholder P>
inline constexpr bool plain_argument<accessor<T, D, Mode, Target, P>> = false;
template <class T, int D, class A>
inline constexpr bool plain_argument<lanefold::buffer<T, D, A>> = false;
template <class T, int D>
inline constexpr bool plain_argument<local_accessor<T, D>> = false;
template <class T>
inline constexpr bool plain_argument<ext::oneapi::experimental::dynamic_parameter<T>> = false;

template <class... Arguments>
std::vector<command_argument> bind_all(const Arguments&... arguments) {
  std::vector<command_argument> list;
  list.reserve(sizeof...(arguments));
  (list.push_back(bind(arguments)), ...);
  return list;
}

} // namespace gpu::opencl

namespace detail {

template <>
struct launch_maker<device_kernels<gpu::kernel>> {
  template <int D, class... Arguments>
  static std::unique_ptr<launch> make(handler& command, const gpu::kernel& k, const nd_range<D>& space,
                                      const Arguments&... arguments) {
    static_assert(D <= 3, "lanefold: a kernel in OpenCL C has at most three dimensions");
    return gpu::opencl::make_command(command, k, gpu::opencl::space_of(space), gpu::opencl::bind_all(arguments...));
  }

  /// Takes arguments that gpu::queue::launch takes.
  template <int D, class... Arguments>
    requires(gpu::opencl::plain_argument<Arguments> && ...)
  static std::optional<event> start(const queue& q, const gpu::kernel& k, const nd_range<D>& space,
                                    const Arguments&... arguments) {
    static_assert(D <= 3, "lanefold: a kernel in OpenCL C has at most three dimensions");
    const std::array<gpu::opencl::kernel_argument, sizeof...(Arguments)> list = {
        gpu::opencl::argument_of(arguments)...};
    return gpu::opencl::start_at_once(q, k, gpu::opencl::space_of(space), list.data(), list.size());
  }
};
template <>
struct launch_maker<device_kernels<gpu::opencl::native_call>> {
  template <int D, class... Arguments>
  static std::unique_ptr<launch> make(handler& command, const gpu::opencl::native_call& what, const nd_range<D>&,
                                      const Arguments&... arguments) {
    return gpu::opencl::make_command(command, what, gpu::opencl::bind_all(arguments...));
  }
};

} // namespace detail
LANEFOLD_END_NAMESPACE
