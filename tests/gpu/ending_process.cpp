// SPDX-License-Identifier: Apache-2.0
// A process that ends although nobody waits for what host tasks have given to queues of devices, which went with the
// tasks. It once waited for these commands for ever.
#include <lanefold/execution.hpp>
#include <lanefold/gpu.hpp>

namespace lf = lanefold;
namespace gpu = lanefold::gpu;

int main() {
  for (const gpu::device& device : gpu::devices()) {
    for (const bool in_order : {false, true}) {
      lf::queue q;
      lf::queue owner(device);
      int* const x = lf::malloc_device<int>(16, owner); // lives as long as the process
      q.submit([&](lf::handler& h) {
        h.host_task([x, device, in_order] {
          const lf::property_list order =
              in_order ? lf::property_list(lf::property::queue::in_order()) : lf::property_list();
          lf::queue inner(device, order);
          inner.fill(x, 1, 16);
        });
      });
      q.wait();
    }
  }
  return 0;
}
