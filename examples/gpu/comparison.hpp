// SPDX-License-Identifier: Apache-2.0
/// Runs programs on an OpenCL device and on the CPU, and says how far apart their results are.
#pragma once

#include <lanefold/execution.hpp>
#include <lanefold/gpu.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace one_source {

namespace lf = lanefold;
namespace gpu = lanefold::gpu;

/// The largest relative difference.
template <class T>
double worst_difference(const std::vector<T>& a, const std::vector<T>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::fabs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    worst = std::max(worst, difference / std::max(1.0, std::fabs(static_cast<double>(b[i]))));
  }
  return worst;
}

/// Returns the share of all elements that differs: where rounding decides whether a loop goes on.
template <class T>
double share_of_different(const std::vector<T>& a, const std::vector<T>& b) {
  std::size_t different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    different += a[i] != b[i] ? 1 : 0;
  }
  return static_cast<double>(different) / static_cast<double>(a.size());
}

/// Counts the results that were too far apart.
inline int failures = 0;

inline void report(const char* program, const std::string& device, double difference, double bound) {
  const bool ok = difference <= bound;
  std::printf("%-20s %-40s difference from the CPU %.3g%s\n", program, device.c_str(), difference,
              ok ? "" : "  <- too large");
  failures += ok ? 0 : 1;
}

/// Runs `program(queue, out)` on the CPU and on a device; `out` begins with zeros.
template <class T, class Program>
void compare(const char* name, const gpu::device& device, std::size_t count, double bound, Program program,
             double (*difference)(const std::vector<T>&, const std::vector<T>&) = worst_difference<T>) {
  const auto result = [&](lf::queue q) {
    std::vector<T> out(count);
    {
      lf::buffer<T> buffer(out.data(), lf::range<1>(count));
      program(q, buffer);
    }
    return out;
  };
  report(name, device.get_name(), difference(result(lf::queue(device)), result(lf::queue())), bound);
}

} // namespace one_source
