// SPDX-License-Identifier: Apache-2.0
#include <lanefold/memory/detail/own_memory.hpp>

#if defined(LANEFOLD_CHECKED)

#include <algorithm>
#include <cstdint>
#include <iterator>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

void own_memory::add(const void* data, std::size_t bytes) {
  auto begin = reinterpret_cast<std::uintptr_t>(data);
  std::uintptr_t end = begin + bytes;
  auto next = m_parts.upper_bound(begin);
  if (next != m_parts.begin() && begin <= std::prev(next)->second) {
    --next;
    begin = next->first;
  }
  while (next != m_parts.end() && next->first <= end) { // one part of those that overlap
    end = std::max(end, next->second);
    next = m_parts.erase(next);
  }
  m_parts.emplace_hint(next, begin, end);
}

bool own_memory::find(const void* element) const noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(element);
  const auto next = m_parts.upper_bound(address);
  return next != m_parts.begin() && address < std::prev(next)->second;
}

} // namespace detail
LANEFOLD_END_NAMESPACE

#endif
