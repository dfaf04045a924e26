// SPDX-License-Identifier: Apache-2.0
/// Steps of patches that lie on the host between two steps, anywhere in its memory: where the kernels have them
/// meanwhile.
#pragma once

#include "step.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace finite_volumes {

/// Where the patches are while they are stepped.
enum class memory_way {
  resident, ///< where they always are: in the program's arrays, or on the device
  managed,  ///< in memory of the device, from a pool that recycles it
  copies,   ///< in memory of the device that is allocated and freed for each step
  usm       ///< in shared memory, which is kept
};
inline constexpr const char* memory_way_names[] = {"resident", "managed", "copies", "usm"};

/// Brings patches to the kernels of a step and back: the same kernels, and the same values, in all ways but `resident`,
/// which needs none of this.
template <int D, layout L>
class offload {
public:
  /// Throws std::invalid_argument for `realisation::graph`, whose commands name their memory, and where the device has
  /// no memory of that kind. `q` is in order; `inside` has a value for each cell of a patch.
  offload(lf::queue& q, const patch_shape<D>& shape, std::span<const double> inside, realisation how, memory_way way);
  offload(const offload&) = delete;
  offload& operator=(const offload&) = delete;
  ~offload();

  /// Steps patch t from `from[t]` to `to[t]`, where the D + 2 values of its cells, halo included, lie one behind the
  /// other; `fastest` gets the speed of its fastest wave. `scale`: half of the step, by the size of a cell. The halos
  /// that are stepped to are of no use. Waits.
  void step(std::span<const double* const> from, std::span<double* const> to, std::span<double> fastest, double scale);

private:
  /// Arrays of the kernels' memory, for all patches.
  struct arrays {
    double *from = nullptr, *to = nullptr, *fastest = nullptr, *scale = nullptr;
    double *waves = nullptr, *speeds = nullptr; ///< of the batched realisation
  };
  class lent;

  [[nodiscard]] double* allocate(std::size_t count);
  void free(double* memory);
  void submit(const arrays& at, std::size_t patches);
  void gather(std::span<const double* const> from, double* to);
  void scatter(const double* from, std::span<double* const> to);
  void step_copies(const arrays& at, std::span<const double* const> from, std::span<double* const> to,
                   std::span<double> fastest);
  void step_shared(const arrays& at, std::span<const double* const> from, std::span<double* const> to,
                   std::span<double> fastest);

  lf::queue m_queue;
  lf::queue m_host; ///< which gathers and scatters
  bool m_is_cpu;
  patch_shape<D> m_shape;
  realisation m_how;
  memory_way m_way;
  std::optional<lf::memory_pool> m_pool;
  std::vector<double> m_staging; // what a device copies
  double m_scale = 0;
  double* m_inside;
  std::unique_ptr<lent> m_kept; // of shared memory
};

} // namespace finite_volumes
