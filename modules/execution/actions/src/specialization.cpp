// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/specialization.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

void specialization_values::set(const void* id, std::shared_ptr<const void> value) {
  for (entry& e : m_entries) {
    if (e.id == id) {
      e.value = std::move(value);
      return;
    }
  }
  m_entries.push_back({id, std::move(value)});
}

void specialization_values::set_all(const specialization_values& from) {
  for (const entry& e : from.m_entries) {
    set(e.id, e.value);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
