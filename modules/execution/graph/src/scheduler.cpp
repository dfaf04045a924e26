// SPDX-License-Identifier: Apache-2.0
#include "scheduler.hpp"

#include "completion.hpp"
#include "device_commands.hpp"
#include "runner.hpp"
#include "spin.hpp"

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/kernel_scope.hpp>

#include <chrono>
#include <map>
#include <thread>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {

using namespace std::chrono_literals;

/// A thread that waits, and cannot help, spins for this long before it sleeps.
constexpr auto waiter_patience = 20us;

/// Commands made by scheduler::hold that the calling thread has not released yet.
thread_local unsigned commands_held = 0;

} // namespace

executor& scheduler::executor_for(std::size_t threads) {
  static std::mutex guard;
  static auto& executors = *new std::map<std::size_t, executor*>(); // never destroyed
  const std::lock_guard lock(guard);
  executor*& found = executors[threads];
  if (found == nullptr) {
    found = new executor(threads, &runner::work);
  }
  return *found;
}

void scheduler::submit(command_ptr submitted, std::vector<dependency> dependencies) {
  command& c = *submitted;
  std::uint32_t settled = 1; // the submission itself, and what is complete already
  if (!dependencies.empty()) {
    std::vector<std::pair<dependency_kind, command_ptr>> complete_already;
    c.m_unfinished.store(static_cast<std::uint32_t>(dependencies.size() + 1), std::memory_order_relaxed);
    {
      const std::lock_guard lock(c.m_guard);
      c.m_dependencies.reserve(dependencies.size()); // the links must not move
      for (dependency& d : dependencies) {
        command::link& l = c.m_dependencies.emplace_back(command::link{std::move(d.on), d.kind, &c, nullptr});
        command_ptr kept_by_link(&c);
        if (l.on->add_successor(l)) {
          kept_by_link.detach();
        } else {
          complete_already.emplace_back(l.kind, l.on);
        }
      }
    }
    // Either this sees that the device has the dependency, or device_commands::start sees that it has a successor. Not
    // under a lock: a device that has finished it tells so at once. The links stay, because the submission itself is
    // not settled.
    for (const command::link& l : c.m_dependencies) {
      if (l.on->m_stage.load(std::memory_order_seq_cst) == stage::on_device) {
        device_commands::watch(*l.on);
      }
    }
    for (const auto& [kind, on] : complete_already) {
      ++settled;
      if (on->error()) {
        c.note_failed_dependency(kind, on->error());
      }
    }
  }
  if (c.m_unfinished.fetch_sub(settled, std::memory_order_acq_rel) == settled) {
    if (c.m_cause) {
      completion::complete(std::move(submitted), nullptr, &c);
    } else {
      c.m_home.make_ready(std::move(submitted));
    }
  }
}

command_ptr scheduler::hold(executor& home, std::shared_ptr<queue_account> queue) {
  command_ptr held = command_ptr::adopt(new command(home, std::move(queue), nullptr));
  held->m_holder = std::this_thread::get_id();
  held->m_stage.store(stage::running, std::memory_order_relaxed);
  ++commands_held;
  return held;
}

void scheduler::release(const command_ptr& held) {
  if (held->m_holder == std::this_thread::get_id()) {
    --commands_held;
  }
  completion::complete(held, nullptr, held.get());
}

bool scheduler::holds_commands() noexcept { return commands_held != 0; }

// ---- host threads that wait

void scheduler::wait(const command_ptr& target) {
  if (!target || target->is_complete()) {
    return;
  }
  kernel_scope::refuse_inside();
  // Most often the command is ready, and this thread runs it as if it had called it.
  if (target->current_stage() == stage::ready) {
    if (command_ptr mine = target->m_home.claim(*target)) {
      runner::run(std::move(mine), target.get());
    }
  }
  // From the target to a command that can be run now: each waits for the one behind it.
  std::vector<command_ptr> path;
  while (!target->is_complete()) {
    if (path.empty()) {
      path.push_back(target);
    }
    wait_step(path);
  }
}

bool scheduler::help(executor& home, const queue_account& queue) {
  if (command_ptr mine = home.claim_first_of(queue)) {
    const command* const none = mine.get();
    runner::run(std::move(mine), none);
    return true;
  }
  open_launch open;
  if (home.take_seat(open, [&](const command& owner) { return owner.queue().get() == &queue; })) {
    const command* const none = open.owner.get();
    runner::join(std::move(open), none);
    return true;
  }
  return false;
}

void scheduler::wait_step(std::vector<command_ptr>& path) {
  command& top = *path.back();
  // With what this thread goes on, after it has run the last command of the path.
  const auto preferred = [&path] { return path.size() > 1 ? path[path.size() - 2].get() : path.back().get(); };
  const auto go_on = [&](command_ptr next) {
    while (next) {
      path.pop_back(); // `next` is the last one now
      next = runner::run(std::move(next), preferred());
    }
  };
  switch (top.current_stage()) {
  case stage::complete: path.pop_back(); break;
  case stage::ready:
    if (command_ptr mine = top.m_home.claim(top)) {
      go_on(runner::run(std::move(mine), preferred()));
    }
    break;
  case stage::running: {
    open_launch open;
    if (top.m_opened.load(std::memory_order_acquire) &&
        top.m_home.take_seat(open, [&](const command& owner) { return &owner == &top; })) {
      go_on(runner::join(std::move(open), preferred()));
    } else if (top.m_holder == std::this_thread::get_id()) {
      throw exception(make_error_code(errc::invalid),
                      "wait would never return: this thread has a host_accessor that the command waits for");
    } else {
      rest(top);
    }
    break;
  }
  case stage::on_device: {
    const command_ptr waited_for = path.back();
    top.m_device->event->wait();
    device_commands::finish(waited_for);
    break;
  }
  case stage::waiting:
    if (command_ptr dependency = top.open_dependency()) {
      path.push_back(std::move(dependency));
    } else {
      relax(); // another thread is about to make it ready
    }
    break;
  }
}

/// Nothing to do for this thread until the command is complete, or is opened.
void scheduler::rest(const command& running) {
  const bool opened = running.m_opened.load(std::memory_order_relaxed);
  const auto changed = [&] {
    return running.current_stage() != stage::running || running.m_opened.load(std::memory_order_relaxed) != opened;
  };
  if (!spin(waiter_patience, changed)) {
    running.m_stage.wait(stage::running, std::memory_order_acquire);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
