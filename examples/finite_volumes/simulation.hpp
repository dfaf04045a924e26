// SPDX-License-Identifier: Apache-2.0
/// A gas in a box of patches, from one time to another.
#pragma once

#include "step.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

namespace finite_volumes {

/// Says what lies behind a side of the box.
enum class boundary { outflow, wall, periodic };

/// The box: patches along each dimension, cells of equal edges; it begins at 0 in each dimension.
template <int D>
struct box {
  std::array<std::size_t, D> patches;
  std::size_t p;
  double cell_size;
  std::array<boundary, D> sides;

  [[nodiscard]] std::size_t count() const noexcept {
    std::size_t result = 1;
    for (const std::size_t n : patches) {
      result *= n;
    }
    return result;
  }
  [[nodiscard]] std::array<std::size_t, D> place(std::size_t patch) const noexcept {
    std::array<std::size_t, D> at{};
    for (std::size_t d = D; d-- > 0; patch /= patches[d]) {
      at[d] = patch % patches[d];
    }
    return at;
  }
  /// The number of cells along a dimension.
  [[nodiscard]] std::size_t cells(std::size_t d) const noexcept { return patches[d] * p; }
};

/// Holds what a checkpoint does, besides the box.
template <int D>
struct snapshot {
  double time = 0;
  std::uint64_t steps = 0;
  std::vector<double> states; ///< D + 2 values of each cell, cells in row-major order of the whole box
};

/// Thrown where pressure or density are not positive any more.
struct gas_is_gone : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A simulation on the threads of one queue. Steps are as long as the fastest wave of any patch allows.
template <int D, layout L>
class simulation {
public:
  static constexpr std::size_t variables = D + 2;
  using state = std::array<double, variables>;

  /// `initial(centre)` is the state of a cell at the beginning.
  simulation(lf::queue& q, const box<D>& where, double cfl, realisation how,
             const std::function<state(const std::array<double, D>&)>& initial);
  simulation(lf::queue& q, const box<D>& where, double cfl, realisation how, const snapshot<D>& from);
  simulation(const simulation&) = delete;
  simulation& operator=(const simulation&) = delete;

  /// Runs at most `steps` steps (an even number), and none behind `end`. Throws gas_is_gone; the state is then that of
  /// no time, and what was saved before is what there is.
  void run(std::size_t steps, double end);

  [[nodiscard]] double time() const noexcept { return m_clock.time; }
  [[nodiscard]] std::uint64_t steps() const noexcept { return m_clock.steps; }
  /// The state of a cell of the whole box.
  [[nodiscard]] state at(const std::array<std::size_t, D>& cell) const;
  [[nodiscard]] snapshot<D> save() const;
  /// The sum of each variable over the box, times the volume of a cell.
  [[nodiscard]] state totals() const;
  /// Submits a step without anything around it, for measurements: its input stays as it is.
  void submit_bare_step();

private:
  struct clock {
    double time = 0;
    double step = 0;
    std::uint64_t steps = 0;
    std::size_t gone = none; ///< a patch with pressure or density that is not positive
  };
  static constexpr std::size_t none = ~std::size_t{0};

  simulation(lf::queue& q, const box<D>& where, double cfl, realisation how);
  void fill_halo(double* values, std::size_t patch) const;
  void choose_step(double end);
  void submit(std::size_t parity, double end);
  void make_graph();
  void learn_waves();
  [[nodiscard]] step_data<D, L> data(std::size_t parity);
  [[nodiscard]] std::size_t neighbour(std::size_t patch, std::size_t d, bool above) const;

  lf::queue& m_queue;
  box<D> m_box;
  patch_shape<D> m_shape;
  double m_cfl;
  realisation m_how;
  std::array<std::vector<double>, 2> m_states; // the newest ones are in the first one when no step runs
  std::vector<double> m_fastest;
  std::vector<double> m_inside;
  std::vector<std::size_t> m_neighbours; // below and above each patch, along each dimension; none: the box ends
  batch_memory m_batch;
  clock m_clock;
  double m_end = 0;
  std::optional<lf::graph::command_graph<lf::graph::graph_state::executable>> m_two_steps;
  std::optional<lf::graph::command_graph<lf::graph::graph_state::executable>> m_bare_step;
};

} // namespace finite_volumes
