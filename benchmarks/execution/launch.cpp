// SPDX-License-Identifier: Apache-2.0
/// Submitting an empty kernel of 1024 groups of 256 and waiting for it; and the memory that launches keep.
#include "programs.hpp"

namespace lanefold_benchmarks {

void measure_launch(report& to, const options& given) {
  namespace opencl = lanefold_peers::opencl;
  const expectation nothing{};
  const auto peer = [](const opencl::device_ptr& on) { return opencl::empty_launch(on); };
  if (given.absolute_times) {
    to.absolute("launch", nothing.ours(ours::empty_launch(1024, 256, given.threads)), 1e6, "us");
    to.absolute("launch", nothing.on(opencl::intel, peer), 1e6, "us");
    to.absolute("launch", nothing.on(opencl::pocl, peer), 1e6, "us");
    return;
  }
  const side ours = nothing.of(ours::empty_launch(1024, 256, given.threads));
  if (ours.candidates.empty())
    to.skipped("launch/microseconds", ours.absent);
  else
    to.value("launch/microseconds", 1e6 * timed(ours.candidates.front().run, given.how).median);
  to.compare("launch/intel", quantity::time, ours, nothing.on(opencl::intel, peer));
}

void measure_memory(report& to, const options& given) {
  if (given.absolute_times)
    return;
  if (const auto bytes = ours::resident_bytes_per_unit(given.threads))
    to.value("memory/unit", *bytes / 1024);
  else
    to.skipped("memory/unit", "Lanefold's side is not written yet");
}

} // namespace lanefold_benchmarks
