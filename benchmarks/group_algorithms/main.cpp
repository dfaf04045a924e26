// SPDX-License-Identifier: Apache-2.0
/// The measurements behind the targets of the area `group_algorithms` (benchmarks/targets.py). `--absolute` prints
/// absolute times of the peers instead; names of programs limit it to those.
#include "programs.hpp"

int main(int argc, char** argv) {
  using namespace lanefold_benchmarks;
  const options given = parse_options(argc, argv);
  lanefold_peers::prepare_process(given.threads, argv);

  report to(given);
  to.note_environment(lanefold_peers::describe_environment());
  to.run("joint", measure_joint);
  to.run("values", measure_values);
  to.run("sub_groups", measure_sub_groups);
  to.run("sort", measure_sort);
  return to.exit_status();
}
