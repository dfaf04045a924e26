// SPDX-License-Identifier: Apache-2.0
/// Says where the commands of a queue go that records.
#pragma once

#include <lanefold/execution/event.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

LANEFOLD_BEGIN_NAMESPACE

class handler;

namespace detail {

class queue_state;
class graph_recording;

/// Takes commands in place of a queue.
class command_recorder {
public:
  command_recorder() = default;
  command_recorder(const command_recorder&) = delete;
  command_recorder& operator=(const command_recorder&) = delete;

  /// `from`: the recording of the queue, `queue`, to which the command was submitted. Returns nothing, and leaves the
  /// handler as it was, if another thread has ended that recording.
  virtual std::optional<event> record(handler& h, const graph_recording& from,
                                      const std::shared_ptr<queue_state>& queue) = 0;

protected:
  ~command_recorder() = default;
};

/// Says of a queue whether it records, and to what; that ends with the recorder. Thread-safe.
class graph_recording {
public:
  [[nodiscard]] bool is_active() const noexcept { return m_active.load(std::memory_order_acquire); }
  /// Null if the queue does not record.
  [[nodiscard]] std::shared_ptr<command_recorder> recorder() {
    if (!is_active()) [[likely]] {
      return nullptr;
    }
    const std::lock_guard lock(m_guard);
    return m_to.lock();
  }
  /// Returns false, and changes nothing, if the queue records to another one.
  bool begin(const std::shared_ptr<command_recorder>& to) {
    std::shared_ptr<command_recorder> now; // may be the last to hold it, whose end takes the lock
    const std::lock_guard lock(m_guard);
    now = m_to.lock();
    if (now && now != to) {
      return false;
    }
    m_to = to;
    m_recorder = to.get();
    m_active.store(true, std::memory_order_release);
    return true;
  }
  /// Ends what records to `recorder`, which may be on its way to its end; does nothing if the queue records to another.
  void end(const command_recorder* recorder) noexcept {
    const std::lock_guard lock(m_guard);
    if (m_recorder != recorder) {
      return;
    }
    m_recorder = nullptr;
    m_active.store(false, std::memory_order_release);
    m_to.reset();
  }

private:
  std::atomic<bool> m_active{false};
  std::mutex m_guard; // of what follows
  std::weak_ptr<command_recorder> m_to;
  const command_recorder* m_recorder = nullptr; // m_to, also when that has expired
};

} // namespace detail
LANEFOLD_END_NAMESPACE
