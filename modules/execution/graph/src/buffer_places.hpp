// SPDX-License-Identifier: Apache-2.0
/// Knows where the newest contents of a buffer are: in host memory, in the memory of devices, or in several of them.
#pragma once

#include "byte_ranges.hpp"

#include <lanefold/execution/access.hpp>
#include <lanefold/execution/detail/device_backend.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The memories of one buffer that devices have used. Thread-safe. The command graph sees to it that commands which
/// contradict each other come one after the other; this class knows of each byte in which memories it is valid.
class buffer_places {
public:
  /// `host` is the buffer's memory on the host, where everything is valid at first.
  buffer_places(std::byte* host, std::size_t bytes) noexcept : m_host(host), m_bytes(bytes) {}
  buffer_places(const buffer_places&) = delete;
  buffer_places& operator=(const buffer_places&) = delete;
  /// Waits for copies from host memory.
  ~buffer_places();

  /// Starts what must be done so that a command of the queue can use a part on the queue's device, and adds what the
  /// command must come after. What the command writes is valid on that device only, from now on.
  void bring_to(device_queue& queue, byte_range part, access_kind kind, std::vector<device_event_ptr>& after);
  /// Brings a part to the host for a command there; returns when the part is there.
  void bring_to_host(byte_range part, access_kind kind);
  /// Returns how often contents of a device have come to the host.
  [[nodiscard]] std::uint64_t fetches() const noexcept { return m_fetches.load(std::memory_order_acquire); }
  /// The memory on a device to which something was brought.
  device_memory& on(const device_backend& device);

private:
  struct upload {
    byte_range part;
    device_event_ptr until;
  };
  struct place {
    device_backend* device;
    std::unique_ptr<device_memory> memory;
    byte_ranges valid;
    std::vector<upload> uploads; // some may be complete
  };

  place& find(device_backend& device);
  void fetch(byte_range part);

  std::mutex m_guard;
  std::byte* const m_host;
  const std::size_t m_bytes;
  byte_ranges m_host_stale;
  std::atomic<std::uint64_t> m_fetches{0};
  std::vector<std::unique_ptr<place>> m_places;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
