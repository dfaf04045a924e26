// SPDX-License-Identifier: Apache-2.0
/// A time step of patches: the generic Rusanov solver over microkernels, in steps that are the same in all
/// realisations.
#pragma once

#include "euler.hpp"
#include "patches.hpp"

#include <lanefold/lanefold.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace finite_volumes {

/// Holds what a step reads and writes: arrays of T patches. `inside` says of each cell of a patch whether it is not
/// halo (1.0 or 0.0); `fastest` gets the speed of the fastest wave of each patch in its new state. P is the cells along
/// an edge where the compiler knows them, else 0.
template <int D, layout L, std::size_t P = 0>
struct step_data {
  using equations = euler<D>;
  static constexpr std::size_t variables = equations::variables;
  /// Values that the first half of a step leaves for the second one, of each cell: fluxes and eigenvalues.
  static constexpr std::size_t temporaries = D * (variables + 1);

  patch_shape<D, P> shape;
  std::size_t patches;
  double cell_size;
  lf::view<const double> from;
  lf::view<double> to;
  lf::view<double> fastest;
  lf::view<const double> inside;
  lf::view<const double> time_step; ///< one value

  template <class Cell>
  auto state_of(std::size_t patch, const Cell& cell) const {
    return each([&](auto v) { return from[value_at<L>(shape, patch, cell, v)]; });
  }

  /// The first half: fluxes and eigenvalues of a cell, halo or not. `keep(t, value)` keeps the t-th of them.
  template <class Cell, class Keep>
  void waves(std::size_t patch, const Cell& cell, const Keep& keep) const {
    const auto q = state_of(patch, cell);
    const auto fluxes = equations::flux(q);
    const auto speeds = equations::eigenvalue(q);
    // Indices that are constants: the values stay in registers.
    repeat<D>([&](auto n) {
      repeat<variables>([&](auto v) { keep(n * (variables + 1) + v, fluxes[n][v]); });
      keep(n * (variables + 1) + variables, speeds[n]);
    });
  }

  /// The second half: the new state of a cell that is not halo. `near(t, offset)` is the t-th temporary of the cell
  /// that lies `offset` further. Stores the state where `if_(f)` calls f, and returns the speed of its fastest wave.
  template <class Cell, class Near, class If>
  auto update(std::size_t patch, const Cell& cell, const Near& near, const If& if_) const {
    const double scale = 0.5 * time_step[0] / cell_size;
    const auto q = state_of(patch, cell);
    using value = std::remove_cvref_t<decltype(q[0])>;
    constexpr std::size_t speed = variables;
    const auto speed_above = along([&](auto n) {
      const std::size_t t = n * (variables + 1) + speed;
      return value(lf::max(near(t, 0), near(t, step(n))));
    });
    const auto speed_below = along([&](auto n) {
      const std::size_t t = n * (variables + 1) + speed;
      return value(lf::max(near(t, 0), near(t, -step(n))));
    });
    const auto next = each([&](auto v) {
      const auto change = [&](auto n) {
        const std::size_t t = n * (variables + 1) + v;
        return value(near(t, step(n)) - near(t, -step(n)) -
                     speed_above[n] * (from[value_at<L>(shape, patch, cell + step(n), v)] - q[v]) +
                     speed_below[n] * (q[v] - from[value_at<L>(shape, patch, cell - step(n), v)]));
      };
      if constexpr (D == 2) {
        return value(q[v] - scale * (change(dimension<0>()) + change(dimension<1>())));
      } else {
        return value(q[v] - scale * (change(dimension<0>()) + change(dimension<1>()) + change(dimension<2>())));
      }
    });
    if_([&] { repeat<variables>([&](auto v) { to[value_at<L>(shape, patch, cell, v)] = next[v]; }); });
    const auto speeds = equations::eigenvalue(next);
    if constexpr (D == 2) {
      return value(lf::max(speeds[0], speeds[1]));
    } else {
      return value(lf::max(speeds[0], value(lf::max(speeds[1], speeds[2]))));
    }
  }

private:
  template <std::size_t N>
  using dimension = std::integral_constant<std::size_t, N>;

  [[nodiscard]] std::size_t step(std::size_t n) const { return shape.stride(n); }

  template <std::size_t... I, class F>
  static auto for_all(std::index_sequence<I...>, const F& f) {
    return std::array{f(dimension<I>())...};
  }
  template <std::size_t Times, class F>
  static void repeat(const F& f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (f(dimension<I>()), ...); }(std::make_index_sequence<Times>());
  }
  template <class F>
  static auto along(const F& f) {
    return for_all(std::make_index_sequence<D>(), f);
  }
  template <class F>
  static auto each(const F& f) {
    return for_all(std::make_index_sequence<variables>(), f);
  }
};

/// Eight doubles are a register of AVX-512; rows of patches are short, and wider units would be masked more often.
inline constexpr lf::properties lanes{lf::property::strategy<lf::simd<8>>{}};

/// Patch-wise: a work-group for each patch, a work-item for each of its cells, halo included. A mask
/// leaves the halo out of the second half; a barrier lies between the two.
template <int D, layout L>
void patch_wise(lf::handler& h, const step_data<D, L>& data) {
  const std::size_t cells = data.shape.cells();
  lf::local_accessor<double> waves(cells * step_data<D, L>::temporaries, h);
  h.parallel_for(lf::nd_range<1>(data.patches * cells, cells), lanes, [=](auto it) {
    const std::size_t patch = it.get_group(0);
    const auto cell = it.get_local_id(0);
    data.waves(patch, cell, [&](std::size_t t, const auto& value) { waves[cell + t * cells] = value; });
    lf::group_barrier(it.get_group());
    auto fastest = it.var(0.0);
    it.if_(data.inside[cell] > 0.0, [&] {
      fastest = data.update(
          patch, cell, [&](std::size_t t, std::size_t offset) { return waves[cell + (t * cells + offset)]; },
          [](const auto& store) { store(); });
    });
    const double of_patch = lf::reduce_over_group(it.get_group(), fastest, lf::maximum<double>());
    it.if_(it.get_group().leader(), [&] { data.fastest[patch] = of_patch; });
  });
}

/// Scoped: a group for each of `count` patches, on one thread, as two loops over its cells in lanes; the second one
/// runs over the cells that are not halo only.
template <int D, layout L, std::size_t P>
void scoped(lf::handler& h, const step_data<D, L, P>& data, std::size_t first, std::size_t count) {
  const std::size_t cells = data.shape.cells();
  lf::local_accessor<double> waves(cells * step_data<D, L, P>::temporaries, h);
  const std::size_t begin = data.shape.first();
  const std::size_t span = data.shape.last() + 1 - begin;
  h.parallel(lf::range<2>(count, 1), lf::range<2>(1, cells), lanes, [=](auto group) {
    const std::size_t patch = first + group.get_group_id(0);
    lf::distribute_items_and_wait(group, [&](auto it) {
      const auto cell = it.get_local_id(group, 1);
      data.waves(patch, cell, [&](std::size_t t, const auto& value) { waves[cell + t * cells] = value; });
    });
    const auto near_of = [=](const auto& cell) {
      return [=](std::size_t t, std::size_t offset) { return waves[cell + (t * cells + offset)]; };
    };
    double of_patch = 0;
    if constexpr (P != 0 && P % 8 == 0) { // rows fill registers
      lf::distribute_items_and_wait(group, lf::range<2>(data.shape.inner_cells() / P, P), [&](auto it) {
        const auto cell = it.get_local_id(group, 1) + data.shape.row(it.get_local_id(group, lf::dim<0>));
        const auto speed = data.update(patch, cell, near_of(cell), [](const auto& store) { store(); });
        of_patch = std::max(of_patch, lf::reduce_over_group(it.get_sub_group(), speed, lf::maximum<double>()));
      });
    } else {
      lf::distribute_items_and_wait(group, lf::range<2>(1, span), [&](auto it) {
        const auto cell = it.get_local_id(group, 1) + begin;
        const auto is_inside = data.inside[cell] > 0.0;
        const auto speed =
            data.update(patch, cell, near_of(cell), [&](const auto& store) { it.if_(is_inside, store); });
        const auto fastest = lf::select(is_inside, speed, 0.0);
        of_patch = std::max(of_patch, lf::reduce_over_group(it.get_sub_group(), fastest, lf::maximum<double>()));
      });
    }
    data.fastest[patch] = of_patch;
  });
}

// Batched: each half is a launch over all cells of all patches, and so is what is left to do for the eigenvalues.
// `waves` holds the temporaries of all patches, `speeds` a value for each cell.

template <int D, layout L>
void batched_waves(lf::handler& h, const step_data<D, L>& data, lf::view<double> waves) {
  const std::size_t cells = data.shape.cells();
  h.parallel_for(lf::range<2>(data.patches, cells), lanes, [=](auto it) {
    const std::size_t patch = it.get_id(lf::dim<0>);
    const auto cell = it.get_id(lf::dim<1>);
    const std::size_t begin = patch * cells * step_data<D, L>::temporaries;
    data.waves(patch, cell, [&](std::size_t t, const auto& value) { waves[cell + (begin + t * cells)] = value; });
  });
}

template <int D, layout L>
void batched_update(lf::handler& h, const step_data<D, L>& data, lf::view<const double> waves,
                    lf::view<double> speeds) {
  const std::size_t cells = data.shape.cells();
  const std::size_t inner = data.shape.first();
  const std::size_t span = data.shape.last() + 1 - inner;
  h.parallel_for(lf::range<2>(data.patches, span), lanes, [=](auto it) {
    const std::size_t patch = it.get_id(lf::dim<0>);
    const auto cell = it.get_id(lf::dim<1>) + inner;
    const std::size_t begin = patch * cells * step_data<D, L>::temporaries;
    it.if_(data.inside[cell] > 0.0, [&] {
      speeds[cell + patch * cells] = data.update(
          patch, cell, [&](std::size_t t, std::size_t offset) { return waves[cell + (begin + t * cells + offset)]; },
          [](const auto& store) { store(); });
    });
  });
}

template <int D, layout L>
void batched_fastest(lf::handler& h, const step_data<D, L>& data, lf::view<const double> speeds) {
  const std::size_t cells = data.shape.cells();
  h.parallel_for(lf::range<1>(data.patches), [=](lf::id<1> patch) {
    double fastest = 0;
    for (std::size_t cell = data.shape.first(); cell <= data.shape.last(); ++cell) {
      fastest = data.inside[cell] > 0 ? std::max(fastest, speeds[patch[0] * cells + cell]) : fastest;
    }
    data.fastest[patch[0]] = fastest;
  });
}

} // namespace finite_volumes
