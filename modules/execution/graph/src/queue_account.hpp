// SPDX-License-Identifier: Apache-2.0
/// Holds what commands tell their queue.
#pragma once

#include "failure.hpp"

#include <lanefold/execution/async_handler.hpp>
#include <lanefold/execution/detail/command_ptr.hpp>
#include <lanefold/execution/detail/device_backend.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Keeps count of the commands of a queue that are not complete, and of the errors of those that failed, until these
/// are delivered. Thread-safe.
class queue_account {
public:
  /// `device` null: the CPU.
  queue_account(async_handler handler, bool in_order, std::unique_ptr<device_queue> device)
      : m_handler(std::move(handler)), m_device(std::move(device)),
        m_waits_for_stages(in_order && m_device == nullptr) {
    m_errors.reserve(16); // of which there is room for these at least when memory is used up
  }
  queue_account(const queue_account&) = delete;
  queue_account& operator=(const queue_account&) = delete;

  [[nodiscard]] bool has_handler() const noexcept { return static_cast<bool>(m_handler); }
  [[nodiscard]] device_queue* device() const noexcept { return m_device.get(); }

  [[nodiscard]] bool has_open_commands() const noexcept { return m_pending.load() != 0; }
  /// Returns whether those who wait for the queue wait for the stage of its last command: a command then counts as
  /// complete before its stage says so, so that the queue is empty for who has waited. Others wait until no command
  /// counts as open, so that all stages say so then.
  [[nodiscard]] bool waits_for_stages() const noexcept { return m_waits_for_stages; }

  // Events of eventless commands, which a queue_state has, ask by their places.

  /// Returns when the command, which is or was eventless, is complete.
  virtual void wait_for(std::uint64_t place) = 0;
  /// The command, null if it is complete and has not failed.
  virtual command_ptr command_at(std::uint64_t place) = 0;

  // Called for each command of the queue.
  void command_failed(const std::shared_ptr<failure>& error) noexcept;
  void command_complete() noexcept;
  /// Host threads sleep until there is something to help with.
  [[nodiscard]] bool has_sleepers() const noexcept { return m_sleepers.load() != 0; }
  void wake_sleepers() noexcept;

  /// Gives undelivered errors to the async_handler, or throws them if there is none.
  void deliver_errors();
  /// wait()'s share: throws them if there is no handler.
  void throw_errors_without_handler();

protected:
  ~queue_account() = default;

  /// Gives undelivered errors to the async_handler, if there is one, and prints those that come later, when the last
  /// command is complete.
  void report_errors_at_end() noexcept;

  std::atomic<std::uint32_t> m_pending{0};  ///< commands that are not complete
  std::atomic<std::uint32_t> m_sleepers{0}; ///< threads that wait for m_signal to change
  std::atomic<std::uint32_t> m_signal{0};

private:
  void print_errors() noexcept;
  std::vector<std::exception_ptr> take_errors();

  const async_handler m_handler;
  const std::unique_ptr<device_queue> m_device;
  const bool m_waits_for_stages;
  std::mutex m_guard; // of the next one
  std::vector<std::shared_ptr<failure>> m_errors;
  std::atomic<bool> m_has_errors{false};
  std::atomic<bool> m_closed{false};
};

} // namespace detail
LANEFOLD_END_NAMESPACE
