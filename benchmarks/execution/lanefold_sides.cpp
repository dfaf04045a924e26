// SPDX-License-Identifier: Apache-2.0
#include "lanefold_sides.hpp"

namespace lanefold_benchmarks::ours {

std::vector<work> barrier_shift(std::uint32_t*, std::size_t, std::size_t, unsigned, model, engine, unsigned) {
  return {};
}
std::vector<work> tree_reduction(const double*, std::size_t, double*, std::size_t, model, engine, unsigned) {
  return {};
}
std::vector<work> matmul_tiled(const double*, const double*, double*, std::size_t, unsigned) { return {}; }
std::vector<work> nbody(const bodies<float>&, unsigned) { return {}; }
std::vector<work> nbody(const bodies<double>&, unsigned) { return {}; }
std::vector<work> mandelbrot(const picture&, model, unsigned) { return {}; }
std::vector<work> triad(float*, const float*, const float*, float, std::size_t, std::size_t, std::size_t, model,
                        unsigned) {
  return {};
}
std::vector<work> triad(double*, const double*, const double*, double, std::size_t, std::size_t, std::size_t, model,
                        unsigned) {
  return {};
}
std::vector<work> empty_launch(std::size_t, std::size_t, unsigned) { return {}; }
std::optional<double> resident_bytes_per_unit(unsigned) { return std::nullopt; }

} // namespace lanefold_benchmarks::ours
