// SPDX-License-Identifier: Apache-2.0
/// The transposition through local memory. No target names it: only the peers' times.
#include "programs.hpp"

namespace lanefold_benchmarks {

void measure_transpose(report& to, const options& given) {
  namespace opencl = lanefold_peers::opencl;
  if (!given.absolute_times)
    return;
  for (const std::size_t n : {std::size_t{1024}, std::size_t{4096}, std::size_t{4112}}) {
    lanefold_peers::array<float> in(n * n), out(n * n);
    for (std::size_t i = 0; i < n * n; ++i)
      in[i] = static_cast<float>(i % 65521);
    const expectation expected{[&] { std::fill(out.begin(), out.end(), -1.0f); },
                               [&]() -> std::string {
                                 for (std::size_t i = 0; i < n * n; ++i)
                                   if (out[i] != in[i % n * n + i / n])
                                     return "element " + std::to_string(i) + " is wrong";
                                 return {};
                               }};
    const auto peer = [&](const opencl::device_ptr& on) { return opencl::transpose(on, in.data(), out.data(), n, n); };
    const std::string name = "transpose/" + std::to_string(n);
    const double gigabytes = -static_cast<double>(n * n) * 2 * sizeof(float) * 1e-9;
    to.absolute(name, expected.on(opencl::intel, peer), gigabytes, "GB/s");
    to.absolute(name, expected.on(opencl::pocl, peer), gigabytes, "GB/s");
    to.absolute(name, expected.of(lanefold_peers::plain::transpose(in.data(), out.data(), n, n, given.threads)),
                gigabytes, "GB/s");
  }
}

} // namespace lanefold_benchmarks
