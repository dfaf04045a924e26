// SPDX-License-Identifier: Apache-2.0
// The eventless commands of a queue.
#include "device_commands.hpp"
#include "queue_state.hpp"
#include "scheduler.hpp"

#include <lanefold/execution/detail/kernel_scope.hpp>

#include <algorithm>
#include <new>
#include <string>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {

/// The action of a command that was eventless.
class started_launch final : public device_launch {
public:
  explicit started_launch(const std::string& name) : device_launch(launch_settings(), name) {}
  device_event_ptr start(device_queue& /*on*/, const std::vector<device_event_ptr>& /*after*/) override {
    return nullptr;
  }
};

} // namespace

/// Returns whether nothing must be done so that an eventless command comes after the command of the event, unless that
/// was eventless in this queue and has failed.
bool queue_state::is_before_all(const event& e) const {
  if (e.queue_of_eventless() == this) {
    return true;
  }
  const command_ptr c = e.command();
  return !c || !c->is_to_wait_for() || (c->current_stage() == stage::on_device && c->queue().get() == this);
}

/// Under m_guard: returns whether the command of the event was eventless in this queue, and has failed.
bool queue_state::has_failed(const event& e) const noexcept {
  return e.queue_of_eventless() == this && std::any_of(m_made.begin(), m_made.end(), [&e](const command_ptr& c) {
           return c->device()->place == e.place() && c->is_complete() && c->error();
         });
}

std::uint64_t queue_state::submit_eventless(submission& given) {
  if (!m_has_eventless || !given.work || given.work->has_attachments() || !given.requirements.empty()) {
    return 0;
  }
  device_launch* const work = given.work->on_device();
  return work == nullptr ? 0 : start_eventless(*work, given.dependencies, given.error);
}

std::uint64_t queue_state::start_eventless(eventless_start& what, const std::vector<event>& dependencies,
                                           std::exception_ptr& error) {
  if (!m_has_eventless ||
      !std::all_of(dependencies.begin(), dependencies.end(), [this](const event& e) { return is_before_all(e); })) {
    return 0;
  }
  std::uint64_t place = 0;
  bool are_many = false;
  {
    const std::lock_guard lock(m_guard);
    if ((m_last && m_last->is_to_wait_for() && m_last->current_stage() != stage::on_device) ||
        std::any_of(dependencies.begin(), dependencies.end(), [this](const event& e) { return has_failed(e); })) {
      return 0;
    }
    if (m_eventless.size() == m_eventless.capacity()) {
      m_eventless.reserve(std::max<std::size_t>(16, 2 * m_eventless.size()));
    }
    try {
      place = what.start_without_event(*device());
    } catch (...) {
      error = std::current_exception();
    }
    if (place == 0) {
      return 0;
    }
    if (m_eventless.empty()) {
      m_pending.fetch_add(1);
    }
    m_eventless.push_back({place, what.take_name()});
    are_many = m_eventless.size() >= m_eventless_to_look_at;
  }
  if (are_many) {
    look_at_eventless();
  }
  return place;
}

/// Under m_guard: forgets those that the device is known to have done.
void queue_state::forget_complete() noexcept {
  if (m_eventless.empty() || (m_last && m_last->is_to_wait_for())) {
    return;
  }
  const std::uint64_t done = device()->known_complete();
  const auto first_open = m_eventless.back().place <= done
                              ? m_eventless.end()
                              : std::find_if(m_eventless.begin(), m_eventless.end(),
                                             [done](const eventless_command& c) { return c.place > done; });
  m_eventless.erase(m_eventless.begin(), first_open);
  m_eventless_to_look_at = m_eventless.size() + most_unseen;
  if (m_eventless.empty()) {
    m_seen.reset();
    command_complete();
  }
}

/// Forgets those that the device is known to have done. Returns whether the queue holds no command then, also none that
/// is complete.
bool queue_state::holds_nothing() noexcept {
  const std::lock_guard lock(m_guard);
  forget_complete();
  return !has_open_commands() && !m_last && !m_barrier && m_open.empty() && m_made.empty();
}

/// Under m_guard: what is eventless becomes commands of the graph. Throws std::bad_alloc.
void queue_state::make_commands() {
  forget_complete();
  if (m_eventless.empty()) {
    return;
  }
  std::erase_if(m_made, [](const command_ptr& c) { return !c->is_to_wait_for(); });
  m_made.reserve(m_made.size() + m_eventless.size());
  m_open.reserve(m_open.size() + m_eventless.size());
  const std::shared_ptr<queue_state> self = shared_from_this();
  std::size_t count = 0;
  const auto forget_those = [&] {
    m_eventless.erase(m_eventless.begin(), m_eventless.begin() + static_cast<std::ptrdiff_t>(count));
  };
  try {
    for (const eventless_command& c : m_eventless) {
      command_ptr made = command_ptr::adopt(new command(m_executor, self, std::make_unique<started_launch>(*c.name)));
      std::vector<dependency> before;
      if (m_last && m_last->is_to_wait_for()) {
        before.push_back({m_last, dependency_kind::required_unless_known});
      }
      device_commands::take_over(*made, c.place, device()->event_of(c), std::move(before));
      m_pending.fetch_add(1);
      m_open.push_back(made);
      m_made.push_back(made);
      m_last = std::move(made);
      ++count;
    }
  } catch (...) {
    forget_those();
    throw;
  }
  forget_those();
  m_seen.reset();
  m_pending.fetch_sub(1); // that of the eventless ones, to which the others have been added
}

/// So that commands for which nobody waits do not pile up.
void queue_state::look_at_eventless() noexcept {
  try {
    device_event_ptr seen;
    command_ptr last;
    {
      const std::lock_guard lock(m_guard);
      m_eventless_to_look_at = m_eventless.size() + most_unseen;
      if (!m_seen && !m_eventless.empty()) {
        m_seen = device()->event_of(m_eventless.back());
      }
      seen = m_seen;
      last = m_last;
    }
    if (last && last->current_stage() == stage::on_device) {
      device_commands::poll(last);
    }
    if (seen && seen->status() == info::event_command_status::complete) {
      const std::lock_guard lock(m_guard);
      if (m_seen == seen) {
        m_seen.reset();
      }
      forget_complete();
    }
  } catch (const std::bad_alloc&) { // NOLINT: later
  }
}

void queue_state::wait_for(std::uint64_t place) {
  device_event_ptr its;
  {
    const std::lock_guard lock(m_guard);
    const auto found =
        std::lower_bound(m_eventless.begin(), m_eventless.end(), place,
                         [](const eventless_command& c, std::uint64_t wanted) { return c.place < wanted; });
    if (found != m_eventless.end() && found->place == place) {
      kernel_scope::refuse_inside();
      its = device()->event_of(*found);
    }
  }
  if (its) {
    its->wait();
    const std::lock_guard lock(m_guard);
    forget_complete();
  }
  scheduler::wait(command_at(place));
}

command_ptr queue_state::command_at(std::uint64_t place) {
  const std::lock_guard lock(m_guard);
  if (!m_eventless.empty() && m_eventless.front().place <= place) {
    make_commands();
  }
  const auto made =
      std::find_if(m_made.begin(), m_made.end(), [place](const command_ptr& c) { return c->device()->place == place; });
  if (made != m_made.end()) {
    return *made;
  }
  const auto failed =
      std::find_if(m_failed.begin(), m_failed.end(), [place](const auto& f) { return f.first == place; });
  return failed == m_failed.end() ? command_ptr()
                                  : device_commands::make_failed(m_executor, shared_from_this(), failed->second);
}

/// Under m_guard: events may ask a closed queue, too, which its commands are not to keep alive.
void queue_state::keep_failures() noexcept {
  for (const command_ptr& c : m_made) {
    try {
      if (c->is_complete() && c->error()) {
        m_failed.emplace_back(c->device()->place, c->error());
      }
    } catch (const std::bad_alloc&) { // NOLINT: the queue has told it, or is going to print it
    }
  }
  std::erase_if(m_made, [](const command_ptr& c) { return c->is_complete(); });
}

} // namespace detail
LANEFOLD_END_NAMESPACE
