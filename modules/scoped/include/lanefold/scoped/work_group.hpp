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

/// The state of a running work-group. Its `units` are 1 outside of parallel_for_work_item, where the group is as good as
/// one unit, and the items of the group inside.
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

  template <class Lanes>
  LANEFOLD_ALWAYS_INLINE auto operator()(const id<D>& physical, lane_context<Lanes>* context) const {
    return h_item<D, Lanes>(*all, block + physical, physical, context);
  }
};

/// Runs the items of a logical range that is larger or smaller than the physical one: block by block, so that no two
/// items that run together are the same physical item.
template <class Runner, int D, class F>
LANEFOLD_ALWAYS_INLINE void run_logical(const work_items<D>& all, F& f) {
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

/// parallel_for_work_item under a strategy: for all physical items, or for a logical range.
template <class Strategy, int D, class F>
LANEFOLD_ALWAYS_INLINE void run_work_items(const group<D>& g, const range<D>* asked, F& f) {
  using runner = item_runner<Strategy, range<D>, h_item, F>;
  work_group_state& state = state_of(g);
  check_scope(state.frame, 0, "parallel_for_work_item");
  const range<D> logical = asked == nullptr ? g.get_local_range() : *asked;
  const range<D> physical = asked != nullptr && !state.sized ? *asked : g.get_local_range();
  work_items<D> all{g.get_group_range() * physical, physical, logical, id<D>(g.get_group_id() * id<D>(physical)), &state};
  if (explanation* const to = *state.frame.explaining) [[unlikely]] {
    if (level_note* const note = to->first_visit(&call_site<Strategy, F>::id)) {
      *note = {note->call, 0, D, false, {}, {}, 0, 0, false};
      for (int d = 0; d < D; ++d) {
        note->whole[d] = logical[d];
      }
      runner::explain(*note);
    }
  }
  const entered_scope inside(state.frame, in_items);
  state.units = static_cast<unsigned>(physical.size());
  if (logical == physical) [[likely]] {
    runner::run(physical, work_item_maker<D>{&all, id<D>()}, f);
  } else {
    run_logical<runner>(all, f);
  }
  state.units = 1;
}

/// What a strategy of its own needs: see work_group.
template <class Strategy, int D, class... Arguments>
LANEFOLD_ALWAYS_INLINE void run_work_items_of(const group<D>& g, Arguments&... arguments) {
  static_assert(sizeof...(Arguments) == 1 || sizeof...(Arguments) == 2,
                "lanefold: parallel_for_work_item takes a logical range (or none) and a callable");
  if constexpr (sizeof...(Arguments) == 1) {
    run_work_items<Strategy, D>(g, nullptr, arguments...);
  } else {
    [&](const auto& asked, auto& f) LANEFOLD_INLINE_LAMBDA {
      static_assert(std::is_convertible_v<decltype(asked), range<D>>,
                    "lanefold: the logical range of parallel_for_work_item has as many dimensions as the group");
      const range<D> logical = asked;
      run_work_items<Strategy, D>(g, &logical, f);
    }(arguments...);
  }
}

/// group::parallel_for_work_item.
template <int D>
struct work_item_loop<group<D>> {
  template <class... Arguments>
  LANEFOLD_ALWAYS_INLINE static void run(const group<D>& g, Arguments&... arguments) {
    run_work_items_of<automatic_strategy>(g, arguments...);
  }
};

} // namespace detail

/// The work-group that a hierarchical kernel with a strategy of its own gets: SYCL's group, whose items run by
/// `Strategy`. Kernels take it as `auto`.
template <int D, class Strategy>
class work_group : public group<D> {
public:
  using group<D>::group;

  /// See group::parallel_for_work_item.
  template <class... Arguments>
  LANEFOLD_ALWAYS_INLINE void parallel_for_work_item(Arguments&&... arguments) const {
    detail::run_work_items_of<Strategy, D>(*this, arguments...);
  }
};

LANEFOLD_END_NAMESPACE
