// SPDX-License-Identifier: Apache-2.0
/// Errors of commands, delivered to a function of the program.
#pragma once

#include <lanefold/execution/detail/shared_part.hpp>
#include <lanefold/version.hpp>

#include <cstddef>
#include <exception>
#include <functional>
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
  using iterator = const value_type*;
  using const_iterator = iterator;

  exception_list() = default;
  explicit exception_list(std::vector<value_type> errors);

  [[nodiscard]] size_type size() const noexcept { return static_cast<size_type>(end() - begin()); }
  [[nodiscard]] iterator begin() const noexcept;
  [[nodiscard]] iterator end() const noexcept;

private:
  detail::shared_part<const std::vector<value_type>> m_errors; ///< null: none
};

/// Called by queue::wait_and_throw, queue::throw_asynchronous and event::wait_and_throw on the calling thread, when
/// there are undelivered errors [sycl.4.13.1.2].
using async_handler = std::function<void(exception_list)>;

LANEFOLD_END_NAMESPACE
