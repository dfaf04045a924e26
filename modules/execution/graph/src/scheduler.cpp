// SPDX-License-Identifier: Apache-2.0
#include "scheduler.hpp"

#include "circular_waits.hpp"
#include "command_path.hpp"
#include "completion.hpp"
#include "device_commands.hpp"
#include "runner.hpp"
#include "spin.hpp"

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/kernel_scope.hpp>

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {

/// Commands made by scheduler::hold that the calling thread has not released yet.
thread_local unsigned commands_held = 0;

constinit std::mutex guard_of_executors;
/// Returns the executors by their numbers of threads; whoever calls holds the guard.
std::map<std::size_t, executor*>& executors() {
  static auto& all = *new std::map<std::size_t, executor*>(); // never destroyed
  return all;
}

} // namespace

executor& scheduler::executor_for(std::size_t threads) {
  const std::lock_guard lock(guard_of_executors);
  executor*& found = executors()[threads];
  if (found == nullptr) {
    failure::prepare();
    found = new executor(threads, &runner::work);
  }
  return *found;
}

void scheduler::submit(command_ptr submitted, std::vector<dependency> dependencies) noexcept {
  command& c = *submitted;
  std::uint32_t settled = 1; // the submission itself, and what is complete already
  if (!dependencies.empty()) {
    c.m_unfinished.store(static_cast<std::uint32_t>(dependencies.size() + 1), std::memory_order_relaxed);
    {
      const std::lock_guard lock(c.m_guard);
      c.m_dependencies = std::move(dependencies); // from here on they do not move
      for (dependency& d : c.m_dependencies) {
        d.dependent = &c;
        command_ptr kept_by_entry(&c);
        if (d.on->add_successor(d)) {
          kept_by_entry.detach();
        } else {
          d.dependent = nullptr;
        }
      }
    }
    // Either this sees that the device has the dependency, or device_commands::start sees that it has a successor. Not
    // under a lock: a device that has finished it tells so at once. The entries stay, because the submission itself is
    // not settled.
    for (const dependency& d : c.m_dependencies) {
      if (d.on->m_stage.load(std::memory_order_seq_cst) == stage::on_device) {
        device_commands::watch(*d.on);
      }
    }
    for (const dependency& d : c.m_dependencies) {
      if (d.dependent != nullptr) {
        continue;
      }
      ++settled; // it was complete already
      if (d.on->error()) {
        c.note_failed_dependency(d.kind, d.on->error());
      }
    }
  }
  if (c.m_unfinished.fetch_sub(settled, std::memory_order_acq_rel) == settled) {
    if (c.m_cause) {
      completion::complete(std::move(submitted), nullptr, &c);
    } else if (is_done_at_once(c)) {
      c.m_stage.store(stage::running, std::memory_order_release);
      runner::run(std::move(submitted), &c); // the command itself: what waits for it is left to others
    } else {
      c.m_home.make_ready(std::move(submitted));
    }
  }
}

/// A worker that sleeps would be woken for 8 µs, one that looks for work takes it over for half a microsecond.
bool scheduler::is_done_at_once(const command& ready) noexcept {
  return (ready.m_work == nullptr || ready.m_work->is_brief()) && !ready.m_device && !kernel_scope::is_inside();
}

command_ptr scheduler::hold(executor& home, std::shared_ptr<queue_account> queue, std::size_t bytes) {
  command_ptr held = command_ptr::adopt(new command(home, std::move(queue), nullptr));
  held->m_holding = std::make_unique<const holding>(holding{std::this_thread::get_id(), bytes});
  held->m_stage.store(stage::running, std::memory_order_relaxed);
  ++commands_held;
  return held;
}

void scheduler::release(const command_ptr& held) noexcept {
  if (held->m_holding->holder == std::this_thread::get_id()) {
    --commands_held;
  }
  completion::complete(held, nullptr, held.get());
}

bool scheduler::holds_commands() noexcept { return commands_held != 0; }

// ---- host threads that wait

void scheduler::refuse_recorded() {
  throw exception(
      make_error_code(errc::invalid),
      "the event belongs to a node of a graph, which runs whenever the graph does: there is nothing to wait "
      "for, and no status; commands that are recorded to the same graph may depend on it");
}

void scheduler::wait(const command_ptr& target) {
  if (!target || target->is_complete()) {
    return;
  }
  if (target->is_recorded()) {
    refuse_recorded();
  }
  kernel_scope::refuse_inside();
  // Most often the command is ready, and this thread runs it as if it had called it.
  if (target->current_stage() == stage::ready) {
    if (command_ptr mine = target->m_home.claim(*target)) {
      runner::run(std::move(mine), target.get());
    }
  }
  command_path path; // to a command that can be run now
  while (!target->is_complete()) {
    if (path.empty()) {
      path.push(target);
    }
    wait_step(path);
  }
}

bool scheduler::help(executor& home, const queue_account& queue) {
  if (command_ptr mine = home.claim_first(&queue)) {
    const command* const none = mine.get();
    runner::run(std::move(mine), none);
    return true;
  }
  if (open_launches::seat taken = home.join(nullptr, &queue)) {
    const command* const none = taken.owner().get();
    runner::join(std::move(taken), none);
    return true;
  }
  return false;
}

bool scheduler::work_anywhere() noexcept {
  std::size_t threads = 0; // of the last executor; there are few of them, and there may be no memory for a list
  for (;;) {
    executor* home = nullptr;
    {
      const std::lock_guard lock(guard_of_executors);
      const auto next = executors().upper_bound(threads);
      if (next == executors().end()) {
        return false;
      }
      threads = next->first;
      home = next->second;
    }
    if (runner::work_once(*home)) {
      return true;
    }
  }
}

void scheduler::wait_step(command_path& path) {
  const command_ptr last = path.back();
  command& top = *last;
  const auto go_on = [&](command_ptr next) {
    while (next) {
      path.pop(); // `next` is the last one now
      next = runner::run(std::move(next), path.before_last());
    }
  };
  switch (top.current_stage()) {
  case stage::complete: path.pop(); break;
  case stage::ready:
    if (command_ptr mine = top.m_home.claim(top)) {
      go_on(runner::run(std::move(mine), path.before_last()));
    }
    break;
  case stage::running:
    if (open_launches::seat taken = top.m_home.join(&top, nullptr)) {
      go_on(runner::join(std::move(taken), path.before_last()));
    } else {
      rest(top, *path.before_last());
    }
    break;
  case stage::on_device: {
    top.m_device->event->wait();
    device_commands::finish(last);
    break;
  }
  case stage::recorded: refuse_recorded();
  case stage::waiting:
    if (command_ptr dependency = top.open_dependency()) {
      path.push(std::move(dependency));
    } else {
      relax(); // another thread is about to make it ready
    }
    break;
  }
}

/// Nothing to do for this thread until the command is complete, or is opened. `waited_for`: the one that comes after
/// it.
void scheduler::rest(const command& running, const command& waited_for) {
  if (running.m_holding && running.m_holding->holder == std::this_thread::get_id()) {
    refuse_to_wait_for_itself(waited_for, running);
  }
  const bool opened = running.m_opened.load(std::memory_order_relaxed);
  const auto changed = [&] {
    return running.current_stage() != stage::running || running.m_opened.load(std::memory_order_relaxed) != opened;
  };
  if (spin(waiter_patience, changed)) {
    return;
  }
  if (running.m_holding) {
    const sleep_until_released sleeping(waited_for, running);
    running.m_stage.wait(stage::running, std::memory_order_acquire);
  } else {
    running.m_stage.wait(stage::running, std::memory_order_acquire);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
