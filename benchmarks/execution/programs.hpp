// SPDX-License-Identifier: Apache-2.0
/// The programs behind the targets of the area `execution`, one file each.
#pragma once

#include "lanefold_sides.hpp"
#include "report.hpp"

#include <string>
#include <utility>
#include <vector>

namespace lanefold_benchmarks {

void measure_barrier(report&, const options&);
void measure_reduction(report&, const options&);
void measure_matmul(report&, const options&);
void measure_nbody(report&, const options&);
void measure_mandelbrot(report&, const options&);
void measure_triad(report&, const options&);
void measure_rows(report&, const options&);
void measure_columns(report&, const options&);
void measure_small_reals(report&, const options&);
void measure_division(report&, const options&);
void measure_int_ids(report&, const options&);
void measure_vectors(report&, const options&);
void measure_transpose(report&, const options&);
void measure_shares(report&, const options&);
void measure_graph(report&, const options&);
void measure_launch(report&, const options&);
void measure_memory(report&, const options&);
void measure_peak(report&, const options&);

/// Checks results: it spoils them, and says what is wrong with them.
struct expectation {
  std::function<void()> clear;
  std::function<std::string()> check;

  side of(std::vector<work> candidates, std::string absent = "Lanefold's side is not written yet") const {
    return {std::move(candidates), clear, check, std::move(absent), false};
  }
  /// Lanefold's forms; `how` follows their names, where that needs to be said.
  side ours(std::vector<work> candidates, const std::string& how = {}) const {
    for (work& each : candidates) {
      each.name += how;
    }
    side made = of(std::move(candidates));
    made.is_ours = true;
    return made;
  }
  side of(work only) const { return of(std::vector<work>{std::move(only)}); }

  /// The side of an OpenCL device, if it is there; `make(device)` returns the work.
  template <class Make>
  side on(lanefold_peers::opencl::device_ptr (*find)(std::string*), Make make) const {
    std::string reason;
    const auto device = find(&reason);
    return device ? of(std::vector<work>{make(device)}) : of(std::vector<work>{}, reason);
  }
};

} // namespace lanefold_benchmarks
