// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/specialization.hpp>

#include <mutex>
#include <unordered_set>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

/// The constants that kernels of the program read. Never destroyed.
struct constant_list {
  std::mutex guard;
  std::unordered_set<const void*> ids;
};
constant_list& all_constants() {
  static constant_list& list = *new constant_list();
  return list;
}

} // namespace

bool note_constant(const void* id) {
  constant_list& list = all_constants();
  const std::lock_guard lock(list.guard);
  list.ids.insert(id);
  return true;
}

bool is_read_by_kernels(const void* id) noexcept {
  constant_list& list = all_constants();
  const std::lock_guard lock(list.guard);
  return list.ids.contains(id);
}

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
