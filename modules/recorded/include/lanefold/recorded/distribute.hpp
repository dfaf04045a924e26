// SPDX-License-Identifier: Apache-2.0
/// Records what scoped kernels do with a group: see scoped/distribute.hpp.
#pragma once

#include <lanefold/recorded/s_group.hpp>
#include <lanefold/scoped/distribute.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Calls `f` with the item, if it takes one that is recorded.
template <int D, class F>
void record_item(recorder& r, const recorded_item_ids<D>& ids, F& f) {
  using item = s_item<D, recorded>;
  if constexpr (!std::is_invocable_v<F&, item>) {
    refuse_item_callable();
  } else {
    static_assert(std::is_void_v<std::invoke_result_t<F&, item>>, "lanefold: a callable for items returns nothing");
    f(item(r, ids));
  }
}

/// Goes over the dimensions of `items` from `Dimension` on: a work-item of a group has one of them, none or several.
template <int Dimension, class Scope, int D, class Done>
void record_items_of(const s_group<Scope>& g, const range<D>& items, id_nodes<D>& local, const Done& done) {
  if constexpr (Dimension == D) {
    done();
  } else {
    recorder& r = g.record();
    const auto d = static_cast<std::size_t>(Dimension);
    const std::size_t count = items[Dimension], size = g.size()[Dimension];
    const recorded_value<std::size_t> own = id_value(r, g.place().local[d]);
    const auto inner = [&](node_number at) {
      local[d] = at;
      detail::record_items_of<Dimension + 1>(g, items, local, done);
    };
    if (count == size) {
      inner(g.place().local[d]);
    } else if (count < size) {
      r.begin_if((own < count).node());
      inner(own.node());
      r.end();
    } else {
      const node_number counter = r.begin_for(recorded_type::u64, own.node(), r.literal(recorded_type::u64, count),
                                              r.literal(recorded_type::u64, size));
      r.repeated([&] { inner(counter); });
      r.end();
    }
  }
}

template <class Scope, int D, class F>
void record_items(const s_group<Scope>& g, const range<D>& items, F& f) {
  recorder& r = g.record();
  check_scope(g.frame(), Scope::depth, "distribute_items");
  const entered_items inside(g.frame(), r);
  const range<D> size = g.size(), of_work_group = g.frame().space.get_local_range();
  recorded_item_ids<D> ids{g.get_global_range(), items, {}, g.place().local, g.place().first};
  constexpr bool in_work_group = Scope::kind == scope_kind::work_group;
  for (int d = 0; d < D; ++d) {
    if (in_work_group) {
      ids.global_range[d] = g.get_group_range(d) * items[d];
    }
  }
  detail::record_items_of<0>(g, items, ids.local, [&] {
    for (int d = 0; d < D; ++d) {
      const auto at = static_cast<std::size_t>(d);
      if (items[d] == size[d]) {
        ids.global[at] = recorded_id(r, "get_global_id", g.frame().space, d, false).node();
      } else {
        const node_number group = recorded_id(r, "get_group_id", g.frame().space, d, true).node();
        const node_number first = scaled_id(r, group, in_work_group ? items[d] : of_work_group[d]);
        ids.global[at] = sum_of_ids(r, sum_of_ids(r, first, ids.first[at]), ids.local[at]);
      }
    }
    detail::record_item<D>(r, ids, f);
  });
}

/// The tile of `g` in which the work-item is; the last one may be smaller.
template <class Scope, int D>
recorded_group_place<D> place_of_tile(const s_group<Scope>& g, const range<D>& tile) {
  recorder& r = g.record();
  recorded_group_place<D> inner = g.place();
  for (int d = 0; d < D; ++d) {
    const auto at = static_cast<std::size_t>(d);
    inner.groups[d] = (g.size()[d] + tile[d] - 1) / tile[d];
    if (inner.groups[d] == 1) {
      inner.id[at] = no_node;
    } else if (tile[d] == 1) {
      inner.id[at] = inner.local[at];
      inner.local[at] = no_node;
    } else {
      const auto own = id_value(r, inner.local[at]);
      inner.id[at] = (own / tile[d]).node();
      inner.local[at] = (own % tile[d]).node();
    }
    inner.first[at] = sum_of_ids(r, inner.first[at], scaled_id(r, inner.id[at], tile[d]));
  }
  inner.instance =
      sum_of_ids(r, scaled_id(r, inner.instance, inner.groups.size()), linear_node<D>(r, inner.id, inner.groups));
  inner.instances *= inner.groups.size();
  return inner;
}

/// Records f for the tiles that have the whole extent, and again for the smaller ones at the end, from dimension
/// `Dimension` on: `call(size)` does it for tiles of one size.
template <int Dimension, int D, class Scope, class Call>
void record_tile_sizes(const s_group<Scope>& g, range<D> size, const recorded_group_place<D>& place, const Call& call) {
  if constexpr (Dimension == D) {
    call(size);
  } else {
    const std::size_t whole = g.size()[Dimension] / size[Dimension], rest = g.size()[Dimension] % size[Dimension];
    if (rest == 0) {
      record_tile_sizes<Dimension + 1>(g, size, place, call);
    } else {
      recorder& r = g.record();
      r.begin_if((id_value(r, place.id[Dimension]) < whole).node());
      record_tile_sizes<Dimension + 1>(g, size, place, call);
      r.begin_else();
      size[Dimension] = rest;
      record_tile_sizes<Dimension + 1>(g, size, place, call);
      r.end();
    }
  }
}

template <scope_kind Kind, class Scope, class Tile, class F>
void record_tiles(const s_group<Scope>& g, const Tile& tile, F& f) {
  constexpr int D = Scope::dimensions;
  check_scope(g.frame(), Scope::depth, "distribute_groups");
  range<D> fitting;
  bool fits = true, divides = true;
  for (int d = 0; d < D; ++d) {
    if (tile[d] == 0) {
      throw_empty_tile();
    }
    fitting[d] = std::min<std::size_t>(tile[d], g.size()[d]);
    fits = fits && fitting[d] == tile[d];
    divides = divides && g.size()[d] % fitting[d] == 0;
  }
  const entered_scope inside(g.frame(), Scope::depth + 1);
  const auto place = place_of_tile<Scope, D>(g, fitting);
  const auto call = [&](const auto& size) {
    using size_type = std::remove_cvref_t<decltype(size)>;
    using group_type = s_group<scope<size_type, recorded, Scope::depth + 1, Kind>>;
    static_assert(std::is_invocable_v<F&, group_type>,
                  "lanefold: the callable of distribute_groups takes one group, by value: [&](auto tile)");
    f(group_type(g.frame(), size, place));
  };
  if constexpr (is_static_range_v<Tile>) {
    if (fits && divides) {
      return call(tile);
    }
  }
  const uneven_tiles uneven(g.frame(), !divides);
  record_tile_sizes<0>(g, fitting, place, call);
}

} // namespace detail

template <detail::RecordedScope Scope, class F>
void distribute_items(const s_group<Scope>& g, F&& f) {
  detail::record_items(g, range<Scope::dimensions>(g.size()), f);
}
template <detail::RecordedScope Scope, detail::Extents<Scope::dimensions> Items, class F>
void distribute_items(const s_group<Scope>& g, const Items& items, F&& f) {
  detail::record_items(g, range<Scope::dimensions>(items), f);
}

/// The library divides into single items, which a device runs side by side.
template <detail::RecordedScope Scope, class F>
void distribute_groups(const s_group<Scope>& g, F&& f) {
  constexpr bool single = Scope::kind == detail::scope_kind::unit || Scope::kind == detail::scope_kind::item;
  constexpr int D = Scope::dimensions;
  using tile = typename detail::static_rows<D, 1, 1>::type;
  detail::record_tiles<single ? detail::scope_kind::item : detail::scope_kind::unit>(g, tile(), f);
}
/// Tiles that do not divide the group come in several sizes, and have neither barriers nor local memory of their own:
/// errc::kernel_not_supported.
template <detail::RecordedScope Scope, detail::Extents<Scope::dimensions> Tile, class F>
void distribute_groups(const s_group<Scope>& g, const Tile& tile, F&& f) {
  detail::record_tiles<detail::scope_kind::tile>(g, tile, f);
}

template <detail::RecordedScope Scope, class F>
void single_item(const s_group<Scope>& g, F&& f) {
  static_assert(std::is_invocable_v<F&> && std::is_void_v<std::invoke_result_t<F&>>,
                "lanefold: the callable of single_item takes no argument and returns nothing");
  detail::check_scope(g.frame(), Scope::depth, "single_item");
  const detail::entered_items inside(g.frame(), g.record());
  if (g.get_local_linear_range() == 1) {
    f();
  } else {
    g.if_(g.leader(), f);
  }
}

/// A barrier of the work-group: its tiles run side by side and come to it together. Errors (errc::kernel): called in
/// divergent code.
template <detail::RecordedScope Scope>
void group_barrier(const s_group<Scope>& g, memory_scope /*scope*/ = s_group<Scope>::fence_scope) {
  detail::check_scope(g.frame(), Scope::depth, "group_barrier");
  if (g.get_local_linear_range() != 1) {
    detail::check_even_tiles(g.frame());
    detail::record_work_group_barrier(g.record(), "group_barrier");
  }
}

LANEFOLD_END_NAMESPACE
