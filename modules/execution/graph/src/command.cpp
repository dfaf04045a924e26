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

dependency* command::closed() noexcept {
  static constinit dependency mark{{}, dependency_kind::order};
  return &mark;
}

bool command::add_successor(dependency& d) noexcept {
  dependency* first = m_successors.load(std::memory_order_acquire);
  do {
    if (first == closed()) {
      return false;
    }
    d.next = first;
  } while (!m_successors.compare_exchange_weak(first, &d, std::memory_order_seq_cst, std::memory_order_acquire));
  return true;
}

void command::note_failed_dependency(dependency_kind kind, const std::shared_ptr<failure>& error) noexcept {
  if (kind == dependency_kind::required || (kind == dependency_kind::required_unless_known && !error->is_known())) {
    const std::lock_guard lock(m_guard);
    if (!m_cause) {
      m_cause = error;
    }
  }
}

std::string command::waiting_kernel() const {
  const std::lock_guard lock(m_guard); // completion takes the dependencies first, then the action
  return m_dependencies.empty() || !m_work ? std::string() : m_work->kernel_name();
}

command_ptr command::open_dependency() const {
  const std::lock_guard lock(m_guard);
  command_ptr found;
  for (const dependency& d : m_dependencies) {
    const stage s = d.on->current_stage();
    if (s == stage::waiting || s == stage::ready) {
      return d.on;
    }
    if ((s == stage::running || s == stage::on_device) && !found) {
      found = d.on;
    }
  }
  return found;
}

command_ptr command::earlier_on_device() const noexcept {
  const std::lock_guard lock(m_guard);
  const auto found = std::find_if(m_device->before.begin(), m_device->before.end(),
                                  [](const dependency& d) { return !d.on->is_complete(); });
  return found == m_device->before.end() ? command_ptr() : found->on;
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
  for (const dependency& d : m_dependencies) {
    add(d.on, d.kind);
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
