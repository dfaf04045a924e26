// SPDX-License-Identifier: Apache-2.0
/// The state of one command on an OpenCL device.
#pragma once

#include <lanefold/execution/event.hpp>

#include <cstdint>
#include <memory>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu {

namespace opencl {
class event_state;
} // namespace opencl

/// The state of one command [sycl.4.6.6]: a cheap handle. Host only; callable from any thread.
class event {
public:
  /// An event that is complete.
  event() = default;

  /// Returns when the command is complete; throws errc::kernel if it failed, errc::platform if the device was lost.
  void wait() const;
  static void wait(const std::vector<event>& events);

  /// Complete once the command is known to be; commands of in-order queues are known a little later.
  [[nodiscard]] info::event_command_status get_status() const;

  // Nanoseconds on the device's clock [sycl.4.6.6.1]. They wait for the command. They throw errc::profiling unless the
  // queue was made with property::enable_profiling.
  [[nodiscard]] std::uint64_t profiling_submit() const;
  [[nodiscard]] std::uint64_t profiling_start() const;
  [[nodiscard]] std::uint64_t profiling_end() const;

  friend bool operator==(const event&, const event&) = default;

  /// Only the library calls these.
  explicit event(std::shared_ptr<opencl::event_state> state) noexcept : m_state(std::move(state)) {}
  [[nodiscard]] const std::shared_ptr<opencl::event_state>& state() const noexcept { return m_state; }

private:
  std::shared_ptr<opencl::event_state> m_state;
};

} // namespace gpu
LANEFOLD_END_NAMESPACE
