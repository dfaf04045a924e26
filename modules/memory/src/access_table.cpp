// SPDX-License-Identifier: Apache-2.0
#include "access_table.hpp"

#if defined(LANEFOLD_CHECKED)

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

watched_element& access_table::slot_of(std::uintptr_t address, int log_bytes, std::uint64_t epoch) noexcept {
  const std::size_t slots = size();
  std::size_t at = first_slot(address, log_bytes);
  for (std::size_t tried = 1;; ++tried) {
    watched_element& candidate = m_elements[at];
    if (candidate.epoch != epoch || candidate.address == address) {
      return candidate;
    }
    at = (at + block) & (slots - 1);
    if (tried % (slots / block) == 0) {
      at ^= 1 + tried / (slots / block) % (block - 1);
    }
  }
}

watched_element* access_table::find_or_add_slowly(std::uintptr_t address, std::size_t bytes, std::uint64_t epoch,
                                                  bool is_local) {
  if (epoch != m_epoch) {
    m_epoch = epoch;
    m_used = 0;
  }
  const int log_bytes = std::countr_zero(bytes);
  watched_element* found = &slot_of(address, log_bytes, epoch);
  if (found->epoch == epoch) {
    return found;
  }
  if (m_used >= size() / 2) {
    if (size() >= most && !is_local) {
      return nullptr;
    }
    grow();
    found = &slot_of(address, log_bytes, epoch);
  }
  return &add(*found, address, bytes);
}

void access_table::grow() {
  std::vector<watched_element> old(m_elements.size() * 2);
  old.swap(m_elements);
  m_last_slot = m_elements.size() - 1;
  for (const watched_element& each : old) {
    if (each.epoch == m_epoch) {
      slot_of(each.address, each.log_bytes, m_epoch) = each;
    }
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE

#endif
