// SPDX-License-Identifier: Apache-2.0
/// queue: where programs submit commands for an OpenCL device.
#pragma once

#include <lanefold/execution/nd_range.hpp>
#include <lanefold/execution/property.hpp>
#include <lanefold/execution/queue.hpp>
#include <lanefold/gpu/buffer.hpp>
#include <lanefold/gpu/detail/launch_space.hpp>
#include <lanefold/gpu/device.hpp>
#include <lanefold/gpu/event.hpp>
#include <lanefold/gpu/kernel.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu {

namespace property {
/// Commands keep times for event::profiling_*; each launch then takes some 10 µs more.
struct enable_profiling : lanefold::detail::runtime_property {};
} // namespace property

namespace opencl {
struct queue_state;
} // namespace opencl

/// OpenCL's own queue for one device, a thin layer: a call is a call of OpenCL. (lanefold::queue on an OpenCL device
/// has the command graph, buffers with accessors, host tasks.) A cheap handle, copies stand for the same queue. Host
/// only; all members may be called from any thread.
///
/// Commands of an in-order queue (property::in_order) run one after the other; otherwise a command waits only for the
/// events that it names. Host memory that a copy reads or writes must live until its event is complete.
///
/// Dimension 0 of ranges varies slowest, as in SYCL: an nd_range<2> {rows, columns} gives the kernel columns in
/// get_global_id(0) and rows in get_global_id(1).
class queue {
public:
  /// Properties: property::in_order, gpu::property::enable_profiling.
  explicit queue(const device& on, const property_list& properties = {});
  template <DeviceSelector S>
  explicit queue(const S& selector, const property_list& properties = {})
      : queue(select_device(selector), properties) {}

  /// Runs a kernel [sycl.4.9.4.2.2]. Arguments: numbers and trivially copyable structs by value, gpu::buffer,
  /// gpu::local, USM pointers. Throws before anything runs: errc::kernel_argument for a wrong number or type of
  /// arguments, errc::nd_range for a local range that does not divide the global one or is too large for device or
  /// kernel, errc::memory_allocation for too much local memory, errc::build with log and source for a program that does
  /// not build, errc::backend_mismatch for memory of another device. A global range of 0 runs nothing.
  template <int D, class... Arguments>
  event launch(const kernel& k, const nd_range<D>& space, const Arguments&... arguments) {
    return launch(k, space, std::vector<event>(), arguments...);
  }
  /// Does the same after the commands of `dependencies`.
  template <int D, class... Arguments>
  event launch(const kernel& k, const nd_range<D>& space, const std::vector<event>& dependencies,
               const Arguments&... arguments) {
    static_assert(D <= 3, "lanefold: a kernel in OpenCL C has at most three dimensions");
    const std::array<opencl::kernel_argument, sizeof...(Arguments)> list = {opencl::argument_of(arguments)...};
    return launch(k, opencl::space_of(space), list.data(), list.size(), dependencies);
  }

  /// Builds a kernel for the device now, so that its first launch does not.
  void build(const kernel& k);

  /// Copies between host and device: `count` elements from `offset` of the buffer on. errc::invalid if the buffer is
  /// smaller.
  template <class T>
  event copy(const T* from, const buffer<T>& to, std::size_t count, std::size_t offset = 0,
             const std::vector<event>& dependencies = {}) {
    return write(*to.memory(), offset * sizeof(T), from, count * sizeof(T), dependencies);
  }
  template <class T>
  event copy(const buffer<T>& from, T* to, std::size_t count, std::size_t offset = 0,
             const std::vector<event>& dependencies = {}) {
    return read(*from.memory(), offset * sizeof(T), to, count * sizeof(T), dependencies);
  }
  /// Between two buffers of the device.
  template <class T>
  event copy(const buffer<T>& from, const buffer<T>& to, std::size_t count, std::size_t from_offset = 0,
             std::size_t to_offset = 0, const std::vector<event>& dependencies = {}) {
    return copy_memory(*from.memory(), from_offset * sizeof(T), *to.memory(), to_offset * sizeof(T), count * sizeof(T),
                       dependencies);
  }
  /// Sets every element. sizeof(T) is a power of two up to 128.
  template <class T>
  event fill(const buffer<T>& to, const T& value, const std::vector<event>& dependencies = {}) {
    static_assert((sizeof(T) & (sizeof(T) - 1)) == 0 && sizeof(T) <= 128,
                  "fill: the size is no power of two up to 128");
    return fill_memory(*to.memory(), 0, &value, sizeof(T), to.size() * sizeof(T), dependencies);
  }

  /// USM and host memory in any combination. errc::feature_not_supported if the device has no USM, errc::invalid if a
  /// handle's allocation is smaller. (Where USM is handles, host memory is copied to host memory before this returns.)
  event memcpy(void* to, const void* from, std::size_t bytes, const std::vector<event>& dependencies = {});
  /// USM only.
  event memset(void* to, int value, std::size_t bytes, const std::vector<event>& dependencies = {});
  /// Moves shared USM to the device. A hint: other memory, and devices that cannot, ignore it.
  event prefetch(const void* memory, std::size_t bytes, const std::vector<event>& dependencies = {});

  /// A command that waits for all commands submitted before, or for these events; later ones wait for it.
  event ext_oneapi_submit_barrier(const std::vector<event>& events = {});

  /// Returns when every command submitted so far is complete. Throws errc::platform if the device was lost.
  void wait();

  [[nodiscard]] const device& get_device() const noexcept;
  [[nodiscard]] bool is_in_order() const noexcept;
  [[nodiscard]] bool is_profiling() const noexcept;

  friend bool operator==(const queue&, const queue&) = default;

  /// Only the library calls this.
  [[nodiscard]] opencl::queue_state& state() const noexcept { return *m_state; }

  /// Only the library calls this: it launches with arguments of which only the program knows the types.
  event launch(const kernel& k, const opencl::launch_space& space, const opencl::kernel_argument* arguments,
               std::size_t count, const std::vector<event>& dependencies);

  // Only the library calls these: they copy bytes.
  event write(opencl::memory_state& to, std::size_t offset, const void* from, std::size_t bytes,
              const std::vector<event>& dependencies);
  event read(opencl::memory_state& from, std::size_t offset, void* to, std::size_t bytes,
             const std::vector<event>& dependencies);
  event copy_memory(opencl::memory_state& from, std::size_t from_offset, opencl::memory_state& to,
                    std::size_t to_offset, std::size_t bytes, const std::vector<event>& dependencies);
  event fill_memory(opencl::memory_state& to, std::size_t offset, const void* pattern, std::size_t width,
                    std::size_t bytes, const std::vector<event>& dependencies);
  event fill_usm(void* to, const void* pattern, std::size_t width, std::size_t bytes,
                 const std::vector<event>& dependencies);

private:
  event memcpy_handles(void* to, const void* from, std::size_t bytes, const std::vector<event>& dependencies);

  std::shared_ptr<opencl::queue_state> m_state;
};

/// The OpenCL queue beneath a queue on an OpenCL device, for what only gpu::queue does: its commands are not in the
/// graph of the other one, but come behind what an in-order queue was given before. errc::backend_mismatch for a queue
/// on the CPU.
[[nodiscard]] queue get_native(const lanefold::queue& q);

} // namespace gpu
LANEFOLD_END_NAMESPACE
