// SPDX-License-Identifier: Apache-2.0
/// Commands, their graph, and the executor that runs them.
///
/// A command waits until all its dependencies are complete, then it is ready: it stands in its executor's list, from
/// which a worker or a host thread that waits for it claims it. Whoever claims a command runs it. If its launch is
/// worth more than one thread it is opened: others join it. Whoever finishes the last group completes the command,
/// which makes its successors ready, and goes on with one of them, without a detour through the list.
///
/// Commands of other devices (detail/device_backend.hpp) are started instead of run. One whose dependencies have all
/// been started on its device is started when it is submitted; it then leaves the graph's order to the device. The
/// device tells of the end only where somebody waits for it: a successor, a host thread, a question.
///
/// Happens-before: submission to claim and opening to joining through executor::m_guard; from participant to
/// participant through distribution's counter; completion to whoever waits through command::m_stage; completion to
/// dependent command through command::m_unfinished.
#pragma once

#include "executor_distribution.hpp"
#include "executor_threads.hpp"

#include <lanefold/execution/async_handler.hpp>
#include <lanefold/execution/detail/buffer_state.hpp>
#include <lanefold/execution/detail/device_backend.hpp>
#include <lanefold/execution/event.hpp>
#include <lanefold/execution/launch.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class executor;
class queue_state;

/// Why a command failed. The error is delivered once to the host; see queue.
class failure {
public:
  failure(std::string kernel, std::exception_ptr error) : m_kernel(std::move(kernel)), m_error(std::move(error)) {}
  /// Of a command that did not run because of `cause`.
  failure(std::string kernel, const std::shared_ptr<failure>& cause)
      : m_kernel(std::move(kernel)), m_root(cause->m_root ? cause->m_root : cause) {}

  /// The error; that of a command that did not run says so, and names the command that failed.
  [[nodiscard]] std::exception_ptr error() const;
  [[nodiscard]] const std::string& kernel() const noexcept { return m_kernel; }
  /// The failure because of which the command did not run, if so.
  [[nodiscard]] const std::shared_ptr<failure>& root() const noexcept { return m_root; }

  void set_delivered() noexcept { m_delivered.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool is_delivered() const noexcept { return m_delivered.load(std::memory_order_relaxed); }
  /// It, or the failure that caused it, was delivered.
  [[nodiscard]] bool is_known() const noexcept { return is_delivered() || (m_root && m_root->is_delivered()); }

private:
  std::string m_kernel;
  std::exception_ptr m_error;
  std::shared_ptr<failure> m_root;
  std::atomic<bool> m_delivered{false};
};

/// A command for a device that is not the CPU goes from running to on_device, when the device has been given it;
/// whoever learns that the device has finished it completes it.
enum class stage : std::uint32_t { waiting, ready, running, on_device, complete };

/// Says what the failure of a dependency means.
enum class dependency_kind {
  required,              ///< named by the program: the command does not run
  required_unless_known, ///< the order of a queue: the command does not run, unless the host has seen the error
  order                  ///< nothing
};

/// When a command came to its stages, in nanoseconds of std::chrono::steady_clock.
struct command_times {
  std::atomic<std::uint64_t> submitted{0};
  std::atomic<std::uint64_t> started{0};
  std::atomic<std::uint64_t> ended{0};
  static std::uint64_t now() noexcept;
};

class command;

/// Holds what a command must wait for.
struct dependency {
  command_ptr on;
  dependency_kind kind;
};

/// Holds what a command has that uses a device with memory of its own, or buffers that such devices use.
struct device_share {
  std::vector<buffer_requirement> uses; ///< are brought to where the command runs
  std::vector<dependency> before;       ///< given to the same device before; until the command is complete
  device_event_ptr event;               ///< written before the stage says on_device
  std::atomic<bool> is_watched{false};  ///< the device calls executor::finish
  std::atomic<bool> is_finishing{false};
};

/// One command: its action (none: it only waits) and its position in the graph. Counted by command_ptr.
class command {
public:
  command(executor& home, std::shared_ptr<queue_state> queue, std::unique_ptr<launch> work) noexcept
      : m_home(home), m_queue(std::move(queue)), m_work(std::move(work)) {}
  command(const command&) = delete;
  command& operator=(const command&) = delete;

  [[nodiscard]] stage current_stage() const noexcept { return m_stage.load(std::memory_order_acquire); }
  [[nodiscard]] bool is_complete() const noexcept { return current_stage() == stage::complete; }
  /// Of a complete command.
  [[nodiscard]] const std::shared_ptr<failure>& error() const noexcept { return m_failure; }
  [[nodiscard]] const std::shared_ptr<queue_state>& queue() const noexcept { return m_queue; }
  [[nodiscard]] executor& home() const noexcept { return m_home; }
  /// Null if its queue does not profile.
  [[nodiscard]] const command_times* times() const noexcept { return m_times.get(); }
  /// Before it is submitted.
  void profile() {
    m_times = std::make_unique<command_times>();
    m_times->submitted.store(command_times::now(), std::memory_order_relaxed);
  }
  /// Null for most commands.
  [[nodiscard]] device_share* device() const noexcept { return m_device.get(); }
  /// Before it is submitted.
  device_share& make_device_share() {
    if (!m_device) {
      m_device = std::make_unique<device_share>();
    }
    return *m_device;
  }
  /// The dependencies that are not complete, each once.
  [[nodiscard]] std::vector<command_ptr> open_dependencies() const;

private:
  friend class executor;
  friend class command_ptr;

  /// Makes this command one of the successors of another.
  struct link {
    command_ptr on;
    dependency_kind kind;
    command* dependent;
    link* next;
  };
  /// Is what m_successors holds when the command is complete.
  static link* closed() noexcept;

  /// Null if there is none; one that nobody runs yet, if there is such.
  [[nodiscard]] command_ptr open_dependency() const;
  /// False if this command is complete already.
  bool add_successor(link& l) noexcept;
  void note_failed_dependency(dependency_kind kind, const std::shared_ptr<failure>& error);

  std::atomic<std::uint32_t> m_references{1};
  std::atomic<stage> m_stage{stage::waiting};
  std::atomic<std::uint32_t> m_unfinished{1}; // dependencies, and the submission itself
  std::atomic<bool> m_opened{false};          // others may join
  executor& m_home;
  std::shared_ptr<queue_state> m_queue;
  std::unique_ptr<launch> m_work;
  std::unique_ptr<command_times> m_times;
  std::unique_ptr<device_share> m_device;
  std::thread::id m_holder;           // of a command that executor::release ends: the thread that has made it
  std::shared_ptr<failure> m_failure; // written before m_stage says complete
  std::atomic<link*> m_successors{nullptr};
  mutable std::mutex m_guard;       // of the next two
  std::vector<link> m_dependencies; // until the command is complete
  std::shared_ptr<failure> m_cause; // of a dependency
  command* m_previous = nullptr;    // in the list of ready commands
  command* m_next = nullptr;
};

/// Holds what a queue is given.
struct submission {
  std::unique_ptr<launch> work;                 ///< null: the command only waits
  std::vector<event> dependencies;              ///< named by the program
  std::vector<buffer_requirement> requirements; ///< its accessors
  std::vector<dependency> after;                ///< and what else it must wait for
  bool is_barrier = false; ///< later commands of the queue wait for it; without dependencies it waits for earlier ones
};

/// Runs commands on a limited number of threads. One for each number of threads; it lives as long as the process.
class executor {
public:
  /// The executor for so many threads.
  static executor& get(std::size_t threads);

  /// Enters a command into the graph.
  void submit(command_ptr submitted, std::vector<dependency> dependencies);
  /// A command that runs, without an action, until release() completes it: the host's use of something.
  static command_ptr hold(executor& home, std::shared_ptr<queue_state> queue);
  static void release(const command_ptr& held);
  /// Commands that the calling thread holds.
  static bool holds_commands() noexcept;
  /// Returns when the command is complete; the calling thread helps with it and with what it waits for.
  /// Throws errc::invalid where it would never return: inside a kernel, and for what waits for a command that this
  /// thread holds.
  static void wait(const command_ptr& target);
  /// Runs a command of that queue that is ready, or joins one; false if there is none.
  bool help(const queue_state& queue);
  static void refuse_inside_kernel();
  /// The calling thread runs a kernel, or destroys one that has run.
  static bool inside_kernel() noexcept;

  [[nodiscard]] std::size_t threads() const noexcept { return m_threads; }

  // Commands of devices that are not the CPU.

  /// Gives it to its queue's device; `before`: commands of the device that it comes after. Returns why that failed.
  static std::exception_ptr start(command& c, std::vector<dependency> before);
  /// Somebody who is not on the device waits for it: the device is to tell when it has finished.
  static void watch(command& c);
  /// Completes a command that its device has finished, or one that could not be started.
  static void finish(const command_ptr& finished);
  static void fail(command_ptr not_started, std::exception_ptr error);
  /// Returns whether it is complete, or its device has finished it.
  static bool is_finished(const command& asked) noexcept;
  /// Returns what is_finished does, and completes the command if its device has finished it. Not to be called under a
  /// lock.
  static bool poll(const command_ptr& asked);

private:
  using clock = std::chrono::steady_clock;

  /// A launch that others may join.
  struct open_launch {
    command_ptr owner;
    std::shared_ptr<distribution> work;
    std::size_t wanted; // threads
  };

  class cost_hint;

  explicit executor(std::size_t threads);

  void make_ready(command_ptr ready);
  command_ptr claim(command& wanted);
  command_ptr claim_first();
  command_ptr claim_listed(command& listed) noexcept;

  // These run a command, or a part of it, and return the successor with which the caller goes on, if there is one: of
  // the successors that have become ready it is `preferred`, or any of this executor if that is null.
  command_ptr run(command_ptr running, const command* preferred);
  command_ptr run_here(command_ptr running, const command* preferred);
  command_ptr run_shared(command_ptr running, std::size_t first, const command* preferred);
  command_ptr participate(command_ptr owner, distribution& work, const command* preferred, cost_hint* hint = nullptr);
  static command_ptr complete(command_ptr finished, std::exception_ptr error, const command* preferred);

  /// Takes a seat in an open launch that `wanted` accepts.
  template <class Predicate>
  bool take_seat(open_launch& taken, Predicate wanted);
  void close(const distribution& finished);

  static void device_has_finished(void* command);

  static void wait_step(std::vector<command_ptr>& path);
  static void rest(const command& running);

  static void work_entry(void* self);
  void work();
  bool work_once();
  bool look_for_work();
  std::size_t invitations() noexcept;
  void invite(std::size_t count);

  const std::size_t m_threads;
  const std::size_t m_workers;
  executor_threads m_pool;

  std::mutex m_guard; // of the lists and the next four numbers
  command* m_first_ready = nullptr;
  command* m_last_ready = nullptr;
  std::vector<open_launch> m_open;
  std::size_t m_invited = 0; // workers called that have not come yet
  std::size_t m_idle = 0;    // workers that look for work
  std::size_t m_busy = 0;    // workers that have some
  // Idle workers look at these. Written under m_guard.
  alignas(64) std::atomic<std::size_t> m_ready_count{0};
  std::atomic<std::size_t> m_open_wanted{0};

  // The time that a group of a kernel takes, by the type of its launch: a hint, see run(). Each word holds a part of
  // the type's address and the time in sixteenths of a nanosecond.
  alignas(64) std::array<std::atomic<std::uint64_t>, 256> m_costs{};
};

/// Holds what the handles of a queue and its commands share.
class queue_state {
public:
  /// `device` null: the CPU.
  queue_state(executor& runs_on, async_handler handler, bool in_order, bool profiles = false,
              std::unique_ptr<device_queue> device = nullptr);

  /// Submits a command of this queue. Throws errc::accessor if a buffer is gone; nothing is submitted then.
  command_ptr submit(const std::shared_ptr<queue_state>& self, submission&& given);
  /// A command of this queue that the calling thread holds, see executor::hold.
  command_ptr hold(const std::shared_ptr<queue_state>& self);
  /// Returns when all commands are complete. Throws nothing but misuse.
  void wait();
  /// Gives undelivered errors to the async_handler, or throws them if there is none.
  void deliver_errors();
  /// wait()'s share: throws them if there is no handler.
  void throw_errors_without_handler();
  /// The last handle has gone: errors that were never delivered are printed when the last command is complete. Waits
  /// for devices with memory of their own only (but where waiting would never end: in a kernel that held the handle).
  void close() noexcept;
  [[nodiscard]] bool has_open_commands() const noexcept { return m_pending.load() != 0; }

  [[nodiscard]] bool has_handler() const noexcept { return static_cast<bool>(m_handler); }
  [[nodiscard]] bool is_in_order() const noexcept { return m_in_order; }
  [[nodiscard]] device_queue* device() const noexcept { return m_device.get(); }

  // Called by the executor for each command of the queue.
  void command_failed(const std::shared_ptr<failure>& error);
  void command_complete() noexcept;
  [[nodiscard]] bool has_sleepers() const noexcept { return m_sleepers.load() != 0; }
  /// There is something to help with.
  void wake_sleepers() noexcept;

private:
  void order(const command_ptr& submitted, bool waits_for_all, bool is_barrier, std::vector<dependency>& found);
  [[nodiscard]] bool can_start(const std::vector<dependency>& found) const noexcept;
  void complete_finished();
  void wait_for_each();
  void wait_serial();
  void wait_unordered();
  void print_errors() noexcept;
  std::vector<std::shared_ptr<failure>> take_errors();

  executor& m_executor;
  const async_handler m_handler;
  const bool m_in_order;
  const bool m_serial; // one command after the other
  const bool m_profiles;
  const std::unique_ptr<device_queue> m_device;
  std::mutex m_guard;              // of the next five
  command_ptr m_last;              // submitted, if they are serial; null after a wait
  std::vector<command_ptr> m_open; // submitted, if they are not or run on a device; some are complete
  std::size_t m_open_to_look_at = 64;
  command_ptr m_barrier; // the last one
  std::vector<std::shared_ptr<failure>> m_errors;
  std::atomic<bool> m_has_errors{false};
  std::atomic<bool> m_closed{false};
  std::atomic<std::uint32_t> m_pending{0};  // commands that are not complete
  std::atomic<std::uint32_t> m_sleepers{0}; // threads that wait for m_signal to change
  std::atomic<std::uint32_t> m_signal{0};
};

} // namespace detail
LANEFOLD_END_NAMESPACE
