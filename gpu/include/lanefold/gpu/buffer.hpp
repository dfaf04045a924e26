// SPDX-License-Identifier: Apache-2.0
/// Typed memory of an OpenCL device.
#pragma once

#include <lanefold/exception.hpp>
#include <lanefold/gpu/device.hpp>

#include <cstddef>
#include <limits>
#include <memory>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu {

namespace opencl {
struct memory_state;

/// Throws errc::memory_allocation if the device has not that much.
std::shared_ptr<memory_state> allocate_memory(const device& on, std::size_t bytes);

inline std::size_t checked_bytes(std::size_t count, std::size_t element) {
  if (count > std::numeric_limits<std::size_t>::max() / element)
    throw exception(make_error_code(errc::memory_allocation), "gpu: the size of an array overflows");
  return count * element;
}
} // namespace opencl

/// An array in the memory of one device, uninitialised: a cheap handle, copies stand for the same memory, which goes
/// with the last one and with the last command that uses it. The host reaches it by queue::copy. Kernels take it as a
/// pointer to `global` or `constant` memory.
template <class T>
class buffer {
  static_assert(std::is_trivially_copyable_v<T>, "a gpu::buffer holds trivially copyable elements");

public:
  using value_type = T;

  /// Throws errc::memory_allocation if the device has not that much. `count` may be 0.
  buffer(const device& on, std::size_t count)
      : m_memory(opencl::allocate_memory(on, opencl::checked_bytes(count, sizeof(T)))), m_count(count) {}
  /// On the device of a queue.
  template <class Queue>
    requires requires(const Queue& q) {
      { q.get_device() } -> std::convertible_to<device>;
    }
  buffer(const Queue& q, std::size_t count) : buffer(q.get_device(), count) {}

  [[nodiscard]] std::size_t size() const noexcept { return m_count; }

  friend bool operator==(const buffer&, const buffer&) = default;

  /// Only the library calls this.
  [[nodiscard]] const std::shared_ptr<opencl::memory_state>& memory() const noexcept { return m_memory; }

private:
  std::shared_ptr<opencl::memory_state> m_memory;
  std::size_t m_count;
};

} // namespace gpu
LANEFOLD_END_NAMESPACE
