// SPDX-License-Identifier: Apache-2.0
#include "queue_state.hpp"

#include "device_commands.hpp"
#include "requirements_lock.hpp"
#include "scheduler.hpp"

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/kernel_scope.hpp>
#include <lanefold/execution/detail/pipe_gate.hpp>

#include <algorithm>
#include <new>
#include <string>
#include <thread>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
queue_state::queue_state(executor& runs_on, async_handler handler, bool in_order, bool profiles,
                         std::unique_ptr<device_queue> device, const observed_queue& observed)
    : queue_account(std::move(handler), in_order, std::move(device)), m_executor(runs_on), m_in_order(in_order),
      m_serial(in_order || (runs_on.threads() == 1 && this->device() == nullptr &&
                            !pipes_are_used.load(std::memory_order_relaxed))),
      m_profiles(profiles), m_observed(observed), m_takes_times(profiles || observed.number != 0),
      m_has_eventless(in_order && !m_takes_times && this->device() != nullptr && this->device()->counts_commands()) {}

void queue_state::take_times(command& submitted) const {
  submitted.take_times(m_profiles, m_observed.number == 0 ? nullptr : std::make_shared<observation>(m_observed));
}

command_ptr queue_state::submit(const std::shared_ptr<queue_state>& self, submission&& given) {
  std::vector<dependency> all = std::move(given.after);
  for (const event& e : given.dependencies) {
    if (command_ptr before = e.command()) {
      if (before->is_recorded()) {
        scheduler::refuse_recorded();
      }
      if (before->is_to_wait_for()) {
        all.push_back({std::move(before), dependency_kind::required});
      }
    }
  }
  const bool for_device = given.work != nullptr && given.work->on_device() != nullptr;
  command_ptr submitted = command_ptr::adopt(new command(m_executor, self, std::move(given.work)));
  if (m_takes_times) {
    take_times(*submitted);
  }
  if (for_device) {
    submitted->make_device_share();
    complete_finished(false);
  }
  const bool waits_for_all = given.is_barrier && given.dependencies.empty();
  bool started = false;
  std::exception_ptr error;
  {
    requirements_lock buffers(given.requirements);
    const std::lock_guard lock(m_guard); // devices get the commands of an in-order queue in their order, too
    // First all that may throw: from where the command enters the orders, others wait for it.
    make_commands();
    if (buffers.prepare(for_device)) {
      submitted->make_device_share().uses = given.requirements;
    }
    if (const std::size_t more = buffers.count(*submitted) + prepare_order(waits_for_all); more != 0) {
      all.reserve(all.size() + more);
    }
    buffers.enter(submitted, all);
    order(submitted, waits_for_all, given.is_barrier, all);
    if (observation* const observed = submitted->observed()) {
      observed->note_dependencies(all);
    }
    if (given.error) {
      started = true;
      error = std::move(given.error);
    } else if (for_device && can_start(all)) {
      started = true;
      error = device_commands::start(*submitted, std::move(all));
    }
  }
  if (!started) {
    scheduler::submit(submitted, std::move(all));
  } else if (error) {
    device_commands::fail(submitted, std::move(error));
  }
  return submitted;
}

/// Returns whether the device can be left to wait for all of these.
bool queue_state::can_start(const std::vector<dependency>& found) const noexcept {
  return std::all_of(found.begin(), found.end(), [&](const dependency& d) {
    return d.on->current_stage() == stage::on_device && &d.on->queue()->device()->home() == &device()->home();
  });
}

/// So that commands for which nobody waits do not pile up.
void queue_state::complete_finished(bool few) {
  if (!few && !m_has_many_open.load(std::memory_order_relaxed)) {
    return;
  }
  std::vector<command_ptr> open;
  {
    const std::lock_guard lock(m_guard);
    open = m_open;
  }
  for (const command_ptr& c : open) {
    if (!device_commands::poll(c) && m_in_order) {
      break;
    }
  }
}

/// Makes room for a command, under m_guard and before order. Returns how many order may find at most.
std::size_t queue_state::prepare_order(bool waits_for_all) {
  if (m_serial && !m_in_order && !m_last && pipes_are_used.load(std::memory_order_relaxed)) {
    m_serial = false; // the queue was made before it was known that the program has pipes
  }
  if (m_open.size() == m_open.capacity() && !(m_serial && device() == nullptr)) {
    m_open.reserve(std::max<std::size_t>(16, 2 * m_open.size()));
  }
  const auto counts = [](const command_ptr& c) { return c && c->is_to_wait_for() ? std::size_t{1} : 0; };
  return counts(m_last) + counts(m_barrier) + (waits_for_all ? m_open.size() : 0);
}

/// Under m_guard: the command's position in the order of the queue.
void queue_state::order(const command_ptr& submitted, bool waits_for_all, bool is_barrier,
                        std::vector<dependency>& found) noexcept {
  m_pending.fetch_add(1);
  const auto add = [&](const command_ptr& before, dependency_kind kind) {
    if (before && before->is_to_wait_for()) {
      found.push_back({before, kind});
    }
  };
  if (m_serial) {
    add(m_last, m_in_order ? dependency_kind::required_unless_known : dependency_kind::order);
    m_last = submitted;
    if (device() == nullptr) {
      return;
    }
  } else if (waits_for_all) {
    for (const command_ptr& before : m_open) {
      add(before, dependency_kind::order);
    }
  }
  add(m_barrier, dependency_kind::order);
  if (is_barrier) {
    m_barrier = submitted;
  }
  if (m_open.size() >= m_open_to_look_at) {
    std::erase_if(m_open, [](const command_ptr& c) { return c->is_complete(); });
    m_open_to_look_at = std::max<std::size_t>(64, 2 * m_open.size());
  }
  m_open.push_back(submitted);
  m_has_many_open.store(m_open.size() >= m_open_to_look_at, std::memory_order_relaxed);
}

command_ptr queue_state::hold(const std::shared_ptr<queue_state>& self, std::size_t bytes) {
  command_ptr held = scheduler::hold(m_executor, self, bytes);
  if (m_takes_times) {
    take_times(*held);
  }
  m_pending.fetch_add(1);
  return held;
}

bool queue_state::is_empty() {
  if (device() != nullptr) {
    {
      const std::lock_guard lock(m_guard);
      make_commands();
    }
    complete_finished(true);
  }
  return !has_open_commands();
}

void queue_state::wait_before_free() noexcept {
  if (!kernel_scope::is_inside()) {
    try {
      wait();
    } catch (const std::exception&) { // NOLINT: it would never return
    }
  }
}

void queue_state::wait() {
  if (has_open_commands()) {
    kernel_scope::refuse_inside();
    if (device() != nullptr) {
      device()->finish();
      if (m_in_order && holds_nothing()) {
        return;
      }
      if (m_in_order && has_open_commands()) {
        complete_finished(true);            // the oldest first: none of them has to look for those before
        static_cast<void>(holds_nothing()); // those behind these
      }
      wait_for_each();
    } else if (m_serial) {
      wait_serial();
    } else if (scheduler::holds_commands()) {
      wait_for_each();
    } else {
      wait_unordered();
    }
  } else if (waits_for_stages() && !kernel_scope::is_inside()) {
    wait_serial(); // the last command may be about to say that it is complete
  }
  // All that was submitted is complete: what comes now does not depend on it.
  command_ptr last;
  command_ptr barrier;
  const std::lock_guard lock(m_guard);
  if (m_last && m_last->is_complete()) {
    std::swap(last, m_last);
  }
  if (m_barrier && m_barrier->is_complete()) {
    std::swap(barrier, m_barrier);
  }
  std::erase_if(m_open, [](const command_ptr& c) { return c->is_complete(); });
  std::erase_if(m_made, [](const command_ptr& c) { return !c->is_to_wait_for(); });
}

void queue_state::wait_serial() {
  // Kernels may submit commands, too.
  for (command_ptr waited_for;;) {
    command_ptr last;
    {
      const std::lock_guard lock(m_guard);
      last = m_last;
    }
    if (last == waited_for) {
      return;
    }
    scheduler::wait(last);
    waited_for = std::move(last);
  }
}

/// The newest command that is not complete; null if there is none.
command_ptr queue_state::newest_open() {
  const std::lock_guard lock(m_guard);
  make_commands();
  while (!m_open.empty() && m_open.back()->is_complete()) {
    m_open.pop_back();
  }
  return m_open.empty() ? command_ptr() : m_open.back();
}

/// Finds out, other than wait_unordered(), when it waits for what the calling thread holds.
void queue_state::wait_for_each() {
  while (has_open_commands()) {
    // The newest first: what it came after on a device is complete, too.
    if (const command_ptr open = newest_open()) {
      scheduler::wait(open);
    } else {
      std::this_thread::yield(); // another thread is completing one, or a kernel has submitted one
    }
  }
}

void queue_state::wait_unordered() {
  while (has_open_commands()) {
    const std::uint32_t before = m_signal.load();
    m_sleepers.fetch_add(1);
    // Whoever makes something of this queue ready after this look sees the sleeper and changes m_signal.
    bool busy = scheduler::help(m_executor, *this) || !has_open_commands();
    for (int i = 0; !busy && i < 200; ++i) {
      std::this_thread::yield();
      busy = m_signal.load() != before || !has_open_commands();
    }
    if (!busy) {
      m_signal.wait(before);
    }
    m_sleepers.fetch_sub(1);
  }
}

void queue_state::close() noexcept {
  if (device() != nullptr && has_open_commands()) {
    if (kernel_scope::is_inside()) {
      return; // who keeps the queue until the process ends closes it then
    }
    try {
      wait();                         // nobody else would notice that the device has finished
    } catch (const std::exception&) { // this thread holds a host_accessor that a command waits for
    }
  }
  {
    // Nothing comes after these, and they must not keep their queue alive.
    command_ptr last;
    command_ptr barrier;
    std::vector<command_ptr> open;
    const std::lock_guard lock(m_guard);
    std::swap(last, m_last);
    std::swap(barrier, m_barrier);
    std::swap(open, m_open);
    keep_failures();
    if (!m_eventless.empty() && !kernel_scope::is_inside()) { // there was no memory for what became of them
      m_eventless.clear();
      command_complete();
    }
  }
  report_errors_at_end();
}

} // namespace detail
LANEFOLD_END_NAMESPACE
