// SPDX-License-Identifier: Apache-2.0
/// Holds why a command failed.
#pragma once

#include <lanefold/execution/launch.hpp>

#include <atomic>
#include <exception>
#include <memory>
#include <string>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Why a command failed. The error is delivered once to the host; see queue.
class failure {
public:
  /// The failure of the command with this action (null: none): its own error or, if that is null, that of `cause`,
  /// because of which the command did not run. Where there is no memory for it, one of a few that are kept for that.
  static std::shared_ptr<failure> make(const launch* work, std::exception_ptr error,
                                       const std::shared_ptr<failure>& cause) noexcept;
  /// Makes those that are kept, once. Throws std::bad_alloc.
  static void prepare();

  failure(std::string kernel, std::exception_ptr error) : m_kernel(std::move(kernel)), m_error(std::move(error)) {}
  /// Describes a command that did not run because of `cause`.
  failure(std::string kernel, const std::shared_ptr<failure>& cause)
      : m_kernel(std::move(kernel)), m_root(cause->m_root ? cause->m_root : cause) {}

  /// The error; that of a command that did not run says so, and names the command that failed.
  [[nodiscard]] std::exception_ptr error() const;
  [[nodiscard]] const std::string& kernel() const noexcept { return m_kernel; }
  /// The failure because of which the command did not run, if so.
  [[nodiscard]] const std::shared_ptr<failure>& root() const noexcept { return m_root; }

  void set_delivered() noexcept { m_delivered.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool is_delivered() const noexcept { return m_delivered.load(std::memory_order_relaxed); }
  /// It, or the failure that caused it, was delivered.
  [[nodiscard]] bool is_known() const noexcept { return is_delivered() || (m_root && m_root->is_delivered()); }

private:
  class spares;

  std::string m_kernel;
  std::exception_ptr m_error;
  std::shared_ptr<failure> m_root;
  std::atomic<bool> m_delivered{false};
};

/// Returns what an exception says.
std::string message_of(const std::exception_ptr& error);

} // namespace detail
LANEFOLD_END_NAMESPACE
