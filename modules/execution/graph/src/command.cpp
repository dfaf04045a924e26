// SPDX-License-Identifier: Apache-2.0
#include "command.hpp"

#include <lanefold/execution/info.hpp>

#include <algorithm>
#include <chrono>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

void command_ptr::retain() const noexcept {
  if (m_command != nullptr) {
    m_command->m_references.fetch_add(1, std::memory_order_relaxed);
  }
}

void command_ptr::release() const noexcept {
  if (m_command->m_references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    delete m_command;
  }
}

std::uint32_t command_ptr::use_count() const noexcept {
  return m_command == nullptr ? 0 : m_command->m_references.load(std::memory_order_relaxed);
}

command::link* command::closed() noexcept {
  static constinit link mark{{}, dependency_kind::order, nullptr, nullptr};
  return &mark;
}

bool command::add_successor(link& l) noexcept {
  link* first = m_successors.load(std::memory_order_acquire);
  do {
    if (first == closed()) {
      return false;
    }
    l.next = first;
  } while (!m_successors.compare_exchange_weak(first, &l, std::memory_order_seq_cst, std::memory_order_acquire));
  return true;
}

void command::note_failed_dependency(dependency_kind kind, const std::shared_ptr<failure>& error) {
  if (kind == dependency_kind::required || (kind == dependency_kind::required_unless_known && !error->is_known())) {
    const std::lock_guard lock(m_guard);
    if (!m_cause) {
      m_cause = error;
    }
  }
}

command_ptr command::open_dependency() const {
  const std::lock_guard lock(m_guard);
  command_ptr found;
  for (const link& l : m_dependencies) {
    const stage s = l.on->current_stage();
    if (s == stage::waiting || s == stage::ready) {
      return l.on;
    }
    if ((s == stage::running || s == stage::on_device) && !found) {
      found = l.on;
    }
  }
  return found;
}

std::vector<command_ptr> command::open_dependencies() const {
  const std::lock_guard lock(m_guard);
  std::vector<command_ptr> found;
  const auto add = [&](const command_ptr& on, dependency_kind kind) {
    const bool known = std::find(found.begin(), found.end(), on) != found.end();
    if (kind != dependency_kind::order && !known && !on->is_complete()) {
      found.push_back(on);
    }
  };
  for (const link& l : m_dependencies) {
    add(l.on, l.kind);
  }
  if (m_device) {
    for (const dependency& d : m_device->before) {
      add(d.on, d.kind);
    }
  }
  return found;
}

std::uint64_t command_times::now() noexcept {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

bool command::is_finished() const noexcept {
  return is_complete() ||
         (current_stage() == stage::on_device && m_device->event->status() == info::event_command_status::complete);
}

} // namespace detail
LANEFOLD_END_NAMESPACE
