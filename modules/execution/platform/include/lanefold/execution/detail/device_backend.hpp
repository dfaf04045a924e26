// SPDX-License-Identifier: Apache-2.0
/// Declares what another module provides so that queues run commands on devices beside the CPU of this process.
///
/// The command graph is the same for all devices. Commands for such a device are not run but started: the device
/// completes them. Those that depend on commands of the same device are handed over at once, with its own events, so
/// that the device goes from one to the next without the host.
#pragma once

#include <lanefold/execution/aspect.hpp>
#include <lanefold/execution/detail/shared_part.hpp>
#include <lanefold/execution/info.hpp>
#include <lanefold/execution/launch.hpp>
#include <lanefold/memory/usm.hpp>

#include <any>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class buffer_state;
class device_backend;

/// A command that a device was given. Thread-safe.
class device_event {
public:
  device_event() = default;
  device_event(const device_event&) = delete;
  device_event& operator=(const device_event&) = delete;
  virtual ~device_event() = default;

  /// Complete also means failed.
  virtual info::event_command_status status() noexcept = 0;
  virtual void wait() noexcept = 0;
  /// Calls `notify(argument)` once, on some thread, when the command is complete.
  virtual void when_complete(void (*notify)(void*), void* argument) noexcept = 0;
  /// Adds what a command that comes behind this one is behind: `self`, or the events of the backend's own that it is
  /// made of.
  virtual void add_to(std::vector<std::shared_ptr<device_event>>& list, const std::shared_ptr<device_event>& self) {
    list.push_back(self);
  }
  /// Of a complete command: why it failed, null if it did not.
  virtual std::exception_ptr error() noexcept = 0;

  /// Nanoseconds of the device's clock, of a complete command in a queue that profiles.
  struct times {
    std::uint64_t submitted;
    std::uint64_t started;
    std::uint64_t ended;
  };
  virtual times profile() = 0;
};
using device_event_ptr = std::shared_ptr<device_event>;

/// A command that a queue which counts its commands was given without an event.
struct eventless_command {
  std::uint64_t place;                     ///< so many commands of the queue are complete when this one is
  std::shared_ptr<const std::string> name; ///< of its kernel
};

/// A queue of a device.
class device_queue {
public:
  device_queue() = default;
  device_queue(const device_queue&) = delete;
  device_queue& operator=(const device_queue&) = delete;
  virtual ~device_queue() = default;

  virtual device_backend& home() const noexcept = 0;
  /// Returns whether what it is given later also runs later.
  virtual bool is_in_order() const noexcept { return false; }
  /// Returns whether it counts its commands: it is in order, and keeps no times of them, so that they need no events.
  virtual bool counts_commands() const noexcept { return false; }
  /// Returns how many of its commands are known to be complete. Asks nobody.
  virtual std::uint64_t known_complete() const noexcept { return 0; }
  /// Makes an event for a command that has none. Throws std::bad_alloc.
  virtual device_event_ptr event_of(const eventless_command& /*which*/) { return nullptr; }
  /// Returns when all that it was given is complete. A hint, to wait once instead of for each command.
  virtual void finish() noexcept {}
};

/// Memory of a device.
class device_memory {
public:
  device_memory() = default;
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;
  virtual ~device_memory() = default;

  /// Starts a copy from host memory, which must stay as it is until that is complete.
  virtual device_event_ptr write(device_queue& on, std::size_t offset, const std::byte* from, std::size_t bytes) = 0;
  /// Copies to host memory before it returns.
  virtual void read(std::size_t offset, std::byte* to, std::size_t bytes) = 0;
};

/// Something that a queue of a device may be given without a command of the graph.
class eventless_start {
public:
  /// Gives it to a queue that counts its commands, behind all that this was given. Returns its place there; 0, and the
  /// queue does not have it, if it needs an event. It may be destroyed at once if it uses no buffers.
  virtual std::uint64_t start_without_event(device_queue& /*on*/) { return 0; }
  /// Takes the name of the kernel out of what was started and is going to be destroyed.
  virtual std::shared_ptr<const std::string> take_name() noexcept { return nullptr; }

protected:
  ~eventless_start() = default;
};

/// An action that a device runs.
class device_launch : public launch, public eventless_start {
public:
  /// Gives it to the device, behind those commands of the device. The buffers that it uses are there.
  virtual device_event_ptr start(device_queue& on, const std::vector<device_event_ptr>& after) = 0;

  device_launch* on_device() noexcept final { return this; }
  void run(std::size_t, std::size_t) final {}

protected:
  /// The name is for messages.
  device_launch(const launch_settings& settings, const std::string& name) : launch(1, 1, settings, name) {}
};

/// A side of a copy: a part of a buffer, or host memory.
struct copy_side {
  shared_part<buffer_state> buffer; ///< null: host memory
  std::size_t offset = 0;           ///< in the buffer
  std::byte* host = nullptr;
};

/// A device. Lives as long as the process; thread-safe.
class device_backend {
public:
  device_backend() = default;
  device_backend(const device_backend&) = delete;
  device_backend& operator=(const device_backend&) = delete;
  virtual ~device_backend() = default;

  /// Returns whether the program is to see the device now: the environment may hide devices.
  virtual bool is_visible() const = 0;
  virtual bool has(aspect asked) const noexcept = 0;
  /// The answer to an info::device query: a Query::return_type. Errors: errc::feature_not_supported for what the
  /// device's interface cannot tell.
  virtual std::any answer(const std::type_info& query) const = 0;

  virtual std::unique_ptr<device_queue> make_queue(bool in_order, bool profiles) = 0;
  /// Errors: errc::memory_allocation.
  virtual std::unique_ptr<device_memory> allocate(std::size_t bytes) = 0;
  /// Returns the source from which contexts of the device have their USM.
  virtual usm_source& usm() noexcept = 0;

  // Memory operations.

  /// Between USM and host memory.
  virtual std::unique_ptr<launch> make_copy(const launch_settings& settings, void* to, const void* from,
                                            std::size_t bytes) = 0;
  /// `count` times a pattern of `width` bytes.
  virtual std::unique_ptr<launch> make_fill(const launch_settings& settings, void* to, const void* pattern,
                                            std::size_t width, std::size_t count) = 0;
  /// Between buffers and host memory; `kept` lives until the command is complete. Null: the host is to do it.
  virtual std::unique_ptr<launch> make_copy(const launch_settings& settings, const copy_side& to, const copy_side& from,
                                            std::size_t bytes, std::shared_ptr<const void> kept) = 0;
  virtual std::unique_ptr<launch> make_fill(const launch_settings& settings, const copy_side& to, const void* pattern,
                                            std::size_t width, std::size_t count) = 0;
  /// USM will be needed on the device. Null: nothing is to be done.
  virtual std::unique_ptr<launch> make_prefetch(const launch_settings& /*settings*/, const void* /*memory*/,
                                                std::size_t /*bytes*/) {
    return nullptr;
  }
};

} // namespace detail
LANEFOLD_END_NAMESPACE
