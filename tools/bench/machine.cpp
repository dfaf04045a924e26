// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

#include <lanefold/version.hpp>

#include <ctime>
#include <fstream>
#include <string>
#include <thread>

namespace lanefold_bench {

namespace {

/// The first line of a file; empty if there is none.
std::string line_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos && (line.starts_with("model name") || line.starts_with("CPU part"))) {
      return line.substr(colon + 2);
    }
  }
  return "unknown";
}

nlohmann::json caches() {
  nlohmann::json all = nlohmann::json::array();
  for (int index = 0; index < 8; ++index) {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    const std::string level = line_of(folder + "level");
    if (!level.empty()) {
      all.push_back("L" + level + " " + line_of(folder + "type") + " " + line_of(folder + "size"));
    }
  }
  return all;
}

std::string now() {
  const std::time_t time = std::time(nullptr);
  char text[32];
  return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&time)));
}

} // namespace

nlohmann::json describe_machine() {
#if defined(__clang__)
  const std::string compiler = "clang++ " __clang_version__;
#else
  const std::string compiler = "g++ " __VERSION__;
#endif
  const std::string governor = line_of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  return {{"commit", LANEFOLD_BENCH_COMMIT},
          {"version", LANEFOLD_VERSION_STRING},
          {"compiler", compiler},
          {"flags", LANEFOLD_BENCH_FLAGS},
          {"libraries", LANEFOLD_BENCH_LIBRARIES},
          {"processor", processor()},
          {"hardware threads", std::thread::hardware_concurrency()},
          {"caches", caches()},
          {"governor", governor.empty() ? "unknown" : governor},
          {"time", now()}};
}

} // namespace lanefold_bench
