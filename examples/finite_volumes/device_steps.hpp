// SPDX-License-Identifier: Apache-2.0
/// The steps of a simulation on an OpenCL device: what lies there, and the commands of a step.
#pragma once

#include "halos.hpp"
#include "step.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace finite_volumes {

/// Memory of a device, which ends with this.
template <class T>
class device_array {
public:
  device_array(lf::queue& q, std::size_t count) : m_queue(q), m_count(count), m_data(lf::malloc_device<T>(count, q)) {
    if (m_data == nullptr) {
      throw std::runtime_error("the device has no memory for " + std::to_string(count * sizeof(T)) + " bytes more");
    }
  }
  device_array(lf::queue& q, std::span<const T> values) : device_array(q, values.size()) { write(values); }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;
  ~device_array() { lf::free(m_data, m_queue); }

  void write(std::span<const T> values) { m_queue.memcpy(m_data, values.data(), values.size_bytes()).wait_and_throw(); }
  void read(std::span<T> values) { m_queue.memcpy(values.data(), m_data, values.size_bytes()).wait_and_throw(); }
  [[nodiscard]] lf::view<T> all() const { return {m_data, m_count}; }

private:
  lf::queue m_queue;
  std::size_t m_count;
  T* m_data;
};

/// Halos on a device: `halo_cell`s, field by field, and the values of all patches.
template <int D, layout L>
struct device_halo {
  patch_shape<D> shape;
  lf::view<const std::uint32_t> to;
  lf::view<const std::uint32_t> from;
  lf::view<const std::uint32_t> turned;
  lf::view<double> values;
};

/// Submits a command that fills halos, to an in-order queue.
template <int D, layout L>
void fill_halos(lf::queue& q, const device_halo<D, L>& halo);

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

/// Holds the patches of a box on a device and steps them there: nothing comes back before `read` asks for it.
template <int D, layout L>
class device_steps {
public:
  /// A step is at most `longest` by the speed of the fastest wave long. Throws std::invalid_argument where the device
  /// has no doubles, or too little local memory or too small work-groups for the realisation.
  device_steps(lf::queue& q, const patch_shape<D>& shape, std::size_t patches, const std::vector<halo_cell>& halo,
               std::span<const double> inside, double cell_size, double longest, realisation how);

  void write(std::span<const double> states, std::span<const double> fastest);
  void write(const device_clock& now);
  /// Waits for the steps.
  void read(std::span<double> states, std::span<double> fastest, device_clock& now);
  /// Submits two steps.
  void submit_two();
  /// Submits a step without anything around it, for measurements: its input stays as it is.
  void submit_bare();

private:
  [[nodiscard]] step_data<D, L> data(std::size_t parity) const;
  void submit_step(std::size_t parity);
  void submit_whole_step(std::size_t parity);

  lf::queue m_queue;
  patch_shape<D> m_shape;
  std::size_t m_patches;
  double m_cell_size;
  double m_longest;
  realisation m_how;
  std::size_t m_local_memory; // bytes
  device_array<std::uint32_t> m_halo_to, m_halo_from, m_halo_turned;
  device_array<double> m_inside, m_fastest, m_clock, m_first, m_second;
  std::optional<device_array<double>> m_waves, m_speeds; // of the batched realisation
  std::optional<lf::graph::command_graph<lf::graph::graph_state::executable>> m_two_steps;
};

} // namespace finite_volumes
