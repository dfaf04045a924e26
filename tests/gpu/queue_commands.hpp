// SPDX-License-Identifier: Apache-2.0
/// Gives the tests of lanefold::queue on OpenCL devices their kernels, and a queue of each kind on each device.
#pragma once

#include "testing.hpp"

#include <lanefold/execution.hpp>
#include <lanefold/gpu.hpp>

#include <numeric>
#include <string>
#include <vector>

namespace gpu_testing {

namespace lf = lanefold;
using lf::errc;
using lf::nd_range;

inline constexpr const char* source = R"(
kernel void add(global const int* a, global const int* b, global int* out) {
  const size_t i = get_global_id(0);
  out[i] = a[i] + b[i];
}
kernel void times(global int* x, int factor) { x[get_global_id(0)] *= factor; }
kernel void iota(global int* x, int first) { x[get_global_id(0)] = first + (int)get_global_id(0); }
kernel void reverse_groups(global const int* in, global int* out, local int* t) {
  t[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[get_local_size(0) - 1 - get_local_id(0)];
}
kernel void slow(global int* x, int rounds) {
  int v = x[0];
  for (int i = 0; i < rounds; ++i)
    v = v * 1664525 + 1013904223;
  x[0] = v;
}
)";

inline gpu::kernel the(const char* name) { return {source, name}; }

inline std::vector<int> numbers(std::size_t count, int first) {
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), first);
  return all;
}

/// Each OpenCL device, with an in-order and an out-of-order queue.
class gpu_command : public testing::TestWithParam<bool> {
protected:
  template <class Test>
  void on_each_device(Test test) {
    LANEFOLD_NEED_OPENCL();
    for (const gpu::device& device : gpu::devices()) {
      SCOPED_TRACE(device.get_platform_name());
      lf::queue q = GetParam() ? lf::queue(device, lf::property::queue::in_order()) : lf::queue(device);
      test(q);
    }
  }
};

inline std::string name_of_order(const testing::TestParamInfo<bool>& order) {
  return order.param ? "in_order" : "out_of_order";
}

} // namespace gpu_testing
