// SPDX-License-Identifier: Apache-2.0
#include "access_table.hpp"

#if defined(LANEFOLD_CHECKED)

#include <bit>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

watched_element& access_table::slot_of(std::uintptr_t address, std::size_t bytes, std::uint64_t epoch) noexcept {
  const std::uintptr_t position = address >> std::countr_zero(bytes);
  const std::size_t blocks = m_elements.size() / block;
  const std::uint64_t mixed = (position / block) * 0x9E3779B97F4A7C15U;
  std::size_t at = (mixed >> 32) & (blocks - 1);
  std::size_t within = position ^ (mixed >> 26); // so that columns of an array are not all in one place of their blocks
  for (std::size_t tried = 0;; ++tried) {
    watched_element& candidate = m_elements[at * block + within % block];
    if (candidate.epoch != epoch || candidate.address == address) {
      return candidate;
    }
    at = (at + 1) & (blocks - 1);
    if (tried % blocks == blocks - 1) {
      ++within;
    }
  }
}

watched_element* access_table::find_or_add(const void* element, std::size_t bytes, std::uint64_t epoch, bool is_local) {
  const auto address = reinterpret_cast<std::uintptr_t>(element);
  if (epoch != m_epoch) {
    m_epoch = epoch;
    m_used = 0;
  }
  watched_element* found = &slot_of(address, bytes, epoch);
  if (found->epoch == epoch) {
    return found;
  }
  if (m_used >= m_elements.size() / 2) {
    if (m_elements.size() >= most && !is_local) {
      return nullptr;
    }
    grow();
    found = &slot_of(address, bytes, epoch);
  }
  *found = watched_element{};
  found->address = address;
  found->bytes = static_cast<std::uint32_t>(bytes);
  found->epoch = epoch;
  ++m_used;
  return found;
}

void access_table::grow() {
  std::vector<watched_element> old(m_elements.size() * 2);
  old.swap(m_elements);
  for (const watched_element& each : old) {
    if (each.epoch == m_epoch) {
      slot_of(each.address, each.bytes, m_epoch) = each;
    }
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE

#endif
