// SPDX-License-Identifier: Apache-2.0
/// The measurements behind the targets of the area `execution` (benchmarks/targets.py). `--absolute` prints times of
/// all forms and peers instead; names of programs limit it to those.
#include "programs.hpp"

int main(int argc, char** argv) {
  using namespace lanefold_benchmarks;
  const options given = parse_options(argc, argv);
  lanefold_peers::prepare_process(given.threads, argv);

  report to(given);
  to.note_environment(lanefold_peers::describe_environment());
  to.run("memory", measure_memory); // first: it looks at what the process keeps
  to.run("peak", measure_peak);
  to.run("launch", measure_launch);
  to.run("graph", measure_graph);
  to.run("shares", measure_shares);
  to.run("barrier", measure_barrier);
  to.run("triad", measure_triad);
  to.run("rows", measure_rows);
  to.run("columns", measure_columns);
  to.run("small_reals", measure_small_reals);
  to.run("division", measure_division);
  to.run("int_ids", measure_int_ids);
  to.run("vectors", measure_vectors);
  to.run("reduction", measure_reduction);
  to.run("matmul", measure_matmul);
  to.run("nbody", measure_nbody);
  to.run("mandelbrot", measure_mandelbrot);
  to.run("transpose", measure_transpose);
  return to.exit_status();
}
