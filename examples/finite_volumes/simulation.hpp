// SPDX-License-Identifier: Apache-2.0
/// A gas in a box of patches, from one time to another.
#pragma once

#include "box.hpp"
#include "device_steps.hpp"
#include "halos.hpp"
#include "offload.hpp"
#include "ranks.hpp"
#include "shares.hpp"
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

/// The values of patches, aligned for vectors of them.
using patch_values = std::vector<double, lf::buffer_allocator<double>>;

/// Holds a rank's part of what a checkpoint does, besides the box: rows of p cells. That of one rank alone is the whole
/// box in row-major order.
template <int D>
struct snapshot {
  double time = 0;
  std::uint64_t steps = 0;
  std::uint32_t pictures = 0;      ///< that were written before
  std::vector<std::uint64_t> rows; ///< where each row begins, among the cells of the box in row-major order; rising
  std::vector<double> states;      ///< D + 2 values of each cell of these rows
};

/// Thrown where pressure or density are not positive any more.
struct gas_is_gone : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A rank's share of a simulation, on the threads of one queue or on the queue's device. In other ways than
/// memory_way::resident the host has the patches between two steps, fills their halos and chooses the length of the
/// step; one rank does. Steps are as long as the fastest wave of any patch of any rank allows; the states are the same,
/// bit by bit, for any number of ranks. Where there are several, making one, run, totals and what is said to be
/// collective are called by all of them.
template <int D, layout L>
class simulation {
public:
  static constexpr std::size_t variables = D + 2;
  using state = std::array<double, variables>;

  /// `initial(centre)` is the state of a cell at the beginning.
  simulation(lf::queue& q, const box<D>& where, double cfl, realisation how,
             const std::function<state(const std::array<double, D>&)>& initial,
             std::shared_ptr<ranks> among = make_only_rank(), memory_way way = memory_way::resident);
  /// Goes on from what was saved, by any number of ranks; `from` has the rows of this rank's patches (read_checkpoint).
  simulation(lf::queue& q, const box<D>& where, double cfl, realisation how, const snapshot<D>& from,
             std::shared_ptr<ranks> among = make_only_rank(), memory_way way = memory_way::resident);
  simulation(const simulation&) = delete;
  simulation& operator=(const simulation&) = delete;

  /// Runs at most `steps` steps (an even number), and none behind `end`. Throws gas_is_gone; the state is then that of
  /// no time, and what was saved before is what there is.
  void run(std::size_t steps, double end);

  [[nodiscard]] double time() const noexcept { return m_clock.time; }
  [[nodiscard]] std::uint64_t steps() const noexcept { return m_clock.steps; }
  /// Returns the state of a cell, or nothing where another rank has it.
  [[nodiscard]] std::optional<state> at(const std::array<std::size_t, D>& cell) const;
  /// Returns the rows of this rank.
  [[nodiscard]] snapshot<D> save() const;
  /// The sum of each variable over the box, times the volume of a cell.
  [[nodiscard]] state totals() const;
  /// Submits a step without anything around it, for measurements: its input stays as it is.
  void submit_bare_step();

private:
  struct clock {
    double time = 0;
    double step = 0;
    double scale = 0; ///< half of the step, by the size of a cell
    std::uint64_t steps = 0;
    bool gone = false; ///< pressure or density are not positive in a patch of some rank
  };
  using graph_of_steps = lf::graph::command_graph<lf::graph::graph_state::executable>;

  simulation(lf::queue& q, const box<D>& where, double cfl, realisation how, const shares<D>& all,
             std::shared_ptr<ranks> among, memory_way way);
  void choose_step(double end);
  void submit(std::size_t parity, double end);
  void submit_step(const step_data<D, L>& data);
  void run_on_device(std::size_t steps, double end);
  void run_offloaded(std::size_t steps, double end);
  void make_graph();
  void begin();
  [[nodiscard]] bool is_gone() const;
  [[nodiscard]] step_data<D, L> data(std::size_t parity, std::size_t first, std::size_t count);

  lf::queue& m_queue;
  std::shared_ptr<ranks> m_ranks;
  box<D> m_box;
  patch_shape<D> m_shape;
  double m_cfl;
  realisation m_how;
  std::vector<std::size_t> m_patches; // of this rank; a patch's slot is its place here
  std::vector<patch_row> m_rows;
  halos<D, L> m_halos;
  std::array<patch_values, 2> m_states; // the newest ones are in the first one when no step runs
  std::vector<double> m_fastest;
  std::vector<double> m_inside;
  std::vector<double> m_waves; // of the batched realisation
  std::vector<double> m_speeds;
  std::unique_ptr<device_steps<D, L>> m_device;
  std::unique_ptr<offload<D, L>> m_offload; // where patches come back after each step
  clock m_clock;
  double m_end = 0;
  std::optional<graph_of_steps> m_two_steps;
  std::optional<graph_of_steps> m_bare_step;
};

} // namespace finite_volumes
