// SPDX-License-Identifier: Apache-2.0
#include "lane_counter.hpp"

#if defined(LANEFOLD_CHECKED)

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {

/// Returns whether some lanes of a row access neither one element nor neighbours.
bool lie_apart(const lane_access* first, std::size_t count, std::size_t columns, std::size_t bytes) {
  bool one_element = true;
  bool neighbours = true;
  for (std::size_t k = 1; k < count && (one_element || neighbours); ++k) {
    const lane_access& before = first[k - 1];
    const lane_access& here = first[k];
    if (before.lane / columns == here.lane / columns) {
      const auto distance = static_cast<const std::byte*>(here.element) - static_cast<const std::byte*>(before.element);
      one_element = one_element && distance == 0;
      neighbours = neighbours && distance == static_cast<std::ptrdiff_t>((here.lane - before.lane) * bytes);
    }
  }
  return !one_element && !neighbours;
}

} // namespace

lane_counter::lane_counter(lane_counts* into) noexcept : m_into(into) {
  if (m_into != nullptr) {
    current() = this;
  }
}

lane_counter::~lane_counter() {
  if (m_into != nullptr) {
    use_load();
    current() = nullptr;
  }
}

void lane_counter::lanes(const lane_access* first, std::size_t count, std::size_t columns, std::size_t bytes,
                         element_use kind) {
  if (m_load != nullptr && count != 0 && first->element == m_load &&
      (kind == element_use::write || kind == element_use::made_atomic)) {
    m_load = nullptr; // only the address was wanted
  }
  use_load();
  if (kind == element_use::made_atomic || kind == element_use::atomic || !lie_apart(first, count, columns, bytes)) {
    return;
  }
  if (kind == element_use::load) {
    m_load = first->element;
  } else {
    (kind == element_use::write ? m_into->scatters : m_into->gathers).fetch_add(1, std::memory_order_relaxed);
  }
}

void lane_counter::use_load() {
  if (m_load != nullptr) {
    m_into->gathers.fetch_add(1, std::memory_order_relaxed);
    m_load = nullptr;
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE

#endif
