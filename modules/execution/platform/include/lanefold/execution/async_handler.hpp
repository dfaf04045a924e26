// SPDX-License-Identifier: Apache-2.0
/// Errors of commands, delivered to a function of the program.
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE

/// The errors of commands that an async_handler gets, in the order in which the commands failed [sycl.4.13.2].
/// Each is rethrown with std::rethrow_exception.
class exception_list {
public:
  using value_type = std::exception_ptr;
  using reference = value_type&;
  using const_reference = const value_type&;
  using size_type = std::size_t;
  using iterator = std::vector<value_type>::const_iterator;
  using const_iterator = iterator;

  exception_list() = default;
  explicit exception_list(std::vector<value_type> errors) noexcept : m_errors(std::move(errors)) {}

  [[nodiscard]] size_type size() const noexcept { return m_errors.size(); }
  [[nodiscard]] iterator begin() const noexcept { return m_errors.begin(); }
  [[nodiscard]] iterator end() const noexcept { return m_errors.end(); }

private:
  std::vector<value_type> m_errors;
};

/// Called by queue::wait_and_throw, queue::throw_asynchronous and event::wait_and_throw on the calling thread, when
/// there are undelivered errors [sycl.4.13.1.2].
using async_handler = std::function<void(exception_list)>;

LANEFOLD_END_NAMESPACE
