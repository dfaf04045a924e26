// SPDX-License-Identifier: Apache-2.0
/// Measures what this machine can do at most: the floor and the roof of rooflines. No target names it.
#include "programs.hpp"

namespace lanefold_benchmarks {

void measure_peak(report& to, const options& given) {
  if (!given.absolute_times)
    return;
  namespace by_hand = lanefold_peers::by_hand;
  const auto flops = [&](const char* name, const by_hand::arithmetic& peak) {
    to.absolute(name, expectation{}.of(peak.run), -peak.flops * 1e-9, "GFLOP/s", {peak.flops, 0});
  };
  flops("peak/fp32", by_hand::multiply_add_fp32(given.threads));
  flops("peak/fp64", by_hand::multiply_add_fp64(given.threads));

  const std::size_t count = std::size_t{1} << (given.quick ? 24 : 25);
  lanefold_peers::array<double> in(count), out(1);
  const double bytes = static_cast<double>(count) * sizeof(double);
  to.absolute("peak/read", expectation{}.of(by_hand::sum(in.data(), count, out.data(), given.threads)), -bytes * 1e-9,
              "GB/s", {0, bytes});
}

} // namespace lanefold_benchmarks
