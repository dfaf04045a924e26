// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

#include "../../benchmarks/execution/programs.hpp"

namespace lanefold_bench {

const std::vector<program>& programs() {
  using namespace lanefold_benchmarks;
  static const std::vector<program> all = {{"peak", &measure_peak},
                                           {"triad", &measure_triad},
                                           {"transpose", &measure_transpose},
                                           {"barrier", &measure_barrier},
                                           {"launch", &measure_launch},
                                           {"reduction", &measure_reduction},
                                           {"mandelbrot", &measure_mandelbrot},
                                           {"nbody", &measure_nbody},
                                           {"matmul", &measure_matmul}};
  return all;
}

void prepare(unsigned threads, char** argv) { lanefold_peers::prepare_process(threads, argv); }

} // namespace lanefold_bench
