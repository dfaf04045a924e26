// SPDX-License-Identifier: Apache-2.0
/// The measurements behind the targets of the area `sycl` (benchmarks/targets.py). Names of programs limit it to those;
/// `--absolute` measures the loops by hand alone.
#include "programs.hpp"

int main(int argc, char** argv) {
  using namespace lanefold_benchmarks;
  const options given = parse_options(argc, argv);
  lanefold_peers::prepare_process(given.threads, argv);

  report to(given);
  to.note_environment(lanefold_peers::describe_environment());
  to.run("submission", measure_submission);
  to.run("independent", measure_independent);
  to.run("buffers", measure_buffers);
  to.run("reduction", measure_reduction);
  to.run("histogram", measure_histogram);
  to.run("stencil", measure_stencil);
  to.run("inner_loops", measure_inner_loops);
  to.run("functions", measure_functions);
  to.run("calls", measure_calls);
  return to.exit_status();
}
