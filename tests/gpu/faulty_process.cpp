// SPDX-License-Identifier: Apache-2.0
// Does what oclgrind must complain about: functions of the device library without their barriers (`race`), or over more
// elements than an array has (`bounds`). Only for simulators.
#include <lanefold/gpu/queue.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>

namespace gpu = lanefold::gpu;

int main(int argc, char** argv) {
  try {
    const std::string fault = argc == 2 ? argv[1] : "";
    gpu::queue q(gpu::devices().at(0));
    if (q.get_device().get_platform_name().find("Oclgrind") == std::string::npos)
      return 2;
    const gpu::buffer<std::int32_t> in(q, 100), out(q, 32);
    q.fill(in, 1).wait();
    gpu::build_options options;
    options.work_group = {32, 1, 1};
    if (fault == "race")
      options.definitions["barrier(flags)"] = "";
    const gpu::kernel k("kernel void k(global const int* in, uint count, global int* out) {\n"
                        "  LANEFOLD_SCRATCH(s);\n"
                        "  const int sum = lf_joint_reduce_plus_int(in, count, &s);\n"
                        "  out[lf_local_id()] = lf_inclusive_scan_plus_int(sum, &s);\n"
                        "}\n",
                        "k", options);
    q.launch(k, lanefold::nd_range<1>(32, 32), in, fault == "bounds" ? 101u : 100u, out).wait();
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
