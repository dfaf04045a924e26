// SPDX-License-Identifier: Apache-2.0
/// The steps of a simulation on an OpenCL device: what lies there, and the commands of a step.
#pragma once

#include "device_array.hpp"
#include "device_halos.hpp"
#include "ranks.hpp"
#include "step.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace finite_volumes {

/// What a clock says, as numbers of the device.
struct device_clock {
  double time = 0;
  double step = 0;
  double steps = 0;
  double gone = 0;  ///< 1 where pressure or density are not positive in a patch
  double scale = 0; ///< half of the step's length, by the size of a cell
  double end = 0;   ///< no step goes behind it

  static constexpr std::size_t values = 6;
};

/// Holds the patches of a rank on its device and steps them there: nothing comes back before `read` asks for it, but
/// the faces that other ranks need and the speed of the fastest wave.
template <int D, layout L>
class device_steps {
public:
  /// A step is at most `longest` by the speed of the fastest wave long. `of` outlives this, its first slots are those
  /// of the border. Throws std::invalid_argument where the device has no doubles, or too little local memory or too
  /// small work-groups for the realisation, std::runtime_error where it has too little memory.
  device_steps(lf::queue& q, const patch_shape<D>& shape, std::size_t patches, halos<D, L>& of,
               std::span<const double> inside, double cell_size, double longest, realisation how,
               std::shared_ptr<ranks> among);

  device_steps(const device_steps&) = delete;
  device_steps& operator=(const device_steps&) = delete;
  /// Waits: host tasks use what ends here.
  ~device_steps();

  void write(std::span<const double> states, std::span<const double> fastest);
  void write(const device_clock& now);
  /// Waits for the steps.
  void read(std::span<double> states, std::span<double> fastest, device_clock& now);
  /// Submits two steps; all ranks do.
  void submit_two();
  /// Submits a step without anything around it, for measurements: its input stays as it is.
  void submit_bare();

private:
  using graph_of_commands = lf::graph::command_graph<lf::graph::graph_state::executable>;

  [[nodiscard]] step_data<D, L> data(std::size_t parity, std::size_t first, std::size_t count) const;
  [[nodiscard]] lf::view<double> values(std::size_t parity) const { return m_states[parity].all(); }
  lf::event submit_step(std::size_t parity, std::size_t first, std::size_t count);
  lf::event submit_whole_step(std::size_t parity);
  void submit_two_among_ranks();
  lf::event submit_before_exchange(std::size_t parity);
  template <class F>
  lf::event submit_piece(std::size_t piece, const std::vector<lf::event>& after, const F& commands);

  lf::queue m_queue;
  std::optional<lf::queue> m_exchanges; ///< of the host, in order: what is collective, where there are several ranks
  std::shared_ptr<ranks> m_ranks;
  halos<D, L>& m_of;
  patch_shape<D> m_shape;
  std::size_t m_patches;
  double m_cell_size;
  double m_longest;
  realisation m_how;
  device_halos<D, L> m_halos;
  device_array<double> m_inside, m_fastest, m_clock;
  std::array<device_array<double>, 2> m_states;
  std::optional<device_array<double>> m_waves, m_speeds; // of the batched realisation
  device_array<double> m_fastest_of_all;                 // one value, and the same on the host
  double m_fastest_of_ranks = 0;
  std::array<std::optional<graph_of_commands>, 5> m_pieces; // of two steps, between which the host does something
};

} // namespace finite_volumes
