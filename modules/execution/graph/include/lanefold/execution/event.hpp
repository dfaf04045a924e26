// SPDX-License-Identifier: Apache-2.0
/// event: the state of one command.
#pragma once

#include <lanefold/exception.hpp>
#include <lanefold/execution/backend.hpp>
#include <lanefold/execution/detail/command_ptr.hpp>
#include <lanefold/execution/detail/query.hpp>
#include <lanefold/execution/detail/shared_part.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE

namespace info {
namespace event {
struct command_execution_status {
  using return_type = event_command_status;
};
/// Handles of the command, those of the library included: of SYCL 1.2.1.
struct reference_count {
  using return_type = std::uint32_t;
};
} // namespace event

/// Times of a command, in nanoseconds of a clock that never goes back [sycl.4.6.6.1]. A command that does not run
/// begins when it ends.
namespace event_profiling {
struct command_submit {
  using return_type = std::uint64_t;
};
struct command_start {
  using return_type = std::uint64_t;
};
struct command_end {
  using return_type = std::uint64_t;
};
} // namespace event_profiling
} // namespace info

namespace detail {
/// Default-constructed events are told apart by their number.
inline constinit std::atomic<std::uint64_t> events_without_command{0};

class queue_account;
} // namespace detail

/// The state of one command [sycl.4.6.6]: a cheap handle, copies stand for the same command. Host only; all members may
/// be called from any thread.
class event {
public:
  /// An event that is complete, and equal to its copies only.
  event() noexcept : m_number(++detail::events_without_command) {}

  /// Returns when the command is complete; the calling thread helps to run it and what it depends on.
  /// If the command failed or could not run, throws its error, unless its queue has an async_handler (the error then
  /// waits for wait_and_throw). Calling it inside a kernel throws errc::invalid: it could never return.
  void wait();
  /// Waits for several events: all are complete when it returns or throws; throws the first error.
  static void wait(const std::vector<event>& events);

  /// wait(), then gives the undelivered errors of the command's queue to its async_handler; without one, throws.
  void wait_and_throw();
  static void wait_and_throw(const std::vector<event>& events);

  /// The events of the commands that this one still waits for.
  std::vector<event> get_wait_list() const;

  /// get_info<info::event::command_execution_status>()
  template <class Info>
    requires(std::is_same_v<Info, info::event::command_execution_status> ||
             std::is_same_v<Info, info::event::reference_count>)
  typename Info::return_type get_info() const {
    if constexpr (std::is_same_v<Info, info::event::reference_count>) {
      return count_references();
    } else {
      return status();
    }
  }
  backend get_backend() const noexcept;

  /// get_profiling_info<info::event_profiling::command_start>(): waits until it is known. Errors: errc::invalid where
  /// the queue was made without property::queue::enable_profiling.
  template <class Info>
  typename Info::return_type get_profiling_info() const {
    return profiled(std::is_same_v<Info, info::event_profiling::command_submit>  ? profiling_time::submitted
                    : std::is_same_v<Info, info::event_profiling::command_start> ? profiling_time::started
                                                                                 : profiling_time::ended);
  }

  /// Equal if they stand for the same command, or are copies of the same default-constructed event.
  friend bool operator==(const event&, const event&) = default;

  /// Only the library calls these. The command behind the event: null if there is none, or none any more because it is
  /// complete, and was eventless.
  detail::command_ptr command() const { return m_queue ? eventless_command() : m_command; }
  bool has_command() const noexcept { return m_queue || m_command; }
  /// Returns whether its command is a node of a graph.
  bool is_recorded() const noexcept;
  explicit event(detail::command_ptr command) noexcept : m_command(std::move(command)) {}
  /// An eventless command is known by its queue, and its place there.
  event(detail::shared_part<detail::queue_account> queue, std::uint64_t place) noexcept;
  const detail::queue_account* queue_of_eventless() const noexcept { return m_queue.get(); }
  std::uint64_t place() const noexcept { return m_number; }

private:
  friend struct std::hash<event>;

  enum class profiling_time { submitted, started, ended };

  detail::command_ptr eventless_command() const;
  void await() const;
  std::uint32_t count_references() const;
  info::event_command_status status() const;
  std::uint64_t profiled(profiling_time which) const;

  detail::command_ptr m_command;
  std::uint64_t m_number = 0; ///< of an event without a command, or the place of an eventless one
  detail::shared_part<detail::queue_account> m_queue; ///< of an eventless command
};

LANEFOLD_END_NAMESPACE

template <>
struct std::hash<lanefold::event> {
  std::size_t operator()(const lanefold::event& e) const noexcept {
    return std::hash<lanefold::detail::command*>()(e.m_command.get()) ^ std::hash<const void*>()(e.m_queue.get()) ^
           e.m_number;
  }
};
