// SPDX-License-Identifier: Apache-2.0
#include "queue_account.hpp"

#include <lanefold/exception.hpp>

#include <algorithm>
#include <cstdio>
#include <new>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {

std::error_code code_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const exception& e) {
    return e.code();
  } catch (...) {
    return errc::kernel;
  }
}

/// The error itself if it is one, else an exception that lists them.
[[noreturn]] void throw_all(const std::vector<std::exception_ptr>& errors) {
  if (errors.size() == 1) {
    std::rethrow_exception(errors.front());
  }
  constexpr std::size_t most_listed = 8;
  try {
    std::string text = std::to_string(errors.size()) + " commands failed:";
    for (std::size_t i = 0; i < std::min(errors.size(), most_listed); ++i) {
      text += "\n  " + message_of(errors[i]);
    }
    if (errors.size() > most_listed) {
      text += "\n  and " + std::to_string(errors.size() - most_listed) + " more";
    }
    throw exception(code_of(errors.front()), text);
  } catch (const std::bad_alloc&) {
    std::rethrow_exception(errors.front());
  }
}

} // namespace

void queue_account::wake_sleepers() noexcept {
  m_signal.fetch_add(1);
  m_signal.notify_all();
}

void queue_account::command_complete() noexcept {
  if (m_pending.fetch_sub(1) != 1) {
    return;
  }
  if (has_sleepers()) {
    wake_sleepers();
  }
  if (m_closed.load()) {
    print_errors();
  }
}

// ---- errors

void queue_account::command_failed(const std::shared_ptr<failure>& error) noexcept {
  const std::lock_guard lock(m_guard);
  try {
    m_errors.push_back(error);
    m_has_errors.store(true, std::memory_order_release);
  } catch (const std::bad_alloc&) { // its event has it, and others are listed
    error->set_delivered();
  }
}

/// Undelivered errors, which count as delivered from now on. Commands that did not run because of one of them are left
/// out: its error stands for them. Throws std::bad_alloc; they are still undelivered then.
std::vector<std::exception_ptr> queue_account::take_errors() {
  std::vector<std::exception_ptr> taken;
  if (!m_has_errors.load(std::memory_order_acquire)) {
    return taken;
  }
  const std::lock_guard lock(m_guard);
  std::vector<const failure*> roots;
  for (const std::shared_ptr<failure>& e : m_errors) {
    if (!e->root() && !e->is_delivered()) {
      taken.push_back(e->error());
      roots.push_back(e.get());
    }
  }
  std::sort(roots.begin(), roots.end());
  for (const std::shared_ptr<failure>& e : m_errors) {
    if (e->root() && !e->is_delivered() && !std::binary_search(roots.begin(), roots.end(), e->root().get())) {
      taken.push_back(e->error());
    }
  }
  for (const std::shared_ptr<failure>& e : m_errors) {
    e->set_delivered();
  }
  m_errors.clear();
  m_has_errors.store(false, std::memory_order_release);
  return taken;
}

void queue_account::deliver_errors() {
  std::vector<std::exception_ptr> errors = take_errors();
  if (errors.empty()) {
    return;
  }
  if (!has_handler()) {
    throw_all(errors);
  }
  m_handler(exception_list(std::move(errors)));
}

void queue_account::throw_errors_without_handler() {
  if (m_has_errors.load(std::memory_order_acquire) && !has_handler()) {
    deliver_errors();
  }
}

void queue_account::print_errors() noexcept {
  try {
    for (const std::exception_ptr& e : take_errors()) {
      std::fprintf(stderr, "lanefold: a queue is destroyed with an error that nobody has asked for: %s\n",
                   message_of(e).c_str());
    }
  } catch (...) {
    std::fputs("lanefold: a queue is destroyed with errors that nobody has asked for\n", stderr);
  }
}

void queue_account::report_errors_at_end() noexcept {
  if (has_handler()) { // not for what fails later: what the handler refers to may be gone by then
    try {
      deliver_errors();
    } catch (...) {
      std::fprintf(stderr, "lanefold: the async handler of a queue that is destroyed has thrown: %s\n",
                   message_of(std::current_exception()).c_str());
    }
  }
  m_closed.store(true);
  if (!has_open_commands()) {
    print_errors();
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
