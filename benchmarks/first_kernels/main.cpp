// SPDX-License-Identifier: Apache-2.0
/// The measurements behind the targets of the area `first_kernels` (benchmarks/targets.py). Names of programs limit it
/// to those; `--absolute` measures the OpenMP loops alone.
#include "programs.hpp"

#include <algorithm>
#include <cmath>

int main(int argc, char** argv) {
  using namespace lanefold_benchmarks;
  const options given = parse_options(argc, argv);
  lanefold_peers::prepare_process(given.threads, argv);

  report to(given);
  to.note_environment(lanefold_peers::describe_environment());
  contest all(to, given);
  const auto run = [&](const char* name, void (*measure)(contest&, unsigned)) {
    to.run(name, [&](report&, const options&) { measure(all, given.threads); });
  };
  run("stencil", measure_stencil);
  run("compaction", measure_compaction);
  run("histogram", measure_histogram);
  run("sparse", measure_sparse);
  run("sort", measure_sort);
  run("cholesky", measure_cholesky);
  run("fft", measure_fft);
  run("flux", measure_flux);
  run("monte_carlo", measure_monte_carlo);
  run("lattice", measure_lattice);
  run("volume", measure_volume);
  run("black_scholes", measure_black_scholes);
  run("pixels", measure_pixels);
  run("red_black", measure_red_black);

  const auto& speeds = all.speeds();
  if (given.only.empty() && !speeds.empty() &&
      std::none_of(speeds.begin(), speeds.end(), [](double s) { return s <= 0; })) {
    double logarithms = 0;
    for (const double speed : speeds)
      logarithms += std::log(speed);
    to.value("geometric_mean/openmp", std::exp(logarithms / static_cast<double>(speeds.size())));
  }
  return to.exit_status();
}
