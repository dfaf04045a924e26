// SPDX-License-Identifier: Apache-2.0
/// Declares how the race detector keeps elements of local memory cheap that many work-items read. Checked builds only.
#pragma once

#include <lanefold/memory/detail/watched_groups.hpp>

#if defined(LANEFOLD_CHECKED)

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Up to 8 bytes as a number. No call, which would make its caller save registers.
LANEFOLD_ALWAYS_INLINE std::uint64_t value_of(const std::byte* element, std::size_t bytes) noexcept {
  if (bytes == 4) { // by way of 8 bytes in memory it would wait for the store
    std::uint32_t value = 0;
    std::memcpy(&value, element, sizeof(value));
    return value;
  }
  std::uint64_t value = 0;
  if (bytes == 8) {
    std::memcpy(&value, element, sizeof(value));
    return value;
  }
  for (std::size_t i = 0; i < bytes; ++i) {
    value |= std::to_integer<std::uint64_t>(element[i]) << 8 * i;
  }
  return value;
}

/// Elements of local memory that have been read so often in an interval that one more reader tells nothing: whoever
/// writes there races with one of those who are known. What is left to be found is whether a unit has written, so the
/// detector need not look such an element up, and compares it when the unit meets others.
class shared_reads {
public:
  static constexpr std::uint32_t everybody = ~std::uint32_t{0};

  /// The groups that follow have their local memory here.
  void begin_launch(const std::byte* local_memory, std::size_t bytes);

  /// The readers of an element are known well enough for `readers`: everybody, or one sub-group in one sub-interval.
  void add(const void* base, const std::byte* element, std::size_t bytes, std::uint64_t epoch,
           std::uint32_t readers) noexcept;
  /// The element is no longer only read.
  void forget(const std::byte* element) noexcept {
    if (entry* const known = find(element)) {
      known->key = 0;
    }
  }

  /// Returns true if one more of `readers` tells nothing; the unit that runs has got a reference then.
  LANEFOLD_ALWAYS_INLINE bool refer(const void* element, std::size_t bytes, std::uint64_t epoch, std::uint32_t readers,
                                    const void* code) {
    const entry* const known = find(static_cast<const std::byte*>(element));
    if (!is_shared(known, bytes, epoch, readers) || m_given == m_last ||
        known->value != value_of(static_cast<const std::byte*>(element), bytes)) {
      return false;
    }
    *m_given++ = {static_cast<std::uint32_t>(known - m_entries.data()), code};
    return true;
  }
  /// Makes room for one more reference.
  void reserve() {
    if (m_given == m_last) {
      make_room();
    }
  }
  /// Returns true if one more of `readers`, who only read, tells nothing.
  [[nodiscard]] bool is_read(const std::byte* element, std::size_t bytes, std::uint64_t epoch, std::uint32_t readers) {
    return is_shared(find(element), bytes, epoch, readers);
  }
  /// The last reference was for an atomic operation. Returns false if it was another element's.
  bool take_back(const void* element) noexcept {
    const entry* const known = find(static_cast<const std::byte*>(element));
    if (known == nullptr || m_given == m_references.data() ||
        m_given[-1].entry != static_cast<std::uint32_t>(known - m_entries.data())) {
      return false;
    }
    --m_given;
    return true;
  }

  /// Calls `changed(base, element, bytes, code)` for what the unit has changed, and forgets its references.
  template <class Changed>
  LANEFOLD_ALWAYS_INLINE void settle(const Changed& changed) {
    const reference* const end = m_given;
    m_given = m_references.data();
    for (const reference* each = m_given; each != end; ++each) {
      const entry& known = m_entries.data()[each->entry];
      const std::byte* const element = m_memory + each->entry * grain;
      const std::size_t bytes = known.key % key_bytes;
      if (value_of(element, bytes) != known.value && bytes != 0) { // 0: no longer shared
        changed(known.base, element, bytes, each->code);
      }
    }
  }
  void drop_references() noexcept { m_given = m_references.data(); }

private:
  static constexpr std::uint64_t key_bytes = 16;
  static constexpr std::size_t least = 1024;
  static constexpr std::size_t grain = 4; ///< bytes of local memory for which there is an entry
  static constexpr std::size_t most_bytes = std::size_t{1} << 18;

  struct entry {
    std::uint64_t key = 0; ///< the interval in which it is shared, and its bytes; 0 if it is not
    std::uint64_t value = 0;
    const void* base = nullptr;
    std::uint64_t readers = 0;
  };
  struct reference {
    std::uint32_t entry;
    const void* code;
  };

  [[nodiscard]] static constexpr std::uint64_t key_of(std::uint64_t epoch, std::size_t bytes) noexcept {
    return epoch * key_bytes + bytes;
  }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE entry* find(const std::byte* element) noexcept {
    const auto offset = reinterpret_cast<std::uintptr_t>(element) - reinterpret_cast<std::uintptr_t>(m_memory);
    return offset < m_bytes && offset % grain == 0 ? m_entries.data() + offset / grain : nullptr;
  }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE static bool is_shared(const entry* known, std::size_t bytes, std::uint64_t epoch,
                                                             std::uint32_t readers) noexcept {
    return known != nullptr && known->key == key_of(epoch, bytes) &&
           (known->readers == everybody || known->readers == readers);
  }
  void make_room();

  const std::byte* m_memory = nullptr;
  std::size_t m_bytes = 0; ///< that m_entries stands for
  std::vector<entry> m_entries;
  std::vector<reference> m_references;
  reference* m_given = nullptr; ///< behind the last one
  reference* m_last = nullptr;  ///< the end of m_references
};

} // namespace detail
LANEFOLD_END_NAMESPACE

#endif
