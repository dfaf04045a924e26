// SPDX-License-Identifier: Apache-2.0
#include "failure.hpp"

#include <lanefold/exception.hpp>

#include <array>
#include <atomic>
#include <mutex>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Failures for commands that fail when there is no memory to say so. One that nobody holds any more is used again.
class failure::spares {
public:
  spares() {
    for (std::shared_ptr<failure>& f : m_all) {
      f = std::make_shared<failure>("command", std::exception_ptr());
    }
  }
  static spares& get() {
    static spares& all = *new spares; // never destroyed
    return all;
  }
  std::shared_ptr<failure> take(std::exception_ptr error, const std::shared_ptr<failure>& cause) noexcept {
    const std::lock_guard lock(m_guard);
    for (const std::shared_ptr<failure>& f : m_all) {
      if (f.use_count() == 1) {
        std::atomic_thread_fence(std::memory_order_acquire); // behind those who have dropped theirs
        f->m_error = std::move(error);
        f->m_root = f->m_error ? nullptr : cause->m_root ? cause->m_root : cause;
        f->m_delivered.store(false);
        return f;
      }
    }
    return m_all.front(); // more errors without memory than anybody has asked for
  }

private:
  std::mutex m_guard;
  std::array<std::shared_ptr<failure>, 16> m_all;
};

void failure::prepare() { spares::get(); }

std::shared_ptr<failure> failure::make(const launch* work, std::exception_ptr error,
                                       const std::shared_ptr<failure>& cause) noexcept {
  try {
    std::string name = work != nullptr ? work->kernel_name() : "command group without an action";
    return error ? std::make_shared<failure>(std::move(name), error)
                 : std::make_shared<failure>(std::move(name), cause);
  } catch (const std::exception&) {
    return spares::get().take(std::move(error), cause);
  }
}

std::string message_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "an exception of unknown type";
  }
}

std::exception_ptr failure::error() const {
  if (!m_root) {
    return m_error;
  }
  std::error_code code = make_error_code(errc::kernel);
  std::string why;
  try {
    std::rethrow_exception(m_root->m_error);
  } catch (const exception& e) {
    code = e.code();
    why = e.what();
  } catch (const std::exception& e) {
    why = e.what();
  } catch (...) {
    why = "an exception of unknown type";
  }
  return std::make_exception_ptr(exception(
      code, "command '" + m_kernel + "' did not run, because a command that it depends on has failed: " + why));
}

} // namespace detail
LANEFOLD_END_NAMESPACE
