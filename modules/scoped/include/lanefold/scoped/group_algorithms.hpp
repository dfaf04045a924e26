// SPDX-License-Identifier: Apache-2.0
/// The groups of scoped and hierarchical kernels as groups of the module group_algorithms.
///
/// Outside of the code of items: joint algorithms, and the algorithms over values where the values are private memory.
/// These are called once for the group, and cost what the joint algorithm over contiguous memory does, without barrier.
/// Inside: all algorithms over values, on the items that run together: `it.get_sub_group()`, or a scoped group with as
/// many items as run together by lanes (distribute_groups makes such groups). On larger groups they throw errc::kernel
/// there.
#pragma once

#include <lanefold/group_algorithms/broadcast.hpp>
#include <lanefold/group_algorithms/group_traits.hpp>
#include <lanefold/group_algorithms/joint_for.hpp>
#include <lanefold/group_algorithms/load_store.hpp>
#include <lanefold/group_algorithms/reduce.hpp>
#include <lanefold/group_algorithms/scan.hpp>
#include <lanefold/group_algorithms/sort.hpp>
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
  LANEFOLD_ALWAYS_INLINE static void check_outside_of_items(const G& g, const char* function) {
    check_scope(g.frame(), Scope::depth, function);
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
  /// Not a lane index: that would need the lanes of the item.
  LANEFOLD_ALWAYS_INLINE static auto item_position(const G& g) {
    scoped_group_access<Scope>::check_one_unit(g);
    return varying_of<std::uint32_t, lanes>::iota(0);
  }
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
  static std::size_t item_position(const G& g) { return position(g); }
  static void barrier(const G&) {}
};

template <int D, class Strategy, class Size>
struct group_access<work_group<D, Strategy, Size>> : group_access<group<D>> {};

/// Private memory of a scoped group, or of a hierarchical kernel's, which speaks outside of the code of items.
template <class Scope, class T>
struct values_in_memory<s_group<Scope>, s_private_memory<T, s_group<Scope>>> : std::true_type {
  LANEFOLD_ALWAYS_INLINE static void check(const s_group<Scope>& g, const char* function) {
    check_scope(g.frame(), Scope::depth, function);
  }
};
template <int D, class T>
struct values_in_memory<group<D>, private_memory<T, D>> : std::true_type {
  LANEFOLD_ALWAYS_INLINE static void check(const group<D>& g, const char* function) {
    check_scope(state_of(g).frame, 0, function);
  }
};
template <int D, class Strategy, class Size, class T>
struct values_in_memory<work_group<D, Strategy, Size>, private_memory<T, D>>
    : values_in_memory<group<D>, private_memory<T, D>> {};

} // namespace detail
LANEFOLD_END_NAMESPACE
