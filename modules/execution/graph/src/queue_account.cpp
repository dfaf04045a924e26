// SPDX-License-Identifier: Apache-2.0
#include "queue_account.hpp"

#include <lanefold/exception.hpp>

#include <algorithm>
#include <cstdio>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {

std::string message_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "an exception of unknown type";
  }
}

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
[[noreturn]] void throw_all(const std::vector<std::shared_ptr<failure>>& errors) {
  if (errors.size() == 1) {
    std::rethrow_exception(errors.front()->error());
  }
  constexpr std::size_t most_listed = 8;
  std::string text = std::to_string(errors.size()) + " commands failed:";
  for (std::size_t i = 0; i < std::min(errors.size(), most_listed); ++i) {
    text += "\n  " + message_of(errors[i]->error());
  }
  if (errors.size() > most_listed) {
    text += "\n  and " + std::to_string(errors.size() - most_listed) + " more";
  }
  throw exception(code_of(errors.front()->error()), text);
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

void queue_account::command_failed(const std::shared_ptr<failure>& error) {
  const std::lock_guard lock(m_guard);
  m_errors.push_back(error);
  m_has_errors.store(true, std::memory_order_release);
}

/// Undelivered errors, which count as delivered from now on. Commands that did not run because of one of them are left
/// out: its error stands for them.
std::vector<std::shared_ptr<failure>> queue_account::take_errors() {
  std::vector<std::shared_ptr<failure>> errors;
  if (m_has_errors.exchange(false, std::memory_order_acquire)) {
    const std::lock_guard lock(m_guard);
    errors.swap(m_errors);
  }
  std::vector<std::shared_ptr<failure>> taken;
  std::vector<const failure*> roots;
  for (const std::shared_ptr<failure>& e : errors) {
    if (!e->root() && !e->is_delivered()) {
      taken.push_back(e);
      roots.push_back(e.get());
    }
  }
  std::sort(roots.begin(), roots.end());
  for (const std::shared_ptr<failure>& e : errors) {
    if (e->root() && !e->is_delivered() && !std::binary_search(roots.begin(), roots.end(), e->root().get())) {
      taken.push_back(e);
    }
  }
  for (const std::shared_ptr<failure>& e : errors) {
    e->set_delivered();
  }
  return taken;
}

void queue_account::deliver_errors() {
  const std::vector<std::shared_ptr<failure>> errors = take_errors();
  if (errors.empty()) {
    return;
  }
  if (!has_handler()) {
    throw_all(errors);
  }
  std::vector<std::exception_ptr> list;
  list.reserve(errors.size());
  for (const std::shared_ptr<failure>& e : errors) {
    list.push_back(e->error());
  }
  m_handler(exception_list(std::move(list)));
}

void queue_account::throw_errors_without_handler() {
  if (!has_handler()) {
    deliver_errors();
  }
}

void queue_account::print_errors() noexcept {
  try {
    for (const std::shared_ptr<failure>& e : take_errors()) {
      std::fprintf(stderr, "lanefold: a queue is destroyed with an error that nobody has asked for: %s\n",
                   message_of(e->error()).c_str());
    }
  } catch (...) {
    std::fputs("lanefold: a queue is destroyed with errors that nobody has asked for\n", stderr);
  }
}

void queue_account::print_errors_at_end() noexcept {
  m_closed.store(true);
  if (!has_open_commands()) {
    print_errors();
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
