// SPDX-License-Identifier: Apache-2.0
/// The measurements behind the targets of the area `gpu` (benchmarks/targets.py), on the device that
/// LANEFOLD_GPU_DEVICE names or the first GPU. Names of measurements limit it to those. `explore` measures every
/// variant instead.
#include "sides.hpp"

#include <cstring>
#include <filesystem>
#include <set>

/// scripts/targets takes this exit status for "skipped".
constexpr int nothing_to_measure = 77;

int main(int argc, char** argv) {
  using namespace lanefold_gpu_benchmarks;
  std::set<std::string> given;
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--threads") == 0)
      ++i; // of the CPU, for other areas
    else
      given.insert(argv[i]);
  if (given.contains("--start-with-cache")) {
    start_with_cache();
    return 0;
  }
  std::set<std::string> wanted;
  for (const char* const name :
       {"collectives", "device_wide", "programs", "recorded", "finite_volumes", "recorded_collectives",
        "recorded_parts", "recorded_launch", "launch", "cache", "explore_collectives", "explore_device_wide"})
    if (given.contains(name) || (std::strncmp(name, "explore", 7) != 0 && given.empty()))
      wanted.insert(name);
  const auto all = gpu::devices();
  if (all.empty()) {
    note("no OpenCL device: nothing to measure");
    return nothing_to_measure;
  }
  try {
    const gpu::queue q(gpu::default_selector_v, lanefold::property::queue::in_order());
    if (!q.get_device().is_gpu() && given.empty()) {
      note("no GPU: the targets are for one");
      return nothing_to_measure;
    }
    note(q.get_device().get_name() + ", " + q.get_device().get_platform_name() + ", driver " +
         q.get_device().get_driver_version());
    note("CUDA: " + (lanefold_cuda::absent().empty() ? std::string("there") : lanefold_cuda::absent()));
    const auto run = [&](const char* name, auto measure) {
      if (wanted.contains(name))
        measure();
    };
    run("launch", [&] { measure_launch(q); });
    run("recorded_launch", [&] { measure_recorded_launch(q); });
    run("cache", [&] { measure_cache(std::filesystem::read_symlink("/proc/self/exe").c_str()); });
    run("programs", [&] { measure_programs(q); });
    run("recorded", [&] { measure_recorded(q); });
    run("finite_volumes", [&] { measure_finite_volumes(q); });
    run("recorded_collectives", [&] { measure_recorded_collectives(q); });
    run("recorded_parts", [&] { measure_recorded_parts(q); });
    run("device_wide", [&] { measure_device_wide(q); });
    run("collectives", [&] { measure_collectives(q); });
    run("explore_device_wide", [&] { explore_device_wide(q); });
    run("explore_collectives", [&] { explore_collectives(q); });
  } catch (const std::exception& e) {
    note(e.what());
    return 1;
  }
  return 0;
}
