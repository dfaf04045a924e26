// SPDX-License-Identifier: Apache-2.0
/// Declares what scoped kernels do with a group: distribute its items, divide it into smaller groups, or let one item
/// work. All functions here are called on the innermost group, outside of the code of its items (errc::kernel
/// otherwise), and the callables return nothing. A group runs on one thread, so that what is distributed is done in
/// order: the forms with `_and_wait` say for other devices where items meet.
#pragma once

#include <lanefold/scoped/s_group.hpp>
#include <lanefold/scoped/s_item.hpp>

#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Calls `fill` with the note of a call, when it is the first of an explained launch.
template <class Scope, class Size, class Fill>
LANEFOLD_ALWAYS_INLINE void explain_level(const s_group<Scope>& g, const Size& size, const void* call,
                                          const Fill& fill) {
  explanation* const to = *g.frame().explaining;
  if (to == nullptr) [[likely]] {
    return;
  }
  if (level_note* const note = to->first_visit(call)) {
    note->depth = Scope::depth;
    note->dimensions = Scope::dimensions;
    note->is_static = is_static_range_v<Size>;
    for (int d = 0; d < Scope::dimensions; ++d) {
      note->whole[d] = size[d];
      note->tile[d] = 0;
    }
    fill(*note);
  }
}

/// Tiles of a static size say with distribute_groups what becomes of their items: in the loops of such tiles every
/// instruction counts.
template <class Scope>
inline constexpr bool is_static_tile = Scope::depth > 0 && is_static_range_v<typename Scope::size_type>;

/// Makes the items of a group.
template <int D>
struct item_maker {
  const distributed_items<D>* all;

  template <class Lanes>
  LANEFOLD_ALWAYS_INLINE auto operator()(const id<D>& local, lane_context<Lanes>* context) const {
    return s_item<D, Lanes>(*all, local, context);
  }
  // The race detector asks for the global linear id of an item, and for what lies between two rows of items.
  [[nodiscard]] std::size_t number(const id<D>& local) const { return linear_id(all->first + local, all->global); }
  [[nodiscard]] std::size_t pitch() const { return all->global[D - 1]; }
};

/// The items of `g`, seen as a group of `size`.
template <class Scope, class Size, class F>
LANEFOLD_ALWAYS_INLINE void run_items(const s_group<Scope>& g, const Size& size, const id<Scope::dimensions>& first,
                                      const range<Scope::dimensions>& global, F& f) {
  constexpr int D = Scope::dimensions;
  using runner = item_runner<typename Scope::strategy, Size, s_item, F>;
  check_scope(g.frame(), Scope::depth, "distribute_items");
  if constexpr (!is_static_tile<Scope>) {
    explain_level(g, size, &call_site<Scope, Size, F>::id,
                  [](level_note& note) LANEFOLD_INLINE_LAMBDA { runner::explain(note); });
  }
  const entered_scope inside(g.frame(), in_items);
  const distributed_items<D> all{global, size, first, g.first_item(), g.frame().state};
  runner::run(size, item_maker<D>{&all}, f);
}

/// The tiles into which the library divides a group: first what runs together by lanes, then single items.
template <class Scope>
struct library_tile {
  static constexpr int D = Scope::dimensions;
  using lanes = typename s_group<Scope>::lanes;
  static constexpr bool single = Scope::kind == scope_kind::unit || Scope::kind == scope_kind::item;
  static constexpr scope_kind kind = single ? scope_kind::item : scope_kind::unit;
  static constexpr std::size_t columns = single ? 1 : std::is_same_v<lanes, scalar> ? native_lanes : lanes::columns;
  static constexpr std::size_t rows = single ? 1 : lanes::rows;
  using size = typename static_rows<D, rows, columns>::type;
};

/// Tiles of a static group are unrolled up to this number.
inline constexpr std::size_t most_unrolled_tiles = checked_build ? 1 : 8;

/// Divides `g` into tiles of `tile`, those at the end cut off.
template <scope_kind Kind, class Scope, class Tile, class F>
class tile_loop {
  static constexpr int D = Scope::dimensions;
  using size_type = typename Scope::size_type;
  template <class Size>
  using tile_scope = scope<Size, typename Scope::strategy, Scope::depth + 1, Kind>;

public:
  LANEFOLD_ALWAYS_INLINE tile_loop(const s_group<Scope>& g, const Tile& tile, F& f) : m_group(g), m_tile(tile), m_f(f) {
    for (int d = 0; d < D; ++d) {
      m_tiles[d] = (g.size()[d] + tile[d] - 1) / tile[d];
    }
  }

  LANEFOLD_ALWAYS_INLINE void run() const {
    if constexpr (divides_statically<size_type, Tile>()) {
      constexpr std::size_t count = size_type::size() / Tile::size();
      if constexpr (count <= most_unrolled_tiles) {
        run_unrolled(std::make_index_sequence<count>());
        return;
      }
    }
    id<D> position;
    run_dimension<0>(position);
  }

private:
  template <std::size_t... I>
  LANEFOLD_ALWAYS_INLINE void run_unrolled(std::index_sequence<I...>) const {
    (run_whole(tile_at<I>()), ...);
  }
  template <std::size_t I>
  static constexpr id<D> tile_at() {
    id<D> position;
    std::size_t rest = I;
    for (int d = D - 1; d >= 0; --d) {
      const std::size_t tiles = size_type::value[d] / Tile::value[d];
      position[d] = rest % tiles;
      rest /= tiles;
    }
    return position;
  }

  template <int Dimension>
  LANEFOLD_ALWAYS_INLINE void run_dimension(id<D>& position) const {
    for (position[Dimension] = 0; position[Dimension] < m_tiles[Dimension]; ++position[Dimension]) {
      if constexpr (Dimension + 1 < D) {
        run_dimension<Dimension + 1>(position);
      } else {
        run_tile(position);
      }
    }
  }

  LANEFOLD_ALWAYS_INLINE void run_tile(const id<D>& position) const {
    if constexpr (divides_statically<size_type, Tile>()) {
      run_whole(position);
    } else {
      range<D> rest;
      bool whole = true;
      for (int d = 0; d < D; ++d) {
        rest[d] = std::min(m_tile[d], m_group.size()[d] - position[d] * m_tile[d]);
        whole = whole && rest[d] == m_tile[d];
      }
      if constexpr (is_static_range_v<Tile>) {
        if (whole) {
          run_whole(position);
          return;
        }
      }
      call(position, rest);
    }
  }

  LANEFOLD_ALWAYS_INLINE void run_whole(const id<D>& position) const { call(position, m_tile); }

  template <class Size>
  LANEFOLD_ALWAYS_INLINE void call(const id<D>& position, const Size& size) const {
    using group_type = s_group<tile_scope<Size>>;
    static_assert(std::is_invocable_v<F&, group_type>,
                  "lanefold: the callable of distribute_groups takes one group, by value: [&](auto tile)");
    if constexpr (!std::is_void_v<std::invoke_result_t<F&, group_type>>) {
      static_assert(is_range_v<F>, "lanefold: the callable of distribute_groups returns nothing");
    } else {
      id<D> first = m_group.first_item();
      for (int d = 0; d < D; ++d) {
        first[d] += position[d] * m_tile[d];
      }
      call_whole(m_f, group_type(position, m_tiles, first, size, m_group.get_global_range(), m_group.frame()));
    }
  }

  const s_group<Scope>& m_group;
  [[no_unique_address]] Tile m_tile;
  F& m_f;
  range<D> m_tiles;
};

[[noreturn]] LANEFOLD_COLD void throw_empty_tile();

template <scope_kind Kind, class Scope, class Tile, class F>
LANEFOLD_ALWAYS_INLINE void run_tiles(const s_group<Scope>& g, const Tile& tile, F& f) {
  check_scope(g.frame(), Scope::depth, "distribute_groups");
  if constexpr (!is_static_range_v<Tile>) {
    for (int d = 0; d < Scope::dimensions; ++d) {
      if (tile[d] == 0) [[unlikely]] {
        throw_empty_tile();
      }
    }
  }
  if constexpr (!is_static_tile<Scope>) {
    explain_level(g, g.size(), &call_site<Scope, Tile, F>::id, [&](level_note& note) LANEFOLD_INLINE_LAMBDA {
      for (int d = 0; d < Scope::dimensions; ++d) {
        note.tile[d] = tile[d];
      }
      using shape = typename lanes_for<typename Scope::strategy, Tile>::type;
      note.rows = shape::rows;
      note.columns = is_static_range_v<Tile> && !std::is_same_v<shape, scalar> ? shape::columns : 0;
    });
  }
  const entered_scope inside(g.frame(), Scope::depth + 1);
  tile_loop<Kind, Scope, Tile, F>(g, tile, f).run();
}

} // namespace detail

/// Calls `f` once for every logical item of the group. A generic `f` (`[&](auto it)`) gets an s_item with the lanes of
/// the launch's strategy, the rest of a row running under a mask; one that spells its item out (`[&](s_item<1> it)`)
/// gets one item after the other, in a loop that the compiler may vectorise unless the strategy is `scalar`.
/// Groups of a static size of up to 64 units are unrolled.
template <class Scope, class F>
LANEFOLD_ALWAYS_INLINE void distribute_items(const s_group<Scope>& g, F&& f) {
  detail::run_items(g, g.size(), g.first_item(), g.get_global_range(), f);
}

/// Calls `f` once for each of `items` logical items (a range or a static_range), however many the group has. They are
/// numbered as if every group of the launch had that size: their local ids in `g` are those in `items`; for tiles, the
/// global id is that of the tile's first item plus the local id.
template <class Scope, detail::Extents<Scope::dimensions> Items, class F>
LANEFOLD_ALWAYS_INLINE void distribute_items(const s_group<Scope>& g, const Items& items, F&& f) {
  auto first = g.first_item();
  auto global = g.get_global_range();
  if constexpr (Scope::kind == detail::scope_kind::work_group) {
    for (int d = 0; d < Scope::dimensions; ++d) {
      first[d] = g.get_group_id(d) * items[d];
      global[d] = g.get_group_range(d) * items[d];
    }
  }
  detail::run_items(g, items, first, global, f);
}

/// Calls `f` with every group of a division of `g` that the library chooses: groups of as many items as run together by
/// lanes (the lane shape; native_lanes of a row where the strategy has none), of those single items, which have
/// `fence_scope == memory_scope::work_item` and stay what they are when divided again.
template <class Scope, class F>
LANEFOLD_ALWAYS_INLINE void distribute_groups(const s_group<Scope>& g, F&& f) {
  using tile = detail::library_tile<Scope>;
  detail::run_tiles<tile::kind>(g, typename tile::size(), f);
}

/// Calls `f` with every tile of `tile` (a range or a static_range of as many dimensions) of the group, in row-major
/// order; the tiles at the end are cut off. Tiles of a static size keep it in their type, and are unrolled where they
/// divide a group of static size into no more than 8; `f` must then be generic. Errors: errc::nd_range for an extent 0.
template <class Scope, detail::Extents<Scope::dimensions> Tile, class F>
LANEFOLD_ALWAYS_INLINE void distribute_groups(const s_group<Scope>& g, const Tile& tile, F&& f) {
  detail::run_tiles<detail::scope_kind::tile>(g, tile, f);
}

/// Calls `f()` once.
template <class Scope, class F>
LANEFOLD_ALWAYS_INLINE void single_item(const s_group<Scope>& g, F&& f) {
  static_assert(std::is_invocable_v<F&>, "lanefold: the callable of single_item takes no argument");
  detail::check_scope(g.frame(), Scope::depth, "single_item");
  if constexpr (!std::is_void_v<std::invoke_result_t<F&>>) {
    static_assert(is_scoped_group_v<F>, "lanefold: the callable of single_item returns nothing");
  } else {
    const detail::entered_scope inside(g.frame(), detail::in_items);
    if constexpr (detail::checked_build) { // as the first item of the group
      const std::size_t number = detail::linear_id(g.first_item(), g.get_global_range());
      detail::begin_watched_unit<scalar>(number, 1, number);
    }
    detail::call_whole(f);
    detail::end_watched_unit();
  }
}

/// distribute_items, then group_barrier. Arguments as for distribute_items.
template <class Scope, class... Arguments>
LANEFOLD_ALWAYS_INLINE void distribute_items_and_wait(const s_group<Scope>& g, Arguments&&... arguments) {
  distribute_items(g, static_cast<Arguments&&>(arguments)...);
  group_barrier(g);
}
/// distribute_groups, then group_barrier. Arguments as for distribute_groups.
template <class Scope, class... Arguments>
LANEFOLD_ALWAYS_INLINE void distribute_groups_and_wait(const s_group<Scope>& g, Arguments&&... arguments) {
  distribute_groups(g, static_cast<Arguments&&>(arguments)...);
  group_barrier(g);
}
/// single_item, then group_barrier.
template <class Scope, class F>
LANEFOLD_ALWAYS_INLINE void single_item_and_wait(const s_group<Scope>& g, F&& f) {
  single_item(g, f);
  group_barrier(g);
}

LANEFOLD_END_NAMESPACE
