// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/device.hpp>

#include "executor_threads.hpp"

#include <fstream>

LANEFOLD_BEGIN_NAMESPACE

std::string device::get_name() const {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    if (line.starts_with("model name")) {
      const std::size_t colon = line.find(": ");
      return colon == std::string::npos ? line : line.substr(colon + 2);
    }
  }
  return "CPU";
}

std::size_t device::max_compute_units() const { return detail::available_cores(); }

LANEFOLD_END_NAMESPACE
