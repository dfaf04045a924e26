// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/specialization.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

/// The constants that kernels of the program read. Never destroyed.
struct constant_list {
  std::mutex guard;
  std::vector<constant_key> ids;
};
constant_list& all_constants() {
  static constant_list& list = *new constant_list();
  return list;
}

} // namespace

bool constant_key::has_name(const char* other) const noexcept { return std::strcmp(name, other) == 0; }

const char* name_of_copies(const char* type) noexcept {
  // The name as the Itanium C++ ABI has it: the constant is what begins with L_Z, N stands before its namespaces, their
  // names stand behind their lengths, and I before the arguments of a template.
  const char* at = std::strstr(type, "L_Z");
  if (at == nullptr || std::strstr(type, "_GLOBAL__N_") != nullptr) {
    return nullptr;
  }
  at += 3;
  at += *at == 'N';
  while ('0' < *at && *at <= '9') {
    char* name = nullptr;
    const std::size_t length = std::strtoul(at, &name, 10);
    at = name + length;
  }
  return *at == 'I' ? type : nullptr;
}

bool note_constant(const constant_key& id) {
  constant_list& list = all_constants();
  const std::lock_guard lock(list.guard);
  list.ids.push_back(id);
  return true;
}

bool is_read_by_kernels(const constant_key& id) noexcept {
  constant_list& list = all_constants();
  const std::lock_guard lock(list.guard);
  return std::find(list.ids.begin(), list.ids.end(), id) != list.ids.end();
}

bool are_constants_read_by_kernels() noexcept {
  constant_list& list = all_constants();
  const std::lock_guard lock(list.guard);
  return !list.ids.empty();
}

struct specialization_values::contents {
  std::vector<entry> entries;
  std::vector<std::shared_ptr<const void>> values; // of the entries
};

specialization_values::specialization_values(const specialization_values& other) { set_all(other); }

void specialization_values::set(const constant_key& id, std::shared_ptr<const void> value) {
  if (!m_contents) {
    m_contents = std::make_shared<contents>();
  }
  auto& [entries, values] = *m_contents;
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const entry& e) { return e.id == id; });
  if (found != entries.end()) {
    found->value = value.get();
    values[static_cast<std::size_t>(found - entries.begin())] = std::move(value);
    return;
  }
  entries.reserve(entries.size() + 1); // then nothing throws between the two
  m_first = entries.data();
  m_end = m_first + entries.size();
  values.push_back(std::move(value));
  entries.push_back({id, values.back().get()});
  ++m_end;
}

void specialization_values::set_all(const specialization_values& from) {
  for (const entry* e = from.m_first; e != from.m_end; ++e) {
    set(e->id, from.m_contents->values[static_cast<std::size_t>(e - from.m_first)]);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
