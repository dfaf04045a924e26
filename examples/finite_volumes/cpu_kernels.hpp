// SPDX-License-Identifier: Apache-2.0
/// The realisations for CPUs: scoped, as loops in lanes with sums of a patch in plain variables, and patch-wise with
/// sizes that the compiler knows. Files that include it do not record their kernels.
#pragma once

#include "kernels.hpp"

#include <cstdint>

namespace finite_volumes {

/// Scoped: a group for each of `count` patches, on one thread, as two loops over its cells in lanes; the second one
/// runs over the cells that are not halo only.
template <int D, layout L>
void scoped(lf::handler& h, const step_data<D, L>& data, std::size_t first, std::size_t count) {
  const std::size_t cells = data.shape.cells();
  const std::size_t pitch = data.shape.pitch();
  lf::local_accessor<double> waves(pitch * step_data<D, L>::temporaries, h);
  const std::size_t begin = data.shape.first();
  const std::size_t span = data.shape.last() + 1 - begin;
  h.parallel(lf::range<1>(count), lf::range<1>(cells), lanes, [=](auto group) {
    const std::size_t patch = first + group.get_group_id(0);
    lf::distribute_items_and_wait(group, [&](auto it) {
      const auto cell = it.get_local_id(group, 0);
      data.waves(data.state_of(patch, cell),
                 [&](std::size_t t, const auto& value) { waves[cell + t * pitch] = value; });
    });
    double of_patch = 0;
    lf::distribute_items_and_wait(group, lf::range<1>(span), [&](auto it) {
      const auto cell = it.get_local_id(group, 0) + begin;
      const auto is_inside = data.inside[cell] > 0.0;
      const auto speed = data.update(
          patch, cell, data.state_of(patch, cell),
          [&](std::size_t t, std::size_t offset) { return waves[cell + (t * pitch + offset)]; },
          [&](const auto& store) { it.if_(is_inside, store); });
      const auto fastest = lf::select(is_inside, speed, 0.0);
      of_patch = std::max(of_patch, lf::reduce_over_group(it.get_sub_group(), fastest, lf::maximum<double>()));
    });
    data.fastest[patch] = of_patch;
  });
}

/// Says how the cells of patches with P cells along an edge fill units of as many lanes as a register has doubles (two
/// registers where it has two). In the second half units are rows without halo, two of them, or parts of one; or they
/// are rows with their halo, whose lanes store nothing.
template <int D, std::size_t P>
struct whole_units {
  static constexpr std::size_t lanes = std::max<std::size_t>(lf::varying<double, 8>::register_lanes, 4);
  static constexpr patch_shape<D, P> shape{};
  static constexpr bool with_halo = P % 4 != 0;
  static constexpr std::size_t width = with_halo ? P + 2 : P;
  static constexpr std::size_t columns = std::min(width, lanes);
  static constexpr std::size_t rows = lanes / columns;
  static_assert(rows * columns == lanes && width % columns == 0 && P % rows == 0);

  // The first half goes through all cells, plane by plane. Its rows are no rows of the shape, but as many cells.
  static constexpr std::size_t of_plane = shape.edge() * shape.edge();
  static constexpr std::size_t planes = shape.cells() / of_plane;
  using all = lf::static_range<(of_plane + lanes - 1) / lanes, 1, lanes>;
  /// The first cell of a unit. The last unit begins where it is whole: what it has in common with the one before is
  /// computed twice.
  static constexpr std::size_t begin(std::size_t unit) { return std::min(unit * lanes, of_plane - lanes); }

  // In the second half each item takes `steps` cells, one behind the other along dimension 0: those of a plane, or of
  // some of its rows.
  static constexpr std::size_t steps = D == 3 ? P : P / rows;
  static constexpr std::size_t of_row = D == 3 ? shape.edge() : steps * shape.edge();
  static constexpr std::size_t corner = shape.first() - (with_halo ? 1 : 0);
  /// Calls f with the first cell of each unit of the second half. A loop, because units are long: six of them in a row
  /// (p = 6, three dimensions) are more than the cache of instructions holds, and took up to 1.5 times as long.
  template <class F>
  static void for_inner(const F& f) {
    for (std::size_t y = 0; y < (D == 3 ? P : rows); y += rows) {
      for (std::size_t x = 0; x < width; x += columns) {
        f(y * of_row + (x + corner));
      }
    }
  }
};

/// Returns whether the patches of a step are more than caches keep from one step to the next.
template <int D, layout L, std::size_t P>
bool come_from_memory(const step_data<D, L, P>& data) {
  static const std::uint64_t cache = lf::device(lf::cpu_selector_v).get_info<lf::info::device::global_mem_cache_size>();
  const std::size_t values = data.patches * data.shape.cells() * data.variables;
  return 2 * values * sizeof(double) >= (cache != 0 ? cache : 32 << 20) / 2; // others use it, too
}

/// While the first half goes through a plane of a patch, asks for as much of the place where the second half stores: a
/// processor sees by itself which patches are read next, but not where a patch will be stored. A step of 1,024 patches
/// that come from memory takes 0.7 to 0.9 of the time with it (three dimensions, p = 6 and 8, two threads of an AMD
/// EPYC, Zen 4), one of patches in a cache up to 1.1; to ask for the next patch as well took what that wins.
template <int D, layout L, std::size_t P>
void ask_ahead(const step_data<D, L, P>& data, std::size_t patch, std::size_t plane) {
  constexpr std::size_t values = patch_shape<D, P>().cells() * (D + 2);
  constexpr std::size_t part = values / whole_units<D, P>::planes;
  lf::global_ptr<const double>(data.to.data() + patch * values + plane * part).prefetch(part);
}

/// The second half for `Steps` cells from `cell` on, one behind the other along dimension 0: what flows through the
/// face between two of them is computed once. Calls `store(f)` for f to store the state of a cell, and returns the
/// speed of the fastest wave in all of them.
template <std::size_t Steps, class Step, class It, class Cell, class Waves, class Store>
auto update_along(const Step& data, const It& it, std::size_t patch, const Cell& first, const Waves& waves,
                  const Store& store) {
  constexpr std::integral_constant<std::size_t, 0> n;
  using value = std::remove_cvref_t<decltype(data.state_of(patch, first)[0])>;
  const std::size_t along = data.shape.stride(0);
  const auto face = [](const auto& q, const auto& flux, const auto& speed, const auto& next, const auto& next_flux,
                       const auto& next_speed) {
    const auto fastest = value(lf::max(speed, next_speed));
    return Step::each([&](auto v) { return value(flux[v] + next_flux[v] - fastest * (next[v] - q[v])); });
  };
  const auto variables = [&](const auto& values) { return Step::each([&](auto v) { return it.var(values[v]); }); };
  const auto values = [](const auto& of) { return Step::each([&](auto v) { return value(of[v]); }); };
  const auto assign = [](auto& to, const auto& from) { Step::for_variables([&](auto v) { to[v] = from[v]; }); };

  const auto near_of = [&](const auto& cell) {
    return [&waves, cell](std::size_t t, std::size_t offset) { return waves(cell, t, offset); };
  };
  // A cell that was next is the one here a step later. With five variables it does not fit registers, and is read
  // again.
  constexpr bool keeps = Step::variables < 5;
  const auto near_first = near_of(first);
  const auto last = data.state_of(patch, first - along);
  auto q = variables(data.state_of(patch, first));
  auto flux = variables(Step::flux_of(n, values(q), near_first, 0));
  auto in = variables(face(last, Step::flux_of(n, last, near_first, -along), Step::eigenvalue_of(n, near_first, -along),
                           values(q), values(flux), Step::eigenvalue_of(n, near_first, 0)));
  auto fastest = it.var(0.0);
  for (std::size_t step = 0; step < Steps; ++step) {
    const auto cell = first + step * along;
    const auto near = near_of(cell);
    if constexpr (!keeps) {
      assign(q, data.state_of(patch, cell));
      assign(flux, Step::flux_of(n, values(q), near, 0));
    }
    const auto here = values(q);
    const auto next = data.state_of(patch, cell + along);
    const auto next_flux = Step::flux_of(n, next, near, along);
    const auto out =
        face(here, values(flux), Step::eigenvalue_of(n, near, 0), next, next_flux, Step::eigenvalue_of(n, near, along));
    const auto flows = Step::sum_along([&](auto dimension) {
      if constexpr (dimension == 0) {
        return Step::each([&](auto v) { return value(out[v] - in[v]); });
      } else {
        return data.flow(dimension, patch, cell, here, near);
      }
    });
    const auto state = data.next_state(here, flows);
    store([&] { data.store(patch, cell, state); });
    fastest = lf::max(fastest, Step::equations::fastest(state));
    if constexpr (keeps) {
      assign(q, next);
      assign(flux, next_flux);
    }
    assign(in, out);
  }
  return value(fastest);
}

/// The second half for a unit of `whole_units` that begins at `first`. Returns the speed of the fastest wave in each
/// lane.
template <int D, layout L, std::size_t P, class It, class Cell, class Waves>
auto update_unit(const step_data<D, L, P>& data, const It& it, std::size_t patch, const Cell& first,
                 const Waves& waves) {
  using units = whole_units<D, P>;
  const auto near = [&](const auto& cell, std::size_t t, std::size_t offset) {
    return waves[cell + (t * units::shape.pitch() + offset)];
  };
  const auto update = [&](const auto& store) {
    return update_along<units::steps>(data, it, patch, first, near, store);
  };
  if constexpr (units::with_halo) {
    const auto is_inside = data.inside[first] > 0.0;
    return lf::select(is_inside, update([&](const auto& store) { it.if_(is_inside, store); }), 0.0);
  } else {
    return update([](const auto& store) { store(); });
  }
}

/// Does the same as `scoped` in units of which every lane is a cell: nothing is masked but the halo's stores. The
/// library unrolls the loops over items.
template <int D, layout L, std::size_t P>
void scoped_in_whole_units(lf::handler& h, const step_data<D, L, P>& data, std::size_t first, std::size_t count) {
  using units = whole_units<D, P>;
  constexpr std::size_t pitch = units::shape.pitch();
  constexpr lf::properties in_rows{lf::property::strategy<lf::simd<units::rows, units::columns>>{}};
  lf::local_accessor<double> waves(pitch * step_data<D, L, P>::temporaries, h);
  const bool from_memory = come_from_memory(data);
  h.parallel(lf::range<3>(count, 1, 1), typename units::all(), in_rows, [=](auto group) {
    const std::size_t patch = first + group.get_group_id(0);
    for (std::size_t plane = 0; plane < units::planes; ++plane) {
      if (from_memory) {
        ask_ahead(data, patch, plane);
      }
      lf::distribute_items(group, [&](auto it) {
        const auto cell = it.get_local_id(group, lf::dim<2>) +
                          (units::begin(it.get_local_id(group, lf::dim<0>)) + plane * units::of_plane);
        data.waves(data.state_of(patch, cell),
                   [&](std::size_t t, const auto& value) { waves[cell + t * pitch] = value; });
      });
    }
    lf::group_barrier(group);
    double of_patch = 0;
    units::for_inner([&](std::size_t begin) {
      lf::distribute_items(group, lf::static_range<1, units::rows, units::columns>(), [&](auto it) {
        const auto cell =
            it.get_local_id(group, lf::dim<2>) + (it.get_local_id(group, lf::dim<1>) * units::of_row + begin);
        const auto fastest = update_unit(data, it, patch, cell, waves);
        of_patch = std::max(of_patch, lf::reduce_over_group(it.get_sub_group(), fastest, lf::maximum<double>()));
      });
    });
    data.fastest[patch] = of_patch;
  });
}

/// Patch-wise in the same units: a work-group is one of them, whose work-items take cell after cell. Where the compiler
/// knows that a group is one unit, a barrier is no more than an order of stores and loads.
template <int D, layout L, std::size_t P>
void patch_wise_in_whole_units(lf::handler& h, const step_data<D, L, P>& data) {
  using units = whole_units<D, P>;
  constexpr std::size_t pitch = units::shape.pitch();
  constexpr lf::properties one_unit{lf::property::strategy<lf::simd<units::rows, units::columns>>{},
                                    lf::property::work_group_size<units::rows, units::columns>{}};
  lf::local_accessor<double> waves(pitch * step_data<D, L, P>::temporaries, h);
  const lf::range<2> group(units::rows, units::columns);
  const bool from_memory = come_from_memory(data);
  h.parallel_for(lf::nd_range<2>({data.patches * units::rows, units::columns}, group), one_unit, [=](auto it) {
    const auto patch = it.get_group(0);
    const auto row = it.get_local_id(lf::dim<0>);
    const auto column = it.get_local_id(lf::dim<1>);
    for (std::size_t plane = 0; plane < units::planes; ++plane) {
      if (from_memory) {
        ask_ahead(data, patch, plane);
      }
      data.template repeat<units::all::value[0]>([&](auto unit) {
        const auto cell = row * units::columns + column + (units::begin(unit) + plane * units::of_plane);
        data.waves(data.state_of(patch, cell),
                   [&](std::size_t t, const auto& value) { waves[cell + t * pitch] = value; });
      });
    }
    lf::group_barrier(it.get_group());
    auto fastest = it.var(0.0);
    units::for_inner([&](std::size_t begin) {
      const auto cell = row * units::of_row + (column + begin);
      fastest = lf::max(fastest, update_unit(data, it, patch, cell, waves));
    });
    const auto of_patch = lf::reduce_over_group(it.get_group(), fastest, lf::maximum<double>());
    it.if_(it.get_group().leader(), [&] { data.fastest[patch] = of_patch; });
  });
}

} // namespace finite_volumes
