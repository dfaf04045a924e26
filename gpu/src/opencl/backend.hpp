// SPDX-License-Identifier: Apache-2.0
/// OpenCL devices as the queues, buffers and USM of the module execution know devices.
#pragma once

#include "states.hpp"

#include <lanefold/execution/detail/device_backend.hpp>
#include <lanefold/execution/detail/platform_entry.hpp>
#include <lanefold/gpu/device.hpp>
#include <lanefold/gpu/queue.hpp>

#include <any>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <typeinfo>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {

class opencl_device;

info::device_type type_of(const device& d) noexcept;

class opencl_queue final : public ld::device_queue {
public:
  opencl_queue(opencl_device& home, queue native) : m_home(home), m_native(std::move(native)) {}

  ld::device_backend& home() const noexcept override;
  bool is_in_order() const noexcept override { return m_native.is_in_order(); }
  bool counts_commands() const noexcept override { return m_native.is_in_order() && !m_native.is_profiling(); }
  std::uint64_t known_complete() const noexcept override { return m_native.state().native->completed.load(); }
  ld::device_event_ptr event_of(const ld::eventless_command& which) override {
    return std::make_shared<event_state>(m_native.state().native, which.place, *which.name);
  }
  void finish() noexcept override;
  opencl_device& device() const noexcept { return m_home; }
  queue& native() noexcept { return m_native; }

private:
  opencl_device& m_home;
  queue m_native;
};

class opencl_memory final : public ld::device_memory {
public:
  opencl_memory(opencl_device& home, std::size_t bytes);

  ld::device_event_ptr write(ld::device_queue& on, std::size_t offset, const std::byte* from,
                             std::size_t bytes) override;
  void read(std::size_t offset, std::byte* to, std::size_t bytes) override;

  const std::shared_ptr<memory_state>& state() const noexcept { return m_state; }

private:
  opencl_device& m_home;
  std::shared_ptr<memory_state> m_state;
};

/// USM of one device.
class opencl_usm final : public ld::usm_source {
public:
  explicit opencl_usm(device on) : m_device(std::move(on)) {}

  void* allocate(std::size_t bytes, std::size_t alignment, usm::alloc kind) override;
  void free(void* memory) noexcept override;

private:
  device m_device;
};

class opencl_device final : public ld::device_backend {
public:
  explicit opencl_device(device native) : m_native(std::move(native)), m_usm(m_native) {}

  bool is_visible() const override;
  bool has(aspect asked) const noexcept override;
  std::any answer(const std::type_info& query) const override; // device_info.cpp
  std::unique_ptr<ld::device_queue> make_queue(bool in_order, bool profiles) override;
  std::unique_ptr<ld::device_memory> allocate(std::size_t bytes) override;
  ld::usm_source& usm() noexcept override { return m_usm; }
  std::unique_ptr<ld::launch> make_copy(const ld::launch_settings& settings, void* to, const void* from,
                                        std::size_t bytes) override;
  std::unique_ptr<ld::launch> make_fill(const ld::launch_settings& settings, void* to, const void* pattern,
                                        std::size_t width, std::size_t count) override;
  std::unique_ptr<ld::launch> make_copy(const ld::launch_settings& settings, const ld::copy_side& to,
                                        const ld::copy_side& from, std::size_t bytes,
                                        std::shared_ptr<const void> kept) override;
  std::unique_ptr<ld::launch> make_fill(const ld::launch_settings& settings, const ld::copy_side& to,
                                        const void* pattern, std::size_t width, std::size_t count) override;
  std::unique_ptr<ld::launch> make_prefetch(const ld::launch_settings& settings, const void* memory,
                                            std::size_t bytes) override;

  const device& native() const noexcept { return m_native; }
  /// The library copies with this queue where the host waits for the copy.
  queue& transfers();
  /// Returns whether a command can be given the part of a buffer that begins there as a sub-buffer: where OpenCL aligns
  /// them, and not on NVIDIA's devices, whose driver (580.159) crashes when sub-buffers that overlap are released.
  bool has_sub_buffer_at(std::size_t offset) const;
  /// The handle of the device in the module execution.
  lanefold::device handle() const noexcept { return lanefold::device(m_entry); }
  void set_entry(const ld::device_entry* entry) noexcept { m_entry = entry; }

private:
  device m_native;
  opencl_usm m_usm;
  const ld::device_entry* m_entry = nullptr;
  std::mutex m_guard;
  std::optional<queue> m_transfers;
};

/// The OpenCL device behind one of a launch, or of a queue: null if that is the CPU, or another backend's.
inline opencl_device* as_opencl(ld::device_backend* device) noexcept {
  return device != nullptr && typeid(*device) == typeid(opencl_device) ? static_cast<opencl_device*>(device) : nullptr;
}

/// Calls `start`, which gives something to the queue. If that fails, none of it runs any more when this throws: it may
/// use memory of the host.
template <class Start>
auto started_on(opencl_queue& queue, const Start& start) {
  try {
    return start();
  } catch (...) {
    queue.finish();
    throw;
  }
}

/// Has the queue begin what it was given, also if nobody waits for it. NVIDIA's driver sees to that itself, and takes
/// 1.3 us for being told.
void flush(opencl_queue& queue);

/// Gives the queue what `start` starts without an event. Returns its place in the queue; 0 if it needs an event.
template <class Start>
std::uint64_t start_counted(opencl_queue& queue, const Start& start) {
  const std::uint64_t place = started_on(queue, start);
  if (place != 0)
    flush(queue);
  return place;
}

/// A command of a queue of such a device.
class opencl_launch : public ld::device_launch {
public:
  using device_launch::device_launch;

  ld::device_event_ptr start(ld::device_queue& on, const std::vector<ld::device_event_ptr>& after) final;
  std::uint64_t start_without_event(ld::device_queue& on) final;

protected:
  virtual event start_native(opencl_queue& on, const std::vector<event>& after) = 0;
  virtual std::uint64_t start_native_without_event(opencl_queue& /*on*/) { return 0; }
};

/// The memory on a device of a buffer that was brought there.
const std::shared_ptr<memory_state>& memory_of(ld::buffer_state& buffer, const opencl_device& on);

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
