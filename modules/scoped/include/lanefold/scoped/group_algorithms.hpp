// SPDX-License-Identifier: Apache-2.0
/// The groups of scoped and hierarchical kernels as groups of the module group_algorithms.
///
/// Outside of the code of items: joint algorithms, and the algorithms over values where the values are private memory.
/// Inside: all algorithms, on the items that run together: `it.get_sub_group()`, or a scoped group with as many items
/// as run together by lanes (distribute_groups makes such groups). On larger groups they throw errc::kernel there.
#pragma once

#include <lanefold/group_algorithms/broadcast.hpp>
#include <lanefold/group_algorithms/joint_reduce.hpp>
#include <lanefold/group_algorithms/joint_scan.hpp>
#include <lanefold/group_algorithms/joint_votes.hpp>
#include <lanefold/group_algorithms/reduce.hpp>
#include <lanefold/group_algorithms/scan.hpp>
#include <lanefold/group_algorithms/votes.hpp>
#include <lanefold/scoped/memory_environment.hpp>
#include <lanefold/scoped/private_memory.hpp>
#include <lanefold/scoped/s_group.hpp>

LANEFOLD_BEGIN_NAMESPACE

template <class Scope>
struct is_group<s_group<Scope>> : std::true_type {};
template <int D, class Strategy, class Size>
struct is_group<work_group<D, Strategy, Size>> : std::true_type {};

namespace detail {

template <class Scope>
struct is_sub_group<s_group<Scope>> : std::bool_constant<Scope::kind != scope_kind::work_group> {};

[[noreturn]] LANEFOLD_COLD void throw_several_units(std::size_t items, std::size_t lanes);

/// Holds what scoped groups with and without lanes have in common.
template <class Scope>
struct scoped_group_access {
  using G = s_group<Scope>;
  using lanes = typename G::lanes;

  /// Returns whether all items of the group run together.
  LANEFOLD_ALWAYS_INLINE static bool is_one_unit(const G& g) {
    const auto size = g.get_logical_local_range();
    constexpr int D = Scope::dimensions;
    if constexpr (lanes::rows > 1) {
      return size[D - 1] == lanes::columns && size.size() <= lanes::size;
    } else {
      return size[D - 1] <= lanes::columns && size.size() == size[D - 1];
    }
  }
  LANEFOLD_ALWAYS_INLINE static void check_one_unit(const G& g) {
    if (!is_one_unit(g)) [[unlikely]] {
      throw_several_units(g.get_logical_local_linear_range(), lanes::size);
    }
  }
  /// Joint algorithms are called outside of the code of items, or by items that run together.
  LANEFOLD_ALWAYS_INLINE static void check_joint(const G& g) {
    if (g.frame().depth != Scope::depth) [[unlikely]] {
      check_one_unit(g);
    }
  }
};

template <class Scope>
struct group_access<s_group<Scope>> : scoped_group_access<Scope> {
  using G = s_group<Scope>;
  using lanes = typename G::lanes;

  /// Says which lanes are items. Made for each call: the context of the unit that runs belongs to its item.
  LANEFOLD_ALWAYS_INLINE static lane_context<lanes>* context(const G& g) {
    using mask_type = mask<lanes::size, typename lanes::isa>;
    scoped_group_access<Scope>::check_one_unit(g);
    const std::size_t items = g.get_logical_local_linear_range();
    const auto* const announced = announced_mask<lanes::size, typename lanes::isa>();
    static thread_local lane_context<lanes> result{mask_type::all_true(), true, false};
    assign(result.active, mask_type::first(items));
    result.all = items == lanes::size;
    result.divergent = announced != nullptr && announced->count() != items;
    return &result;
  }
  LANEFOLD_ALWAYS_INLINE static constexpr unsigned units(const G&) { return 1; }
  LANEFOLD_ALWAYS_INLINE static constexpr std::size_t first_item(const G&) { return 0; }
};

/// Items that run one at a time: a group of one.
template <class Scope>
  requires std::is_same_v<typename s_group<Scope>::lanes, scalar>
struct group_access<s_group<Scope>> : scoped_group_access<Scope> {
  using G = s_group<Scope>;
  static constexpr meeting_level level(const G&) { return meeting_of_sub_group; }

  static unit_state& state(const G& g) { return *g.frame().state; }
  static lane_context<scalar>* context(const G&) { return nullptr; }
  static unsigned units(const G&) { return 1; }
  static unsigned position(const G& g) {
    scoped_group_access<Scope>::check_one_unit(g);
    return 0;
  }
  static std::size_t first_item(const G&) { return 0; }
  static void barrier(const G&) {}
};

template <int D, class Strategy, class Size>
struct group_access<work_group<D, Strategy, Size>> : group_access<group<D>> {};

/// These check that `function` is called where private memory holds the values of a group: the Ts of its items, in
/// linear order.
template <class Scope>
LANEFOLD_ALWAYS_INLINE void check_values(const s_group<Scope>& g, const char* function) {
  check_scope(g.frame(), Scope::depth, function);
}
template <int D>
LANEFOLD_ALWAYS_INLINE void check_values(const group<D>& g, const char* function) {
  check_scope(state_of(g).frame, 0, function);
}

template <class G, class Memory>
inline constexpr bool holds_values = false;
template <class Scope, class T>
inline constexpr bool holds_values<s_group<Scope>, s_private_memory<T, s_group<Scope>>> = true;
template <int D, class T>
inline constexpr bool holds_values<group<D>, private_memory<T, D>> = true;
template <int D, class Strategy, class Size, class T>
inline constexpr bool holds_values<work_group<D, Strategy, Size>, private_memory<T, D>> = true;

/// A group, and private memory of its items.
template <class Memory, class G>
concept ValuesOf = holds_values<G, Memory>;

} // namespace detail

// The algorithms over values, where the values of all items lie in private memory. Called outside of the code of items,
// once for the group (errc::kernel otherwise). Cost: that of the joint algorithm over contiguous memory, no barrier.

/// The values of all items combined by `op`, in their linear order. Uniform. See reduce_over_group.
template <algorithm A = algorithm::automatic, Group G, detail::ValuesOf<G> Memory, class BinaryOperation>
auto reduce_over_group(const G& g, const Memory& values, BinaryOperation op) {
  detail::check_values(g, "reduce_over_group");
  return joint_reduce<A>(g, values.begin(), values.end(), op);
}
template <algorithm A = algorithm::automatic, Group G, detail::ValuesOf<G> Memory, class T, class BinaryOperation>
T reduce_over_group(const G& g, const Memory& values, T init, BinaryOperation op) {
  detail::check_values(g, "reduce_over_group");
  return joint_reduce<A>(g, values.begin(), values.end(), init, op);
}

/// The value of every item replaced by its scan, in linear order. See exclusive_scan_over_group.
template <algorithm A = algorithm::automatic, Group G, detail::ValuesOf<G> Memory, class BinaryOperation>
void exclusive_scan_over_group(const G& g, Memory& values, BinaryOperation op) {
  detail::check_values(g, "exclusive_scan_over_group");
  joint_exclusive_scan<A>(g, values.begin(), values.end(), values.begin(), op);
}
template <algorithm A = algorithm::automatic, Group G, detail::ValuesOf<G> Memory, class T, class BinaryOperation>
void exclusive_scan_over_group(const G& g, Memory& values, T init, BinaryOperation op) {
  detail::check_values(g, "exclusive_scan_over_group");
  joint_exclusive_scan<A>(g, values.begin(), values.end(), values.begin(), init, op);
}
/// Replaces the value of every item by its scan, its own value included. See inclusive_scan_over_group.
template <algorithm A = algorithm::automatic, Group G, detail::ValuesOf<G> Memory, class BinaryOperation>
void inclusive_scan_over_group(const G& g, Memory& values, BinaryOperation op) {
  detail::check_values(g, "inclusive_scan_over_group");
  joint_inclusive_scan<A>(g, values.begin(), values.end(), values.begin(), op);
}
template <algorithm A = algorithm::automatic, Group G, detail::ValuesOf<G> Memory, class BinaryOperation, class T>
void inclusive_scan_over_group(const G& g, Memory& values, BinaryOperation op, T init) {
  detail::check_values(g, "inclusive_scan_over_group");
  joint_inclusive_scan<A>(g, values.begin(), values.end(), values.begin(), op, init);
}

/// Return whether `predicate` holds for the value of any, of every, of no item. Uniform. See any_of_group.
template <Group G, detail::ValuesOf<G> Memory, class Predicate>
bool any_of_group(const G& g, const Memory& values, Predicate predicate) {
  detail::check_values(g, "any_of_group");
  return joint_any_of(g, values.begin(), values.end(), predicate);
}
template <Group G, detail::ValuesOf<G> Memory, class Predicate>
bool all_of_group(const G& g, const Memory& values, Predicate predicate) {
  detail::check_values(g, "all_of_group");
  return joint_all_of(g, values.begin(), values.end(), predicate);
}
template <Group G, detail::ValuesOf<G> Memory, class Predicate>
bool none_of_group(const G& g, const Memory& values, Predicate predicate) {
  detail::check_values(g, "none_of_group");
  return joint_none_of(g, values.begin(), values.end(), predicate);
}

/// The value of the item with local linear id 0, or with the given one. Uniform. See group_broadcast.
/// Errors: errc::invalid for an id that is not in the group.
template <Group G, detail::ValuesOf<G> Memory>
auto group_broadcast(const G& g, const Memory& values, typename G::linear_id_type local_linear_id) {
  detail::check_values(g, "group_broadcast");
  if (local_linear_id >= values.size()) [[unlikely]] {
    detail::throw_no_such_work_item("group_broadcast", local_linear_id, values.size());
  }
  return values.begin()[local_linear_id];
}
template <Group G, detail::ValuesOf<G> Memory>
auto group_broadcast(const G& g, const Memory& values) {
  return group_broadcast(g, values, typename G::linear_id_type(0));
}

LANEFOLD_END_NAMESPACE
