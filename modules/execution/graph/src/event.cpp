// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/event.hpp>

#include "command.hpp"
#include "device_commands.hpp"
#include "queue_account.hpp"
#include "scheduler.hpp"

#include <algorithm>

LANEFOLD_BEGIN_NAMESPACE

event::event(detail::shared_part<detail::queue_account> queue, std::uint64_t place) noexcept
    : m_number(place), m_queue(std::move(queue)) {}
namespace {

/// The event that the program has of a command.
event event_of(detail::command_ptr c) {
  if (c->device() == nullptr || c->device()->place == 0) {
    return event(std::move(c));
  }
  return {c->queue(), c->device()->place};
}

/// The error of a complete command, if the program is to get it from wait().
std::shared_ptr<detail::failure> error_to_throw(const event& e) {
  const detail::command_ptr command = e.command();
  return command && command->error() && !command->queue()->has_handler() ? command->error() : nullptr;
}

} // namespace

detail::command_ptr event::eventless_command() const { return m_queue->command_at(m_number); }

bool event::is_recorded() const noexcept { return m_command && m_command->is_recorded(); }

/// Returns when the command is complete, failed or not.
void event::await() const {
  if (m_queue) {
    m_queue->wait_for(m_number);
  } else {
    detail::scheduler::wait(m_command);
  }
}

std::uint32_t event::count_references() const {
  return m_queue ? std::max(std::uint32_t{1}, command().use_count()) : m_command.use_count();
}

void event::wait() {
  await();
  if (const std::shared_ptr<detail::failure> error = error_to_throw(*this)) {
    const std::exception_ptr thrown = error->error();
    error->set_delivered();
    std::rethrow_exception(thrown);
  }
}

void event::wait(const std::vector<event>& events) {
  for (const event& e : events) {
    e.await();
  }
  for (event e : events) {
    e.wait();
  }
}

void event::wait_and_throw() {
  wait();
  if (m_queue) {
    m_queue->deliver_errors();
  } else if (m_command) {
    m_command->queue()->deliver_errors();
  }
}

void event::wait_and_throw(const std::vector<event>& events) {
  wait(events);
  for (event e : events) {
    e.wait_and_throw();
  }
}

std::vector<event> event::get_wait_list() const {
  std::vector<event> list;
  if (const detail::command_ptr its = command()) {
    for (detail::command_ptr& open : its->open_dependencies()) {
      list.push_back(event_of(std::move(open)));
    }
  }
  return list;
}

std::uint64_t event::profiled(profiling_time which) const {
  const detail::command_times* const times = m_command ? m_command->times() : nullptr;
  if (times == nullptr || !times->for_program) {
    throw exception(make_error_code(errc::invalid),
                    "get_profiling_info: the event is not of a queue with property::queue::enable_profiling");
  }
  if (which == profiling_time::submitted) {
    return times->submitted.load(std::memory_order_relaxed);
  }
  detail::scheduler::wait(m_command);
  return (which == profiling_time::started ? times->started : times->ended).load(std::memory_order_relaxed);
}

backend event::get_backend() const noexcept {
  const bool on_device = m_queue || (m_command && m_command->queue()->device() != nullptr);
  return on_device ? backend::opencl : backend::lanefold_cpu;
}

info::event_command_status event::status() const {
  const detail::command_ptr its = command();
  switch (its ? its->current_stage() : detail::stage::complete) {
  case detail::stage::on_device:
    return detail::device_commands::poll(its) ? info::event_command_status::complete : its->device()->event->status();
  case detail::stage::waiting:
  case detail::stage::ready: return info::event_command_status::submitted;
  case detail::stage::running: return info::event_command_status::running;
  case detail::stage::recorded: detail::scheduler::refuse_recorded();
  case detail::stage::complete: break;
  }
  return info::event_command_status::complete;
}

LANEFOLD_END_NAMESPACE
