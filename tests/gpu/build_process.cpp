// SPDX-License-Identifier: Apache-2.0
// A process of its own for the tests of the program cache: says that it is ready, or that it has no device, waits for a
// line, builds a program on the first device, runs it, and says what became of it.
#include <lanefold/gpu/program_cache.hpp>
#include <lanefold/gpu/queue.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>

namespace gpu = lanefold::gpu;

int main() {
  try {
    if (gpu::devices().empty()) { // a GPU may be for one process alone
      std::puts("none");
      return 0;
    }
    gpu::queue q(gpu::devices().at(0));
    const gpu::buffer<std::int32_t> out(q, 64);
    q.fill(out, 0).wait(); // makes what a context needs
    gpu::build_options options;
    options.work_group = {64, 1, 1};
    const gpu::kernel k("kernel void k(global int* out) {\n"
                        "  LANEFOLD_SCRATCH(s);\n"
                        "  const int total = lf_reduce_plus_int(lf_local_id(), &s);\n"
                        "  out[lf_local_id()] = total + lf_inclusive_scan_plus_int(1, &s);\n"
                        "}\n",
                        "k", options);
    std::puts("ready");
    std::fflush(stdout);
    if (std::getchar() == EOF)
      return 2;
    const auto begin = std::chrono::steady_clock::now();
    q.build(k);
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
    q.launch(k, lanefold::nd_range<1>(64, 64), out).wait();
    std::int32_t result[64] = {};
    q.copy(out, result, 64).wait();
    const gpu::program_cache_counters c = gpu::get_program_cache_counters();
    std::printf("%zu %zu %zu %zu %d %g\n", c.builds, c.disk_hits, c.bad_files, c.failed_writes, result[63],
                taken.count());
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
