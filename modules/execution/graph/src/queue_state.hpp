// SPDX-License-Identifier: Apache-2.0
/// The order of a queue's commands.
#pragma once

#include "command.hpp"
#include "observation.hpp"
#include "queue_account.hpp"

#include <lanefold/execution/detail/buffer_requirement.hpp>
#include <lanefold/execution/event.hpp>
#include <lanefold/execution/launch.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Holds what a queue is given.
struct submission {
  std::unique_ptr<launch> work;                 ///< null: the command only waits
  std::vector<event> dependencies;              ///< named by the program
  std::vector<buffer_requirement> requirements; ///< its accessors
  std::vector<dependency> after;                ///< and what else it must wait for
  bool is_barrier = false; ///< later commands of the queue wait for it; without dependencies it waits for earlier ones
  std::exception_ptr error = nullptr; ///< the device was to be given it already, and refused it
};

/// Holds what the handles of a queue and its commands share.
///
/// A command of an in-order queue of a device is eventless where nobody needs more: the device was given it, the queue
/// knows its place and the name of its kernel, and forgets both when the device has come to that place. Whoever asks
/// for the command (an event, a later command that is not eventless, an error) makes those that are left commands of
/// the graph.
class queue_state final : public queue_account, public std::enable_shared_from_this<queue_state> {
public:
  /// `device` null: the CPU.
  queue_state(executor& runs_on, async_handler handler, bool in_order, bool profiles = false,
              std::unique_ptr<device_queue> device = nullptr, const observed_queue& observed = {});

  /// Submits a command of this queue. Throws errc::accessor if a buffer is gone, and std::bad_alloc; nothing is
  /// submitted then.
  command_ptr submit(const std::shared_ptr<queue_state>& self, submission&& given);
  /// Submits an eventless command and returns its place. Returns 0 where it cannot be one: it is to be submitted then.
  std::uint64_t submit_eventless(submission& given);
  /// Does the same for what has no command group; `error` is why the device has refused it.
  std::uint64_t start_eventless(eventless_start& what, const std::vector<event>& dependencies,
                                std::exception_ptr& error);
  void wait_for(std::uint64_t place) override;
  command_ptr command_at(std::uint64_t place) override;
  /// A command of this queue that the calling thread holds, see scheduler::hold.
  command_ptr hold(const std::shared_ptr<queue_state>& self, std::size_t bytes);
  /// Returns whether all commands are complete; asks devices for those that they may have finished.
  bool is_empty();
  /// Returns when all commands are complete. Throws nothing but misuse.
  void wait();
  /// Does the same before memory of the queue's context is freed; returns at once where `wait` would never return.
  void wait_before_free() noexcept;
  /// The last handle has gone: errors that were never delivered are printed when the last command is complete. Waits
  /// for devices with memory of their own only (but where waiting would never end: in a kernel that held the handle).
  void close() noexcept;

  [[nodiscard]] bool is_in_order() const noexcept { return m_in_order; }

private:
  [[nodiscard]] bool is_before_all(const event& e) const;
  [[nodiscard]] bool has_failed(const event& e) const noexcept;
  void forget_complete() noexcept;
  bool holds_nothing() noexcept;
  void make_commands();
  void look_at_eventless() noexcept;
  void keep_failures() noexcept;
  void take_times(command& submitted) const;
  [[nodiscard]] std::size_t prepare_order(bool waits_for_all);
  void order(const command_ptr& submitted, bool waits_for_all, bool is_barrier,
             std::vector<dependency>& found) noexcept;
  [[nodiscard]] bool can_start(const std::vector<dependency>& found) const noexcept;
  /// Completes what the device has finished, if many commands are open or if asked to look at `few`.
  void complete_finished(bool few);
  [[nodiscard]] command_ptr newest_open();
  void wait_for_each();
  void wait_serial();
  void wait_unordered();

  /// The device is asked about the last of so many eventless commands.
  static constexpr std::size_t most_unseen = 1024;

  executor& m_executor;
  const bool m_in_order;
  std::atomic<bool> m_serial; // one command after the other
  const bool m_profiles;
  const observed_queue m_observed;
  const bool m_takes_times;
  const bool m_has_eventless;
  std::mutex m_guard;              // of what follows
  command_ptr m_last;              // submitted, if they are serial; null after a wait
  std::vector<command_ptr> m_open; // submitted, if they are not or run on a device; some are complete
  std::size_t m_open_to_look_at = 64;
  std::atomic<bool> m_has_many_open{false}; // written under m_guard
  command_ptr m_barrier;                    // the last one
  // Behind m_last: together they count as one command that is not complete.
  std::vector<eventless_command> m_eventless;
  std::size_t m_eventless_to_look_at = most_unseen;
  device_event_ptr m_seen;                                                  // of an eventless command
  std::vector<command_ptr> m_made;                                          // of eventless ones; some are complete
  std::vector<std::pair<std::uint64_t, std::shared_ptr<failure>>> m_failed; // of eventless ones, of a closed queue
};

} // namespace detail
LANEFOLD_END_NAMESPACE
