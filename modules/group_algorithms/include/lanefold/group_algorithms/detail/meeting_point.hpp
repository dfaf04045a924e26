// SPDX-License-Identifier: Apache-2.0
/// Lets the units of a group meet in an algorithm: each leaves something as it arrives, the last one completes it, all
/// wait at one barrier and read the result.
#pragma once

#include <lanefold/execution/group.hpp>
#include <lanefold/execution/sub_group.hpp>
#include <lanefold/group_algorithms/group_concepts.hpp>

#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

[[noreturn]] LANEFOLD_COLD void throw_divergent_call();
[[noreturn]] LANEFOLD_COLD void throw_different_calls(unsigned units, unsigned arrived);
[[noreturn]] LANEFOLD_COLD void throw_no_such_work_item(const char* function, std::size_t asked, std::size_t size);

/// An address for each algorithm, element type and operator: by it units see that they came for the same.
template <class... Key>
struct meeting_key {
  static constexpr char id = 0;
};

/// Says how a kind of group meets: the only thing that algorithms and `group_traits` know of it. A specialisation has
/// - `context(g)`: the lanes of the calling unit, null in work-item kernels;
/// - `first_item(g)`: the position of the calling unit's first work-item in the group;
/// - `units(g)`; and if they may be several: `level(g)`, `state(g)`, `position(g)` of the calling unit, `barrier(g)`;
/// - `item_position(g)` and `items(g)` where they are not the group's local linear id and range;
/// - `parts` and what `chunked_partition.hpp` has for it, if groups lie side by side in the registers of a unit.
template <class G>
struct group_access;

template <int D, class Lanes>
struct group_access<group<D, Lanes>> {
  using G = group<D, Lanes>;
  LANEFOLD_ALWAYS_INLINE static constexpr meeting_level level(const G&) { return meeting_of_group; }
  LANEFOLD_ALWAYS_INLINE static unit_state& state(const G& g) { return *g.place().state; }
  LANEFOLD_ALWAYS_INLINE static lane_context<Lanes>* context(const G& g) { return g.place().context(); }
  /// Units of the group; they arrive in this order.
  LANEFOLD_ALWAYS_INLINE static unsigned units(const G& g) { return g.place().alone ? 1 : state(g).units; }
  LANEFOLD_ALWAYS_INLINE static unsigned position(const G& g) { return state(g).unit; }
  /// Position of the calling unit's first work-item in the linear order of the group.
  LANEFOLD_ALWAYS_INLINE static std::size_t first_item(const G& g) {
    return g.place().linear_uniform(g.place().local, g.get_local_range());
  }
  /// A hierarchical kernel outside of the code of its items is one unit.
  LANEFOLD_ALWAYS_INLINE static std::size_t items(const G& g) {
    return std::is_same_v<Lanes, scalar> ? units(g) : g.get_local_linear_range();
  }
  LANEFOLD_ALWAYS_INLINE static void barrier(const G& g) { barrier_at(g.place()); }
};

template <>
struct group_access<sub_group> {
  using G = sub_group;
  static constexpr meeting_level level(const G&) { return meeting_of_sub_group; }
  static unit_state& state(const G& g) { return g.state(); }
  static lane_context<scalar>* context(const G&) { return nullptr; }
  static unsigned units(const G& g) { return g.get_local_linear_range(); }
  static unsigned position(const G& g) { return g.state().unit - g.first_unit(); }
  static std::size_t first_item(const G& g) { return position(g); }
  static void barrier(const G& g) { group_barrier(g); }
};

template <class Lanes>
struct group_access<sub_group_of<Lanes>> {
  using G = sub_group_of<Lanes>;
  LANEFOLD_ALWAYS_INLINE static lane_context<Lanes>* context(const G& g) { return g.context(); }
  LANEFOLD_ALWAYS_INLINE static constexpr unsigned units(const G&) { return 1; }
  LANEFOLD_ALWAYS_INLINE static constexpr std::size_t first_item(const G&) { return 0; }
};

/// Is true if the units of a G may be several.
template <class G>
inline constexpr bool can_meet = requires(const G& g) { group_access<G>::level(g); };

/// Is true if the lanes of a unit are several groups of type G, side by side: what is uniform in a group is varying.
template <class G>
inline constexpr bool in_parts = requires { group_access<G>::parts; };

/// One unit's way through one algorithm.
template <class G>
class meeting_point {
  using access = group_access<G>;

public:
  /// The calling unit arrives. `Key` says for what; all units must come for the same.
  template <class... Key>
  LANEFOLD_ALWAYS_INLINE static meeting_point arrive(const G& g) {
    const unsigned position = access::position(g);
    meeting_place& place = access::state(g).owner->meetings[access::level(g)];
    meeting_slot& slot = place.slots[place.current];
    if (position == 0) {
      slot.what = &meeting_key<Key...>::id;
    } else if (slot.what != &meeting_key<Key...>::id || slot.arrived != position) [[unlikely]] {
      throw_different_calls(access::units(g), position == slot.arrived ? position : slot.arrived);
    }
    slot.arrived = position + 1;
    return meeting_point(g, place, slot, position, access::units(g));
  }

  [[nodiscard]] LANEFOLD_ALWAYS_INLINE bool first() const { return m_position == 0; }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE bool last() const { return m_position + 1 == m_units; }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE unsigned position() const { return m_position; }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE unsigned units() const { return m_units; }

  /// Memory that all units see; each asks for the same number of bytes.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE std::byte* bytes(std::size_t count) const { return m_slot->data(count); }
  template <class T>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE T* data(std::size_t count = 1) const {
    static_assert(alignof(T) <= 64, "lanefold: values of group algorithms are aligned to 64 bytes at most");
    return reinterpret_cast<T*>(bytes(count * sizeof(T)));
  }

  /// Returns when all units have arrived. The content of the memory stays readable until this unit arrives for its next
  /// algorithm on the group.
  LANEFOLD_ALWAYS_INLINE void wait() const {
    if (last()) {
      m_place->current ^= 1;
    }
    access::barrier(*m_group);
    if (m_slot->arrived != m_units) [[unlikely]] {
      throw_different_calls(m_units, m_slot->arrived);
    }
  }

private:
  LANEFOLD_ALWAYS_INLINE meeting_point(const G& g, meeting_place& place, meeting_slot& slot, unsigned position,
                                       unsigned units)
      : m_group(&g), m_place(&place), m_slot(&slot), m_position(position), m_units(units) {}

  const G* m_group;
  meeting_place* m_place;
  meeting_slot* m_slot;
  unsigned m_position, m_units;
};

/// Group functions are called by all work-items of a group: not in divergent code.
template <class G>
LANEFOLD_ALWAYS_INLINE void check_converged(const G& g) {
  if constexpr (has_lanes_v<G>) {
    if (group_access<G>::context(g)->divergent) [[unlikely]] {
      throw_divergent_call();
    }
  }
  begin_watched_function();
}

/// Returns whether the calling unit is the whole group: nobody to wait for. (Of parts of a sub-group side by side, each
/// waits for all of them.)
template <class G>
LANEFOLD_ALWAYS_INLINE bool alone(const G& g) {
  if constexpr (requires { group_access<G>::side_by_side; }) {
    return false;
  } else {
    return group_access<G>::units(g) == 1;
  }
}

/// Waits for all units of the group.
template <class G>
LANEFOLD_ALWAYS_INLINE void meet(const G& g) {
  if constexpr (can_meet<G>) {
    group_access<G>::barrier(g);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
