// SPDX-License-Identifier: Apache-2.0
#include "device_commands.hpp"

#include "buffer_places.hpp"
#include "command_path.hpp"
#include "completion.hpp"
#include "queue_account.hpp"

#include <lanefold/execution/detail/buffer_state.hpp>

#include <cstdint>
#include <mutex>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

std::exception_ptr device_commands::start(command& c, std::vector<dependency> before) {
  device_share& share = *c.m_device;
  device_queue& queue = *c.m_queue->device();
  try {
    std::vector<device_event_ptr> after;
    for (const dependency& d : before) {
      if (d.on->m_queue != c.m_queue || !queue.is_in_order()) {
        d.on->m_device->event->add_to(after, d.on->m_device->event);
      }
    }
    for (const buffer_requirement& use : share.uses) {
      use.buffer->places().bring_to(queue, {use.begin, use.end}, use.kind, after);
    }
    share.event = c.m_work->on_device()->start(queue, after);
  } catch (...) {
    return std::current_exception();
  }
  if (!before.empty()) {
    const std::lock_guard lock(c.m_guard);
    share.before = std::move(before);
  }
  c.m_stage.store(stage::on_device, std::memory_order_seq_cst);
  c.m_stage.notify_all();
  if (c.m_successors.load(std::memory_order_seq_cst) != nullptr) {
    watch(c);
  }
  return nullptr;
}

void device_commands::take_over(command& c, std::uint64_t place, device_event_ptr event,
                                std::vector<dependency> before) {
  device_share& share = c.make_device_share();
  share.place = place;
  share.event = std::move(event);
  share.before = std::move(before);
  c.m_stage.store(stage::on_device, std::memory_order_release);
}

command_ptr device_commands::make_failed(executor& home, std::shared_ptr<queue_account> queue,
                                         std::shared_ptr<failure> error) {
  command_ptr made = command_ptr::adopt(new command(home, std::move(queue), nullptr));
  made->m_failure = std::move(error);
  made->m_successors.store(command::closed(), std::memory_order_relaxed);
  made->m_stage.store(stage::complete, std::memory_order_release);
  return made;
}

std::exception_ptr device_commands::bring_to_host(const command& c) {
  try {
    for (const buffer_requirement& use : c.m_device->uses) {
      if (use.buffer->has_places()) {
        use.buffer->places().bring_to_host({use.begin, use.end}, use.kind);
      }
    }
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

void device_commands::fail(command_ptr not_started, std::exception_ptr error) {
  const command* const none = not_started.get();
  completion::complete(std::move(not_started), std::move(error), none);
}

void device_commands::finish(const command_ptr& finished) noexcept {
  // The commands that it came after are finished, too, and are completed first: the error of one is the cause of this
  // one's.
  command_path path;
  while (!finished->is_complete()) {
    if (path.empty()) {
      path.push(finished);
    }
    const command_ptr last = path.back();
    if (command_ptr before = last->earlier_on_device()) {
      path.push(std::move(before));
      continue;
    }
    path.pop();
    if (last->is_complete()) {
      continue;
    }
    if (last->m_device->is_finishing.exchange(true)) { // another thread is about to complete it
      last->m_stage.wait(stage::on_device, std::memory_order_acquire);
      continue;
    }
    complete(last);
  }
}

namespace {

/// Takes the times of a complete command from the device. Errors: what the device says, if the program wants them.
void take_times(device_event& event, command_times& to) {
  try {
    const device_event::times device = event.profile();
    const std::uint64_t submitted = to.submitted.load(std::memory_order_relaxed);
    to.started.store(submitted + (device.started - device.submitted), std::memory_order_relaxed);
    to.ended.store(submitted + (device.ended - device.submitted), std::memory_order_relaxed);
  } catch (...) {
    if (to.for_program) {
      throw;
    }
  }
}

} // namespace

void device_commands::complete(command_ptr last) noexcept {
  command& c = *last;
  const device_share& share = *c.m_device;
  for (const dependency& d : share.before) {
    if (d.on->error()) {
      c.note_failed_dependency(d.kind, d.on->error());
    }
  }
  std::exception_ptr error;
  try {
    if (c.m_times) {
      take_times(*share.event, *c.m_times);
    }
    error = c.m_cause ? nullptr : share.event->error();
  } catch (...) {
    error = std::current_exception();
  }
  completion::complete(std::move(last), std::move(error), &c);
}

bool device_commands::poll(const command_ptr& asked) {
  if (!asked->is_finished()) {
    return false;
  }
  finish(asked);
  return true;
}

void device_commands::watch(command& c) {
  if (!c.m_device->is_watched.exchange(true)) {
    c.m_device->event->when_complete(&device_has_finished, command_ptr(&c).detach());
  }
}

void device_commands::device_has_finished(void* command) {
  finish(command_ptr::adopt(static_cast<detail::command*>(command)));
}

} // namespace detail
LANEFOLD_END_NAMESPACE
