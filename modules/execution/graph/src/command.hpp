// SPDX-License-Identifier: Apache-2.0
/// A command: its action, and its position in the graph.
#pragma once

#include "failure.hpp"
#include "holding.hpp"

#include <lanefold/execution/detail/buffer_requirement.hpp>
#include <lanefold/execution/detail/command_ptr.hpp>
#include <lanefold/execution/detail/device_backend.hpp>
#include <lanefold/execution/launch.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class executor;
struct graph_node;
class queue_account;

/// A command for a device that is not the CPU goes from running to on_device, when the device has been given it;
/// whoever learns that the device has finished it completes it.
/// One that is recorded is a node of a graph and stays so.
enum class stage : std::uint32_t { waiting, ready, running, on_device, complete, recorded };

/// Says what the failure of a dependency means.
enum class dependency_kind {
  required,              ///< named by the program: the command does not run
  required_unless_known, ///< the order of a queue: the command does not run, unless the host has seen the error
  order                  ///< nothing
};

class observation;

/// When a command came to its stages, in nanoseconds of std::chrono::steady_clock; kept for those who ask.
struct command_times {
  bool for_program = false;              ///< its queue profiles
  std::shared_ptr<observation> observed; ///< null: nobody observes it
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
  // These make it an entry of the successors of `on`, from scheduler::submit on.
  command* dependent = nullptr;
  dependency* next = nullptr;
};

/// Holds what a command has that uses a device with memory of its own, or buffers that such devices use.
struct device_share {
  std::vector<buffer_requirement> uses; ///< are brought to where the command runs
  std::vector<dependency> before;       ///< given to the same device before; until the command is complete
  device_event_ptr event;               ///< written before the stage says on_device
  std::uint64_t place = 0;              ///< of one that was an eventless command: its place in its queue
  std::atomic<bool> is_watched{false};  ///< the device calls device_commands::finish
  std::atomic<bool> is_finishing{false};
};

/// One command: its action (none: it only waits) and its position in the graph. Counted by command_ptr.
class command {
public:
  command(executor& home, std::shared_ptr<queue_account> queue, std::unique_ptr<launch> work) noexcept
      : m_home(home), m_queue(std::move(queue)), m_work(std::move(work)) {}
  command(const command&) = delete;
  command& operator=(const command&) = delete;

  [[nodiscard]] stage current_stage() const noexcept { return m_stage.load(std::memory_order_acquire); }
  [[nodiscard]] bool is_complete() const noexcept { return current_stage() == stage::complete; }
  /// Returns whether it matters to one that comes after it.
  [[nodiscard]] bool is_to_wait_for() const noexcept { return !is_complete() || error(); }
  /// Returns whether it is complete, or its device has finished it.
  [[nodiscard]] bool is_finished() const noexcept;
  /// Of a complete command.
  [[nodiscard]] const std::shared_ptr<failure>& error() const noexcept { return m_failure; }
  [[nodiscard]] const std::shared_ptr<queue_account>& queue() const noexcept { return m_queue; }
  [[nodiscard]] executor& home() const noexcept { return m_home; }
  /// Returns whether one thread holds both, see scheduler::hold.
  [[nodiscard]] bool is_held_with(const command& other) const noexcept {
    return m_holding && other.m_holding && m_holding->holder == other.m_holding->holder;
  }
  /// The command stands for a node, and is never submitted.
  void record(const std::shared_ptr<graph_node>& as) noexcept {
    m_node = as;
    m_stage.store(stage::recorded, std::memory_order_release);
  }
  [[nodiscard]] bool is_recorded() const noexcept { return current_stage() == stage::recorded; }
  /// Null if it is not recorded, or if the graph is gone.
  [[nodiscard]] std::shared_ptr<graph_node> node() const noexcept { return m_node.lock(); }
  /// Null if its queue does not profile and is not observed.
  [[nodiscard]] const command_times* times() const noexcept { return m_times.get(); }
  /// Null if nobody observes it.
  [[nodiscard]] observation* observed() const noexcept { return m_times ? m_times->observed.get() : nullptr; }
  /// Before it is submitted.
  void take_times(bool for_program, std::shared_ptr<observation> observed) {
    m_times = std::make_unique<command_times>();
    m_times->for_program = for_program;
    m_times->observed = std::move(observed);
    m_times->submitted.store(command_times::now(), std::memory_order_relaxed);
  }
  /// Its action, until it is complete; null if it has none.
  [[nodiscard]] const launch* action() const noexcept { return m_work.get(); }
  /// Of a command that is not complete.
  [[nodiscard]] bool runs_on_device() const noexcept { return m_work && m_work->on_device() != nullptr; }
  /// Null for most commands.
  [[nodiscard]] const device_share* device() const noexcept { return m_device ? &*m_device : nullptr; }
  /// Before it is submitted.
  device_share& make_device_share() { return m_device ? *m_device : m_device.emplace(); }
  /// Null for commands that nobody holds.
  [[nodiscard]] const holding* held() const noexcept { return m_holding.get(); }
  /// The name of its kernel while it waits for others, else nothing.
  [[nodiscard]] std::string waiting_kernel() const;
  /// The dependencies that are not complete, each once.
  [[nodiscard]] std::vector<command_ptr> open_dependencies() const;

private:
  // Those who take it from stage to stage.
  friend class command_ptr;
  friend class completion;
  friend class device_commands;
  friend class open_launches;
  friend class ready_list;
  friend class runner;
  friend class scheduler;

  /// Is what m_successors holds when the command is complete.
  static dependency* closed() noexcept;

  /// Null if there is none; one that nobody runs yet, if there is such.
  [[nodiscard]] command_ptr open_dependency() const;
  /// Returns one that the device was given before it and that is not complete; null if there is none.
  [[nodiscard]] command_ptr earlier_on_device() const noexcept;
  /// False if this command is complete already.
  bool add_successor(dependency& d) noexcept;
  void note_failed_dependency(dependency_kind kind, const std::shared_ptr<failure>& error) noexcept;

  std::atomic<std::uint32_t> m_references{1};
  std::atomic<stage> m_stage{stage::waiting};
  std::atomic<std::uint32_t> m_unfinished{1}; // dependencies, and the submission itself
  std::atomic<bool> m_opened{false};          // others may join
  executor& m_home;
  std::shared_ptr<queue_account> m_queue;
  std::unique_ptr<launch> m_work;
  std::unique_ptr<command_times> m_times;
  std::optional<device_share> m_device;
  std::unique_ptr<const holding> m_holding; // of a command that scheduler::release ends
  std::weak_ptr<graph_node> m_node;         // of a command that is recorded
  std::shared_ptr<failure> m_failure;       // written before m_stage says complete
  std::atomic<dependency*> m_successors{nullptr};
  mutable std::mutex m_guard;             // of the next two
  std::vector<dependency> m_dependencies; // until the command is complete
  std::shared_ptr<failure> m_cause;       // of a dependency
  command* m_previous = nullptr;          // in the list of ready commands
  command* m_next = nullptr;              // in that list, or in completion's list of those that are not to run
};

} // namespace detail
LANEFOLD_END_NAMESPACE
