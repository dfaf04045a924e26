// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/shared_part.hpp>

#include <memory>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

shared_object::shared_object(std::shared_ptr<const void> held) noexcept : m_held(std::move(held)) {
  if (m_held == nullptr) {
    m_held.reset(); // the destructor asks for the address only
  }
}

shared_object& shared_object::operator=(shared_object&& other) noexcept {
  m_held = std::move(other.m_held);
  return *this;
}

void shared_object::reset() noexcept { m_held.reset(); }

long shared_object::use_count() const noexcept { return m_held.use_count(); }

void shared_object::assign(const shared_object& other) noexcept { m_held = other.m_held; }

} // namespace detail
LANEFOLD_END_NAMESPACE
