// SPDX-License-Identifier: Apache-2.0
// A program of the module recorded alone, by its umbrella header: a kernel on an OpenCL device, if there is one, and
// its source.
#include <lanefold/recorded.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace lf = lanefold;
namespace gpu = lanefold::gpu;

int main() {
  constexpr std::size_t n = 256;
  std::vector<float> out(n);
  const lf::view<float> y(out.data(), n);
  const std::string text =
      gpu::source([=](auto it) { y[it.get_global_id(0)] = lf::sqrt(lf::convert<float>(it.get_local_id(0))); },
                  lf::nd_range<1>(n, 64));
  if (text.find("sqrt(") == std::string::npos) {
    std::puts(text.c_str());
    return 1;
  }
  if (!gpu::devices().empty()) {
    lf::queue q(gpu::devices().front());
    lf::buffer<float> buffer(out.data(), lf::range<1>(n));
    q.submit([&](lf::handler& h) {
      const lf::accessor x(buffer, h, lf::write_only, lf::no_init);
      const lf::local_accessor<float> tile(64, h);
      h.parallel_for(lf::nd_range<1>(n, 64), [=](auto it) {
        const auto l = it.get_local_id(0);
        tile[l] = lf::convert<float>(l);
        lf::group_barrier(it.get_group());
        x[it.get_global_id(0)] = tile[63U - l];
      });
    });
    return lf::host_accessor(buffer)[0] == 63.F ? 0 : 1;
  }
  return 0;
}
