// SPDX-License-Identifier: Apache-2.0
/// Declares what the race detector remembers of elements. Checked builds only.
#pragma once

#include <lanefold/memory/detail/watched_groups.hpp>

#if defined(LANEFOLD_CHECKED)

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// One element, in one interval between two barriers of a group. The first cache line is enough for most.
struct alignas(32) watched_element {
  std::uintptr_t address = 0;
  std::uint64_t epoch = 0;     ///< the interval for which the rest holds
  std::uint64_t stamp = 0;     ///< of the unit that has a reference, at `reference` of its list
  std::uint32_t reference = 0; ///< where that is in the detector's list
  std::uint8_t log_bytes = 0;
  bool only_read = true;
  bool read_by_two_sub_groups = false; ///< then one of them is not that of whoever writes
  bool atomic_writes = false;
  accessing_party reader;
  accessing_party writer;
  accessing_party other_reader;
  accessing_party atomic;
};

/// A hash table of elements that forgets all of them when the epoch changes. Neighbours lie side by side.
/// (What is inline here is so because this is code for a shared library, where other functions are not.)
class access_table {
public:
  access_table() : m_elements(least), m_last_slot(least - 1) {}

  /// Null if there is no room for one more; local memory always has some.
  inline watched_element* find_or_add(const void* element, std::size_t bytes, std::uint64_t epoch, bool is_local) {
    const auto address = reinterpret_cast<std::uintptr_t>(element);
    watched_element& first = m_elements.data()[first_slot(address, std::countr_zero(bytes))];
    if (first.epoch != epoch && epoch == m_epoch && m_used < size() / 2) {
      return &add(first, address, bytes);
    }
    return first.epoch == epoch && first.address == address ? &first
                                                            : find_or_add_slowly(address, bytes, epoch, is_local);
  }
  /// Changes when elements move.
  [[nodiscard]] std::size_t size() const noexcept { return m_last_slot + 1; }

private:
  static constexpr std::size_t least = 4096;                ///< which a second-level cache holds
  static constexpr std::size_t most = std::size_t{1} << 19; ///< global memory beyond half of that is not watched
  static constexpr std::size_t block = 64;                  ///< neighbours that stay together

  [[nodiscard]] inline std::size_t first_slot(std::uintptr_t address, int log_bytes) const noexcept {
    const std::uintptr_t position = address >> log_bytes;
    const std::uint64_t mixed = (position / block) * 0x9E3779B97F4A7C15U;
    // Columns of an array are not all in one place of their blocks.
    return ((mixed >> 32) * block + (position ^ (mixed >> 26)) % block) & m_last_slot;
  }

  LANEFOLD_ALWAYS_INLINE watched_element& add(watched_element& to, std::uintptr_t address, std::size_t bytes) {
    to = watched_element{};
    to.address = address;
    to.log_bytes = static_cast<std::uint8_t>(std::countr_zero(bytes));
    to.epoch = m_epoch;
    ++m_used;
    return to;
  }
  watched_element* find_or_add_slowly(std::uintptr_t address, std::size_t bytes, std::uint64_t epoch, bool is_local);
  watched_element& slot_of(std::uintptr_t address, int log_bytes, std::uint64_t epoch) noexcept;
  void grow();

  std::vector<watched_element> m_elements;
  std::size_t m_last_slot; ///< their number less one
  std::uint64_t m_epoch = 0;
  std::size_t m_used = 0;
};

} // namespace detail
LANEFOLD_END_NAMESPACE

#endif
