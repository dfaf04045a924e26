// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/async_handler.hpp>

#include <memory>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE

exception_list::exception_list(std::vector<value_type> errors)
    : m_errors(std::make_shared<const std::vector<value_type>>(std::move(errors))) {}

exception_list::iterator exception_list::begin() const noexcept { return m_errors ? m_errors->data() : nullptr; }

exception_list::iterator exception_list::end() const noexcept {
  return m_errors ? m_errors->data() + m_errors->size() : nullptr;
}

LANEFOLD_END_NAMESPACE
