// SPDX-License-Identifier: Apache-2.0
#include <lanefold/memory/detail/kernel_binding.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

void kernel_binding::be_as_outer() noexcept {
  local_memory = m_outer->local_memory;
  note = m_outer->note;
  reductions = m_outer->reductions;
  arena = m_outer->arena;
  uniforms = m_outer->uniforms;
  command = m_outer->command;
}

void kernel_binding::tell_outer() const noexcept {
  m_outer->has_bound_foreign_memory = m_outer->has_bound_foreign_memory || has_bound_foreign_memory;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
