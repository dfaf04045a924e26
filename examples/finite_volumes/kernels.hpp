// SPDX-License-Identifier: Apache-2.0
/// A time step of patches: the generic Rusanov solver over microkernels, in steps that are the same in all
/// realisations; and the realisations that run on CPUs and on devices.
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
  /// Values that the first half of a step leaves for the second one, of each cell: its motion. Fluxes and eigenvalues
  /// are a few multiplications of it; to keep them would be D * (D + 3) values to store, and to load twice.
  static constexpr std::size_t temporaries = D + 2;
  /// Bytes of local memory beside temporaries, for reductions: more than they need.
  static constexpr std::size_t more_memory = 1024;

  patch_shape<D, P> shape;
  std::size_t patches;
  lf::view<const double> from;
  lf::view<double> to;
  lf::view<double> fastest;
  lf::view<const double> inside;
  lf::view<const double> scale; ///< one value: half of the step's length, by the size of a cell

  /// Is true if a cell is read and written as a vector: the library sorts the values of the lanes' cells in registers.
  static constexpr bool in_vectors = P != 0 && L == layout::aos && variables == 4;
  using vector = lf::vec<double, 4>;

  template <class Patch, class Cell>
  auto state_of(const Patch& patch, const Cell& cell) const {
    if constexpr (in_vectors) {
      const lf::view<const vector> states(reinterpret_cast<const vector*>(from.data()), patches * shape.cells());
      const auto q = states[cell + patch * shape.cells()];
      return each([&](auto v) { return q[static_cast<int>(v())]; });
    } else {
      return each([&](auto v) { return from[value_at<L>(shape, patch, cell, v)]; });
    }
  }

  /// Calls f(n) for n from 0 to Times - 1, constants: values that such numbers choose stay in registers.
  template <std::size_t Times, class F>
  static void repeat(const F& f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (f(dimension<I>()), ...); }(std::make_index_sequence<Times>());
  }
  /// Calls f(v) with the number of each variable.
  template <class F>
  static void for_variables(const F& f) {
    repeat<variables>(f);
  }
  /// Returns what f returns for each variable.
  template <class F>
  static auto each(const F& f) {
    return for_all(std::make_index_sequence<variables>(), f);
  }

  /// The first half: the motion of a cell of state q, halo or not. `keep(t, value)` keeps its t-th temporary.
  template <class State, class Keep>
  static void waves(const State& q, const Keep& keep) {
    const auto motion = equations::motion_of(q);
    repeat<temporaries>([&](auto t) { keep(t, motion[t]); });
  }

  /// These return what flows along dimension n, a constant, in a cell of state q that lies `offset` further, and the
  /// speed of the fastest wave there. `near(t, offset)` is the t-th temporary of the cell that lies `offset` further.
  template <class N, class State, class Near>
  static auto flux_of(N n, const State& q, const Near& near, std::size_t offset) {
    using value = std::remove_cvref_t<decltype(q[0])>;
    return equations::flux(n, q, value(near(n, offset)), value(near(D, offset)));
  }
  template <class N, class Near>
  static auto eigenvalue_of(N n, const Near& near, std::size_t offset) {
    using value = std::remove_cvref_t<decltype(near(n, offset) + near(D + 1, offset))>;
    return equations::eigenvalue(value(near(n, offset)), value(near(D + 1, offset)));
  }

  /// Returns what flows along dimension n of a cell of state q that is not halo, twice.
  template <class N, class Patch, class Cell, class State, class Near>
  auto flow(N n, const Patch& patch, const Cell& cell, const State& q, const Near& near) const {
    using value = std::remove_cvref_t<decltype(q[0])>;
    const std::size_t along = shape.stride(n);
    const auto next = state_of(patch, cell + along);
    const auto last = state_of(patch, cell - along);
    const auto out = flux_of(n, next, near, along);
    const auto in = flux_of(n, last, near, -along);
    const auto here = eigenvalue_of(n, near, 0);
    const auto above = value(lf::max(here, eigenvalue_of(n, near, along)));
    const auto below = value(lf::max(here, eigenvalue_of(n, near, -along)));
    return each([&](auto v) { return value(out[v] - in[v] - above * (next[v] - q[v]) + below * (q[v] - last[v])); });
  }

  /// Returns the sums of what f returns for each dimension: one dimension after the other, so that they fit registers.
  template <std::size_t N = D, class F>
  static auto sum_along(const F& f) {
    if constexpr (N == 1) {
      return f(dimension<0>());
    } else {
      const auto sums = sum_along<N - 1>(f);
      const auto more = f(dimension<N - 1>());
      return each([&](auto v) { return std::remove_cvref_t<decltype(sums[v])>(sums[v] + more[v]); });
    }
  }

  /// Returns the state after the step of a cell of state q; `flows` are sums of what flows along all dimensions.
  template <class State, class Flows>
  auto next_state(const State& q, const Flows& flows) const {
    using value = std::remove_cvref_t<decltype(q[0])>;
    return each([&](auto v) { return value(q[v] - scale[0] * flows[v]); });
  }

  template <class Patch, class Cell, class State>
  void store(const Patch& patch, const Cell& cell, const State& next) const {
    if constexpr (in_vectors) {
      const lf::view<vector> states(reinterpret_cast<vector*>(to.data()), patches * shape.cells());
      states[cell + patch * shape.cells()] = lf::make_vec(next[0], next[1], next[2], next[3]);
    } else {
      for_variables([&](auto v) { to[value_at<L>(shape, patch, cell, v)] = next[v]; });
    }
  }

  /// The second half: the new state of a cell of state q that is not halo. `near(t, offset)` is the t-th temporary of
  /// the cell that lies `offset` further. Stores the state where `if_(f)` calls f, and returns the speed of its fastest
  /// wave.
  template <class Patch, class Cell, class State, class Near, class If>
  auto update(const Patch& patch, const Cell& cell, const State& q, const Near& near, const If& if_) const {
    const auto next = next_state(q, sum_along([&](auto n) { return flow(n, patch, cell, q, near); }));
    if_([&] { store(patch, cell, next); });
    return equations::fastest(next);
  }

private:
  template <std::size_t N>
  using dimension = std::integral_constant<std::size_t, N>;

  template <std::size_t... I, class F>
  static auto for_all(std::index_sequence<I...>, const F& f) {
    return std::array{f(dimension<I>())...};
  }
};

/// Eight doubles are a register of AVX-512; rows of patches are short, and wider units would be masked more often.
inline constexpr lf::properties lanes{lf::property::strategy<lf::simd<8>>{}};

/// Patch-wise: a work-group for each patch, a work-item for each of its cells, halo included. A mask
/// leaves the halo out of the second half; a barrier lies between the two.
template <int D, layout L>
void patch_wise(lf::handler& h, const step_data<D, L>& data) {
  const std::size_t cells = data.shape.cells();
  const std::size_t pitch = data.shape.pitch();
  lf::local_accessor<double> waves(pitch * step_data<D, L>::temporaries, h);
  h.parallel_for(lf::nd_range<1>(data.patches * cells, cells), lanes, [=](auto it) {
    const auto patch = it.get_group(0);
    const auto cell = it.get_local_id(0);
    const auto q = data.state_of(patch, cell);
    data.waves(q, [&](std::size_t t, const auto& value) { waves[cell + t * pitch] = value; });
    lf::group_barrier(it.get_group());
    auto fastest = it.var(0.0);
    it.if_(data.inside[cell] > 0.0, [&] {
      fastest = data.update(
          patch, cell, q, [&](std::size_t t, std::size_t offset) { return waves[cell + (t * pitch + offset)]; },
          [](const auto& store) { store(); });
    });
    const auto of_patch = lf::reduce_over_group(it.get_group(), fastest, lf::maximum<double>());
    it.if_(it.get_group().leader(), [&] { data.fastest[patch] = of_patch; });
  });
}

/// Scoped, in a form that can be recorded: what an item knows of its cell is private memory. The CPU's form
/// (cpu_kernels.hpp) keeps sums of a patch in plain variables.
template <int D, layout L>
void scoped_for_devices(lf::handler& h, const step_data<D, L>& data) {
  const std::size_t cells = data.shape.cells();
  lf::local_accessor<double> waves(cells * step_data<D, L>::temporaries, h);
  h.parallel(lf::range<1>(data.patches), lf::range<1>(cells), lanes, [=](auto group) {
    const auto patch = group.get_group_id(0);
    lf::memory_environment(group, lf::require_private_mem<double>(0.0), [&](auto& fastest) {
      lf::distribute_items_and_wait(group, [&](auto it) {
        const auto cell = it.get_local_id(group, 0);
        data.waves(data.state_of(patch, cell),
                   [&](std::size_t t, const auto& value) { waves[cell + t * cells] = value; });
      });
      lf::distribute_items(group, [&](auto it) {
        const auto cell = it.get_local_id(group, 0);
        it.if_(data.inside[cell] > 0.0, [&] {
          fastest(it) = data.update(
              patch, cell, data.state_of(patch, cell),
              [&](std::size_t t, std::size_t offset) { return waves[cell + (t * cells + offset)]; },
              [](const auto& store) { store(); });
        });
      });
      const auto of_patch = lf::reduce_over_group(group, fastest, lf::maximum<double>());
      lf::single_item(group, [&] { data.fastest[patch] = of_patch; });
    });
  });
}

// Batched: each half is a launch over all cells of all patches, and so is what is left to do for the eigenvalues.
// `waves` holds the temporaries of all patches, `speeds` a value for each cell.

template <int D, layout L>
void batched_waves(lf::handler& h, const step_data<D, L>& data, lf::view<double> waves) {
  const std::size_t cells = data.shape.cells();
  h.parallel_for(lf::range<2>(data.patches, cells), lanes, [=](auto it) {
    const auto patch = it.get_id(lf::dim<0>);
    const auto cell = it.get_id(lf::dim<1>);
    const auto begin = patch * cells * step_data<D, L>::temporaries;
    data.waves(data.state_of(patch, cell),
               [&](std::size_t t, const auto& value) { waves[cell + (begin + t * cells)] = value; });
  });
}

template <int D, layout L>
void batched_update(lf::handler& h, const step_data<D, L>& data, lf::view<const double> waves,
                    lf::view<double> speeds) {
  const std::size_t cells = data.shape.cells();
  const std::size_t inner = data.shape.first();
  const std::size_t span = data.shape.last() + 1 - inner;
  h.parallel_for(lf::range<2>(data.patches, span), lanes, [=](auto it) {
    const auto patch = it.get_id(lf::dim<0>);
    const auto cell = it.get_id(lf::dim<1>) + inner;
    const auto begin = patch * cells * step_data<D, L>::temporaries;
    it.if_(data.inside[cell] > 0.0, [&] {
      speeds[cell + patch * cells] = data.update(
          patch, cell, data.state_of(patch, cell),
          [&](std::size_t t, std::size_t offset) { return waves[cell + (begin + t * cells + offset)]; },
          [](const auto& store) { store(); });
    });
  });
}

/// A group of eight work-items, a register of the CPU, for each patch.
template <int D, layout L>
void batched_fastest(lf::handler& h, const step_data<D, L>& data, lf::view<const double> speeds) {
  constexpr std::size_t items = 8;
  const std::size_t cells = data.shape.cells();
  const std::size_t begin = data.shape.first();
  const std::size_t end = data.shape.last() + 1;
  h.parallel_for(lf::nd_range<1>(data.patches * items, items), lanes, [=](auto it) {
    const auto patch = it.get_group(0);
    auto fastest = it.var(0.0);
    it.for_(it.get_local_id(0) + begin, end, items, [&](auto cell) {
      fastest = lf::select(data.inside[cell] > 0.0, lf::max(fastest, speeds[cell + patch * cells]), fastest);
    });
    const auto of_patch = lf::reduce_over_group(it.get_group(), fastest, lf::maximum<double>());
    it.if_(it.get_group().leader(), [&] { data.fastest[patch] = of_patch; });
  });
}

} // namespace finite_volumes
