// SPDX-License-Identifier: Apache-2.0
/// Checked builds: finds work-items of a group that access an element without a barrier between them. Internal.
///
/// A thread runs the units of a group in turns, from barrier to barrier: what an element holds when a unit comes to a
/// barrier, and what it held when the unit got a reference to it, says whether the unit wrote. So plain references can
/// be watched, and one that stores what was there counts as a read. What lanes do is known when they do it.
/// [docs/decisions/027-races-by-value.md]
#pragma once

#include <lanefold/detail/access_watch.hpp>
#include <lanefold/detail/checked_build.hpp>
#include <lanefold/version.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Whom a barrier orders.
enum class barrier_reach : unsigned char {
  group,
  sub_group,
  part_of_sub_group ///< a chunk: the rest of its sub-group counts as ordered, too
};

} // namespace detail
LANEFOLD_END_NAMESPACE

#if defined(LANEFOLD_CHECKED)

#include <lanefold/memory/detail/own_memory.hpp>
#include <lanefold/memory/detail/watched_groups.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class access_table;
class shared_reads;
struct watched_element;

/// One for each thread that runs kernels.
class race_detector final : public access_watch {
public:
  race_detector();
  ~race_detector();

  static race_detector& of_thread();
  /// That of the thread if it watches the launch that runs, else null.
  static race_detector* of_launch() noexcept;
  /// That of the thread if it watches a unit, else null.
  [[nodiscard]] static race_detector* watching() noexcept { return static_cast<race_detector*>(current()); }

  void begin_launch(const watched_groups& groups);
  void end_launch() noexcept;
  /// The thread goes on to another group. `number` is that of the group in the launch.
  void begin_group(std::size_t number);
  void begin_unit(const watched_unit& unit);
  /// Errors of this and all that follow: errc::kernel for a race, and for uninitialised local memory that is read.
  void end_unit();

  /// Says where a unit stands among the barriers of its group.
  struct moment {
    watched_unit unit;
    std::uint32_t interval;
    std::uint32_t sub_interval;
  };
  /// The unit that runs comes to a barrier, and goes on behind it.
  [[nodiscard]] moment leave();
  void enter(const moment& before, barrier_reach reach) noexcept;
  /// All units of the group have met, where they run in turns without barriers of their own.
  void meet_as_group() noexcept;
  /// The unit that runs begins a group function, which orders the lanes of a unit.
  void meet_as_unit();

  void element(const void* base, const void* element, std::size_t bytes, element_use kind) override;
  void lanes(const void* base, const lane_access* first, std::size_t count, std::size_t bytes, element_use kind,
             const void* code) override;
  void made_view(const void* data, std::size_t bytes) override;

private:
  /// An element of which a reference was given away.
  struct reference {
    watched_element* known; ///< where the table has it
    const void* base;
    const std::byte* element;
    const void* code;
    std::uint64_t value; ///< what it held, or where m_values has that if it has more than 8 bytes
    std::uint32_t bytes;
    std::uint32_t item;
    std::uint32_t uses; ///< that are not by atomic operations
    bool for_all_lanes;
    bool atomic;
    bool part;
  };
  struct access {
    const void* base;
    const std::byte* element;
    std::size_t bytes;
    bool writes;
    bool atomic;
  };

  [[nodiscard]] inline bool is_local(const void* element) const noexcept {
    return reinterpret_cast<std::uintptr_t>(element) - reinterpret_cast<std::uintptr_t>(m_groups.local_memory) <
           m_groups.local_bytes;
  }
  [[nodiscard]] inline bool is_watched(const void* element) const noexcept;
  [[nodiscard]] inline std::uint32_t item_of(unsigned lane) const noexcept {
    return m_unit.first + lane / m_unit.columns * m_unit.pitch + lane % m_unit.columns;
  }
  [[nodiscard]] inline accessing_party party(std::uint32_t item, bool for_all_lanes, const void* code) const noexcept {
    accessing_party who = m_party;
    who.item = item;
    who.for_lanes = for_all_lanes;
    who.code = code;
    return who;
  }
  void set_party() noexcept;
  inline void refer(const void* base, const void* element, std::size_t bytes, std::uint32_t item, bool for_all_lanes,
                    element_use kind, const void* code);
  void look_up(const void* base, const void* element, std::size_t bytes, element_use kind, const void* code);
  inline void use_load() {
    if (!m_load.empty()) {
      note_load();
    }
  }
  void note_load();
  void settle();
  inline void settle(const reference& given);
  inline void note(const access& what, const accessing_party& who);
  inline void note(watched_element* known, const access& what, const accessing_party& who);
  void note_in_group(watched_element& known, const access& what, const accessing_party& who);
  void find_again();
  void check_initialised(const access& what, const accessing_party& who);
  void mark_initialised(const access& what);
  void next_interval(std::uint32_t interval) noexcept;

  bool m_has_launch = false;
  watched_groups m_groups;
  watched_unit m_unit;
  std::size_t m_group = 0;
  std::uint32_t m_interval = 0;     ///< group barriers that the unit that runs has passed
  std::uint32_t m_sub_interval = 0; ///< sub-group barriers
  accessing_party m_party;          ///< the unit that runs
  std::uint32_t m_readers = 0;      ///< its sub-group, between two barriers of that
  std::uint64_t m_first_epoch = 1;  ///< of the group
  std::uint64_t m_epoch = 1;        ///< of the interval
  std::uint64_t m_last_epoch = 1;   ///< an interval of a group has a number of its own, for ever
  std::uint64_t m_stamp = 1;        ///< and so has what a unit does from one barrier to the next
  std::unique_ptr<access_table> m_table;
  std::unique_ptr<shared_reads> m_shared;
  std::vector<reference> m_references;
  std::size_t m_given = 0; ///< of m_references, since the unit that runs has met others
  std::vector<std::byte> m_values;
  own_memory m_own;
  std::vector<unsigned char> m_initialised; ///< 1 for bytes of local memory that somebody has written
  std::vector<lane_access> m_load;          ///< what lanes have loaded last
  const void* m_load_base = nullptr;
  std::size_t m_load_bytes = 0;
  const void* m_load_code = nullptr;
};

} // namespace detail
LANEFOLD_END_NAMESPACE

#endif
