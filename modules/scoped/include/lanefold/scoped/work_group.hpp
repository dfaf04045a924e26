// SPDX-License-Identifier: Apache-2.0
/// The work-group of a hierarchical kernel.
#pragma once

#include <lanefold/execution/group.hpp>
#include <lanefold/scoped/detail/item_loop.hpp>
#include <lanefold/scoped/detail/scope_frame.hpp>
#include <lanefold/scoped/h_item.hpp>

#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The place of a hierarchical kernel's group says so by this, which no sub-group size is.
inline constexpr unsigned hierarchical_mark = 0;

/// The state of a running work-group. Its `units` are 1 outside of parallel_for_work_item, where the group is as good
/// as one unit, and the items of the group inside.
struct work_group_state : unit_state {
  scope_frame frame;
  bool sized; ///< the launch gave a work-group size
};

[[noreturn]] LANEFOLD_COLD void throw_not_hierarchical();

template <int D>
LANEFOLD_ALWAYS_INLINE work_group_state& state_of(const group<D>& g) {
  if (g.place().sub_group_size != hierarchical_mark) [[unlikely]] {
    throw_not_hierarchical();
  }
  return static_cast<work_group_state&>(*g.place().state);
}

/// The items of one physical block of a logical range: they have the block's first item in common.
template <int D>
struct work_item_maker {
  const work_items<D>* all;
  id<D> block;
  std::size_t group = 0; ///< of the group, in the last dimension

  template <class Lanes>
  LANEFOLD_ALWAYS_INLINE auto operator()(const id<D>& physical, lane_context<Lanes>* context) const {
    return h_item<D, Lanes>(*all, block + physical, physical, context);
  }
  /// The item whose global id in the last dimension is counted.
  LANEFOLD_ALWAYS_INLINE auto operator()(const id<D>& physical, counted_id last) const {
    return h_item<D>(*all, block + physical, physical, nullptr, last);
  }
  /// The ids of a row of the group from `x` on.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE row_ids ids_from(std::size_t x) const {
    return {group, all->physical[D - 1], x};
  }
  // The race detector asks for the local linear id of the physical item, and for what lies between two rows of items.
  [[nodiscard]] std::size_t number(const id<D>& physical) const { return linear_id(physical, all->physical); }
  [[nodiscard]] std::size_t pitch() const { return all->physical[D - 1]; }
};

/// Runs the items of a logical range that is larger or smaller than the physical one: block by block, so that no two
/// items that run together are the same physical item.
template <class Runner, int D, class F>
LANEFOLD_ALWAYS_INLINE void run_logical(const work_items<D>& all, F& f) {
  if (all.logical.size() == 0) { // where the launch gave no size, the physical range is empty, too
    return;
  }
  range<D> blocks;
  for (int d = 0; d < D; ++d) {
    blocks[d] = (all.logical[d] + all.physical[d] - 1) / all.physical[d];
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    id<D> block;
    range<D> size;
    std::size_t rest = i;
    for (int d = D - 1; d >= 0; --d) {
      block[d] = rest % blocks[d] * all.physical[d];
      size[d] = std::min(all.physical[d], all.logical[d] - block[d]);
      rest /= blocks[d];
    }
    Runner::run(size, work_item_maker<D>{&all, block}, f);
  }
}

/// Returns whether every extent of `a` is at most that of `b`.
template <int D>
LANEFOLD_ALWAYS_INLINE constexpr bool fits_into(const range<D>& a, const range<D>& b) {
  for (int d = 0; d < D; ++d) {
    if (a[d] > b[d]) {
      return false;
    }
  }
  return true;
}

template <class Logical, class Size>
constexpr bool fits_statically() {
  if constexpr (is_static_range_v<Logical> && is_static_range_v<Size>) {
    return fits_into(Logical::value, Size::value);
  } else {
    return false;
  }
}

/// Returns whether the ids of all items fit in int, if groups have so many.
template <int D>
LANEFOLD_ALWAYS_INLINE constexpr bool items_fit_in_int(const range<D>& groups, const range<D>& items) {
  for (int d = 0; d < D; ++d) {
    if (groups[d] > most_int_base || items[d] > most_int_base || groups[d] * items[d] > most_int_base) {
      return false;
    }
  }
  return true;
}

/// parallel_for_work_item for `logical` items: a range<D> or a static_range. `Size` is the type of the group's size.
template <class Strategy, class Size, class Logical, int D, class F>
LANEFOLD_ALWAYS_INLINE void run_work_items(const group<D>& g, const Size& size, const Logical& logical, F& f) {
  using runner = item_runner<Strategy, Logical, h_item, F>;
  work_group_state& state = state_of(g);
  check_scope(state.frame, 0, "parallel_for_work_item");
  const range<D> physical = state.sized ? range<D>(size) : range<D>(logical);
  // Lanes count their items otherwise.
  constexpr bool counts_in_int = std::is_same_v<Strategy, automatic_strategy<true>>;
  const bool int_ids = counts_in_int && items_fit_in_int<D>(g.get_group_range(), physical);
  const work_items<D> all{
      g.get_group_range() * physical, physical, logical, id<D>(g.get_group_id() * id<D>(physical)), &state, int_ids};
  if (explanation* const to = *state.frame.explaining) [[unlikely]] {
    if (level_note* const note = to->first_visit(&call_site<Strategy, Logical, F>::id)) {
      *note = {note->call, 0, D, is_static_range_v<Logical>, {}, {}, 0, 0, false};
      for (int d = 0; d < D; ++d) {
        note->whole[d] = logical[d];
      }
      runner::explain(*note);
    }
  }
  const entered_scope inside(state.frame, in_items);
  meet_watched_group();
  state.units = static_cast<unsigned>(physical.size());
  constexpr bool known = is_static_range_v<Size> && is_static_range_v<Logical>; // then the launch gave the size
  if constexpr (counts_in_int) {
    if (int_ids && fits_into<D>(logical, physical)) [[likely]] {
      assume_int_ids(g.get_group_id(D - 1), physical[D - 1]);
      runner::template run<int>(logical, work_item_maker<D>{&all, id<D>(), g.get_group_id(D - 1)}, f);
    } else {
      run_logical<item_runner<Strategy, range<D>, h_item, F>>(all, f);
    }
  } else if constexpr (known && fits_statically<Logical, Size>()) {
    runner::run(logical, work_item_maker<D>{&all, id<D>()}, f);
  } else if (!known && fits_into<D>(logical, physical)) [[likely]] {
    runner::run(logical, work_item_maker<D>{&all, id<D>()}, f);
  } else {
    run_logical<item_runner<Strategy, range<D>, h_item, F>>(all, f);
  }
  state.units = 1;
  meet_watched_group();
}

/// The arguments of parallel_for_work_item: a callable, or a logical range and a callable.
template <class Strategy, class Size, int D, class F>
LANEFOLD_ALWAYS_INLINE void run_work_items_of(const group<D>& g, const Size& size, F& f) {
  run_work_items<Strategy, Size, Size>(g, size, size, f);
}
template <class Strategy, class Size, int D, class Logical, class F>
LANEFOLD_ALWAYS_INLINE void run_work_items_of(const group<D>& g, const Size& size, Logical& logical, F& f) {
  if constexpr (is_static_range_v<std::remove_const_t<Logical>>) {
    static_assert(Logical::dimensions == D,
                  "lanefold: the logical range of parallel_for_work_item has as many dimensions "
                  "as the group");
    run_work_items<Strategy, Size, std::remove_const_t<Logical>>(g, size, logical, f);
  } else {
    static_assert(std::is_convertible_v<Logical, range<D>>,
                  "lanefold: the logical range of parallel_for_work_item has as many dimensions as the group");
    run_work_items<Strategy, Size, range<D>>(g, size, range<D>(logical), f);
  }
}

/// group::parallel_for_work_item.
template <int D>
struct work_item_loop<group<D>> {
  template <unsigned PlainSize, class... Arguments>
  LANEFOLD_ALWAYS_INLINE static void run(const group<D>& g, Arguments&... arguments) {
    static_assert(sizeof...(Arguments) == 1 || sizeof...(Arguments) == 2,
                  "lanefold: parallel_for_work_item takes a logical range (or none) and a callable");
    run_work_items_of<automatic_strategy<PlainSize != 0>>(g, g.get_local_range(), arguments...);
  }
};

} // namespace detail

/// The work-group that a hierarchical kernel gets that takes it as `auto`: SYCL's group, whose items run by `Strategy`,
/// and whose size may be known at compile time (`Size` is then a static_range).
template <int D, class Strategy, class Size = range<D>>
class work_group : public group<D> {
public:
  using strategy = Strategy;

  using group<D>::group;

  /// See group::parallel_for_work_item.
  template <class... Arguments>
  LANEFOLD_ALWAYS_INLINE void parallel_for_work_item(Arguments&&... arguments) const {
    static_assert(sizeof...(Arguments) == 1 || sizeof...(Arguments) == 2,
                  "lanefold: parallel_for_work_item takes a logical range (or none) and a callable");
    if constexpr (detail::is_static_range_v<Size>) {
      detail::run_work_items_of<Strategy>(*this, Size(), arguments...);
    } else {
      detail::run_work_items_of<Strategy>(*this, this->get_local_range(), arguments...);
    }
  }
};

LANEFOLD_END_NAMESPACE
