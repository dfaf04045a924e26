// SPDX-License-Identifier: Apache-2.0
#include "shared_reads.hpp"

#if defined(LANEFOLD_CHECKED)

#include <algorithm>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

void shared_reads::begin_launch(const std::byte* local_memory, std::size_t bytes) {
  m_memory = local_memory;
  m_bytes = std::min(bytes, most_bytes);
  const std::size_t entries = (m_bytes + grain - 1) / grain;
  if (m_entries.size() < entries) {
    m_entries.resize(entries);
  }
  drop_references();
}

void shared_reads::add(const void* base, const std::byte* element, std::size_t bytes, std::uint64_t epoch,
                       std::uint32_t readers) noexcept {
  if (entry* const known = find(element); known != nullptr && bytes <= sizeof(known->value)) {
    *known = {key_of(epoch, bytes), value_of(element, bytes), base, readers};
  }
}

/// A unit that reads an element in a loop gets many references to it, of which one is enough.
void shared_reads::make_room() {
  reference* const first = m_references.data();
  std::sort(first, m_given, [](const reference& a, const reference& b) { return a.entry < b.entry; });
  m_given = std::unique(first, m_given, [](const reference& a, const reference& b) { return a.entry == b.entry; });
  const auto given = static_cast<std::size_t>(m_given - first);
  if (given >= m_references.size() / 2) {
    m_references.resize(std::max(least, 2 * m_references.size()));
  }
  m_given = m_references.data() + given;
  m_last = m_references.data() + m_references.size();
}

} // namespace detail
LANEFOLD_END_NAMESPACE

#endif
