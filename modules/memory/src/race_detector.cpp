// SPDX-License-Identifier: Apache-2.0
#include <lanefold/memory/detail/race_detector.hpp>

#if defined(LANEFOLD_CHECKED)

#include "access_table.hpp"
#include "race_message.hpp"
#include "shared_reads.hpp"

#include <lanefold/detail/object_of_thread.hpp>
#include <lanefold/memory/detail/launch_accesses.hpp>
#include <lanefold/memory/usm.hpp>

#include <algorithm>
#include <cstring>

#if defined(__SANITIZE_ADDRESS__)
#define LANEFOLD_DETAIL_FAKE_STACK 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LANEFOLD_DETAIL_FAKE_STACK 1
#endif
#endif
#if defined(LANEFOLD_DETAIL_FAKE_STACK)
#include <sanitizer/asan_interface.h>
#endif

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

/// A fresh group finds this in local memory.
constexpr std::byte poison{0xA5};

/// Arrays that close above the frame that runs are private to the work-item, and may be gone when it comes to a
/// barrier.
constexpr std::uintptr_t private_stack_bytes = std::uintptr_t{1} << 20;

bool is_on_stack(const void* element) noexcept {
#if defined(LANEFOLD_DETAIL_FAKE_STACK) // AddressSanitizer keeps variables elsewhere
  if (void* const fake = __asan_get_current_fake_stack()) {
    if (__asan_addr_is_in_fake_stack(fake, const_cast<void*>(element), nullptr, nullptr) != nullptr) {
      return true;
    }
  }
#endif
  return reinterpret_cast<std::uintptr_t>(element) - reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) <
         private_stack_bytes;
}

/// Is true if no barrier lies between two accesses of a group in one interval.
bool unordered(const accessing_party& a, const accessing_party& b) noexcept {
  if (a.item == accessing_party::nobody || b.item == accessing_party::nobody) {
    return false;
  }
  if (a.item == b.item) {
    return false;
  }
  if (a.sub_group != b.sub_group) {
    return true;
  }
  return a.sub_interval == b.sub_interval && a.sub_interval != accessing_party::ordered && a.for_lanes == 0 &&
         b.for_lanes == 0; // what is uniform is one access of the sub-group
}

/// Stands for a sub-group between two of its barriers; never 0.
std::uint32_t readers(const accessing_party& of) noexcept {
  return (std::uint32_t{of.sub_group} << accessing_party::sub_interval_bits | of.sub_interval) + 1;
}

} // namespace

inline bool race_detector::is_watched(const void* element) const noexcept {
  return is_local(element) ||
         (m_groups.level != race_check::local && !is_on_stack(element) && !m_own.contains(element));
}

/// A view that a kernel has made of what is neither local memory nor USM may be one of the work-item's own heap memory.
/// Nobody can read that when it is freed, and the next work-item may get the same block: it is not watched.
void race_detector::made_view(const void* data, std::size_t bytes) {
  if (bytes == 0 || is_local(data) || is_on_stack(data) || usm_kind(data, 0) != usm::alloc::unknown) {
    return;
  }
  m_own.add(data, bytes);
}

race_detector::race_detector()
    : m_table(std::make_unique<access_table>()), m_shared(std::make_unique<shared_reads>()) {}
race_detector::~race_detector() = default;

race_detector& race_detector::of_thread() { return object_of_thread<race_detector>::get(); }

race_detector* race_detector::of_launch() noexcept {
  race_detector& mine = of_thread();
  return mine.m_has_launch ? &mine : nullptr;
}

void race_detector::begin_launch(const watched_groups& groups) {
  m_has_launch = true;
  m_groups = groups;
  m_shared->begin_launch(groups.local_memory, groups.local_bytes);
  begin_group(0);
}

void race_detector::end_launch() noexcept {
  current() = nullptr;
  m_has_launch = false;
  m_given = 0;
  m_shared->drop_references();
  m_values.clear();
  m_load.clear();
}

void race_detector::begin_group(std::size_t number) {
  m_group = number;
  m_first_epoch = m_last_epoch + 1;
  m_own.clear();
  m_initialised.assign(m_groups.local_bytes, 0);
  next_interval(0);
}

void race_detector::next_interval(std::uint32_t interval) noexcept {
  m_interval = interval;
  m_epoch = m_first_epoch + interval;
  m_last_epoch = std::max(m_last_epoch, m_epoch);
}

void race_detector::begin_unit(const watched_unit& unit) {
  m_unit = unit;
  m_sub_interval = 0;
  next_interval(0);
  set_party();
  current() = this;
}

/// Orders what the unit that runs does from now on behind what it did before.
void race_detector::set_party() noexcept {
  ++m_stamp;
  m_party.sub_group = m_unit.sub_group & ((1U << (31 - accessing_party::sub_interval_bits)) - 1);
  m_party.sub_interval = m_sub_interval;
  m_readers = readers(m_party);
}

void race_detector::end_unit() {
  settle();
  current() = nullptr;
}

race_detector::moment race_detector::leave() {
  settle();
  return {m_unit, m_interval, m_sub_interval};
}

void race_detector::enter(const moment& before, barrier_reach reach) noexcept {
  current() = this;
  m_unit = before.unit;
  next_interval(before.interval + (reach == barrier_reach::group));
  if (reach == barrier_reach::group) {
    m_sub_interval = 0;
  } else if (reach == barrier_reach::part_of_sub_group) {
    m_sub_interval = accessing_party::ordered;
  } else {
    m_sub_interval = std::min(before.sub_interval + 1, accessing_party::ordered);
  }
  set_party();
}

void race_detector::meet_as_group() noexcept {
  m_first_epoch = m_last_epoch + 1;
  next_interval(0);
}

void race_detector::meet_as_unit() {
  settle();
  if (m_unit.lanes > 1) {
    m_sub_interval = std::min(m_sub_interval + 1, accessing_party::ordered);
  }
  set_party();
}

LANEFOLD_ALWAYS_INLINE void race_detector::refer(const void* base, const void* element, std::size_t bytes,
                                                 std::uint32_t item, bool for_all_lanes, element_use kind,
                                                 const void* code) {
  const std::size_t table_size = m_table->size();
  watched_element* const known = m_table->find_or_add(element, bytes, m_epoch, is_local(element));
  if (m_table->size() != table_size) {
    find_again();
  }
  if (known == nullptr) {
    return;
  }
  const bool atomic = kind == element_use::atomic;
  if (known->stamp != m_stamp) {
    if (kind == element_use::made_atomic) {
      return;
    }
    known->stamp = m_stamp;
    known->reference = static_cast<std::uint32_t>(m_given);
    if (m_given == m_references.size()) {
      m_references.resize(2 * m_given + 64);
    }
    reference& next = m_references[m_given++]; // member by member: what is written in parts and copied as a whole waits
    const auto* const first = static_cast<const std::byte*>(element);
    next.known = known;
    next.base = base;
    next.element = first;
    next.code = code;
    next.bytes = static_cast<std::uint32_t>(bytes);
    next.item = item;
    next.uses = atomic ? 0 : 1;
    next.for_all_lanes = for_all_lanes;
    next.atomic = atomic;
    next.part = kind == element_use::reference_part;
    if (bytes <= sizeof(next.value)) {
      next.value = value_of(first, bytes);
    } else {
      next.value = m_values.size();
      m_values.insert(m_values.end(), first, first + bytes);
    }
    return;
  }
  reference& given = m_references[known->reference];
  if (kind == element_use::made_atomic) {
    given.uses -= given.uses != 0;
  } else if (atomic) {
    given.atomic = true;
  } else {
    ++given.uses;
  }
}

void race_detector::element(const void* base, const void* element, std::size_t bytes, element_use kind) {
  const void* const code = __builtin_return_address(0);
  if (!m_load.empty() || kind > element_use::reference || !m_shared->refer(element, bytes, m_epoch, m_readers, code)) {
    look_up(base, element, bytes, kind, code);
  }
}

/// Stands apart: the usual case above saves no registers.
__attribute__((noinline)) void race_detector::look_up(const void* base, const void* element, std::size_t bytes,
                                                      element_use kind, const void* code) {
  use_load();
  m_shared->reserve();
  if (is_watched(element) && (kind != element_use::made_atomic || !m_shared->take_back(element))) {
    refer(base, element, bytes, m_unit.first, m_unit.lanes > 1, kind, code);
  }
}

/// The table has grown: its elements lie elsewhere.
void race_detector::find_again() {
  for (std::size_t i = 0; i < m_given; ++i) {
    reference& given = m_references[i];
    given.known = m_table->find_or_add(given.element, given.bytes, m_epoch, is_local(given.element));
  }
}

void race_detector::lanes(const void* base, const lane_access* first, std::size_t count, std::size_t bytes,
                          element_use kind, const void* code) {
  const bool again = count != 0 && m_load.size() == count && m_load[0].element == first->element;
  if (again && (kind == element_use::write || kind == element_use::made_atomic)) {
    m_load.clear(); // only the address was wanted
  }
  use_load();
  if (count == 0 || !is_watched(first->element) || kind == element_use::made_atomic) {
    return;
  }
  if (kind == element_use::load) {
    m_load.assign(first, first + count);
    m_load_base = base;
    m_load_bytes = bytes;
    m_load_code = code;
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t item = item_of(first[i].lane);
    if (kind == element_use::atomic) {
      refer(base, first[i].element, bytes, item, false, kind, code);
    } else {
      note({base, static_cast<const std::byte*>(first[i].element), bytes, kind == element_use::write, false},
           party(item, false, code));
    }
  }
}

/// The load of lanes that was waiting for what becomes of it is one.
void race_detector::note_load() {
  for (const lane_access& each : m_load) {
    note({m_load_base, static_cast<const std::byte*>(each.element), m_load_bytes, false, false},
         party(item_of(each.lane), false, m_load_code));
  }
  m_load.clear();
}

/// Finds out what the unit did with the references that it has been given.
void race_detector::settle() {
  use_load();
  m_shared->settle([this](const void* base, const std::byte* element, std::size_t bytes, const void* code) {
    note({base, element, bytes, true, false}, party(m_unit.first, m_unit.lanes > 1, code));
  });
  for (std::size_t i = 0; i < m_given; ++i) {
    settle(m_references[i]);
  }
  m_given = 0;
  m_values.clear();
}

inline void race_detector::settle(const reference& given) {
  const bool is_small = given.bytes <= sizeof(given.value);
  const std::byte* const before =
      is_small ? reinterpret_cast<const std::byte*>(&given.value) : m_values.data() + given.value;
  const bool changed = is_small ? value_of(given.element, given.bytes) != given.value
                                : std::memcmp(before, given.element, given.bytes) != 0;
  if (!changed && given.known->read_by_two_sub_groups && given.known->only_read && !given.atomic) {
    return; // as many before
  }
  const accessing_party who = party(given.item, given.for_all_lanes, given.code);
  if (given.part) {
    for (std::uint32_t i = 0; changed && i < given.bytes; ++i) {
      if (before[i] != given.element[i]) {
        note({given.base, given.element + i, 1, true, false}, who);
      }
    }
    return;
  }
  if (given.uses != 0) {
    note(given.known, {given.base, given.element, given.bytes, changed && !given.atomic, false}, who);
  }
  if (given.atomic) {
    note(given.known, {given.base, given.element, given.bytes, changed, true}, who);
  }
}

inline void race_detector::note(const access& what, const accessing_party& who) {
  if (!what.writes && !what.atomic && m_shared->is_read(what.element, what.bytes, m_epoch, readers(who))) {
    return;
  }
  const std::size_t table_size = m_table->size();
  watched_element* const known = m_table->find_or_add(what.element, what.bytes, m_epoch, is_local(what.element));
  if (m_table->size() != table_size) {
    find_again();
  }
  note(known, what, who);
}

namespace {

inline void note_reader(watched_element& known, const accessing_party& who) noexcept {
  if (known.reader.item == accessing_party::nobody || known.reader.item == who.item) {
    known.reader = who;
  } else {
    known.other_reader = who;
    known.read_by_two_sub_groups = known.reader.sub_group != who.sub_group;
  }
}

/// Returns whose further reads tell nothing: everybody's if two sub-groups have read, those of a sub-group in a
/// sub-interval if two of its work-items have; 0 for nobody.
std::uint32_t readers_known(const watched_element& known) noexcept {
  if (known.read_by_two_sub_groups) {
    return shared_reads::everybody;
  }
  return unordered(known.reader, known.other_reader) ? readers(known.reader) : 0;
}

} // namespace

inline void race_detector::note(watched_element* known, const access& what, const accessing_party& who) {
  if (is_local(what.element)) {
    if (what.writes) {
      mark_initialised(what);
    } else if (*what.element == poison) {
      check_initialised(what, who);
    }
  } else if (m_groups.launch != nullptr) {
    const launch_accesses::found other = m_groups.launch->note(
        what.element, m_groups.items_are_groups ? who.item : m_group, what.writes, what.atomic, who.code);
    if (other.race) {
      throw_race_of_groups(m_groups, {what.base, what.element, what.bytes}, other, who, {what.writes, what.atomic});
    }
  }
  if (known == nullptr || m_groups.items_are_groups) {
    return;
  }
  if (what.writes || what.atomic || !known->only_read) {
    note_in_group(*known, what, who);
  } else if (!known->read_by_two_sub_groups) {
    note_reader(*known, who);
    if (const std::uint32_t enough = readers_known(*known); enough != 0 && is_local(what.element)) {
      m_shared->add(what.base, what.element, what.bytes, m_epoch, enough);
    }
  }
}

void race_detector::note_in_group(watched_element& known, const access& what, const accessing_party& who) {
  const accessed_as as{what.writes, what.atomic};
  const auto check = [&](const accessing_party& other, accessed_as other_as) {
    if (unordered(other, who)) {
      throw_race(m_groups, {what.base, what.element, what.bytes}, other, other_as, who, as);
    }
  };
  check(known.writer, {true, false});
  if (!what.atomic && (what.writes || known.atomic_writes)) {
    check(known.atomic, {known.atomic_writes, true});
  }
  if (what.writes) {
    check(known.reader, {false, false});
    check(known.other_reader, {false, false});
  }
  if (known.only_read && (what.atomic || what.writes)) {
    m_shared->forget(what.element);
  }
  if (what.atomic) {
    known.atomic = who;
    known.atomic_writes = known.atomic_writes || what.writes;
    known.only_read = false;
  } else if (what.writes) {
    known.writer = who;
    known.only_read = false;
  } else {
    note_reader(known, who);
  }
}

void race_detector::mark_initialised(const access& what) {
  const auto begin = static_cast<std::size_t>(what.element - m_groups.local_memory);
  std::memset(m_initialised.data() + begin, 1, std::min(what.bytes, m_groups.local_bytes - begin));
}

/// Local memory is filled with a pattern when a group starts.
void race_detector::check_initialised(const access& what, const accessing_party& who) {
  const auto begin = static_cast<std::size_t>(what.element - m_groups.local_memory);
  if (m_initialised[begin] == 0 &&
      std::all_of(what.element, what.element + what.bytes, [](std::byte each) { return each == poison; })) {
    throw_uninitialised(m_groups, {what.base, what.element, what.bytes}, who);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE

#endif
