// SPDX-License-Identifier: Apache-2.0
#include <lanefold/memory/detail/kernel_binding.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

void kernel_binding::tell_outer() const noexcept {
  m_outer->has_bound_foreign_memory = m_outer->has_bound_foreign_memory || has_bound_foreign_memory;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
