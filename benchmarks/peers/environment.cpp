// SPDX-License-Identifier: Apache-2.0
#include "peers.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <thread>

#include <unistd.h>

namespace lanefold_peers {

namespace {

/// Returns the nanoseconds that a line of the cache takes from one thread to another and back, the least of some
/// rounds. On a virtual machine they change with the processors that the host gives it: 80 to 430 on one AMD EPYC,
/// where kernels whose groups add to one counter (`compaction` of the first kernels) then take three times as long.
double round_trip() {
  constexpr int rounds = 20, returns = 1000;
  alignas(64) std::atomic<int> ball = 0;
  const auto wait_for = [&](int turn) {
    for (int asked = 0; ball.load(std::memory_order_acquire) != turn; ++asked)
      if (asked > returns) // the other thread may have no processor
        std::this_thread::yield();
  };
  std::thread other([&] {
    for (int turn = 1; turn < 2 * rounds * returns; turn += 2) {
      wait_for(turn);
      ball.store(turn + 1, std::memory_order_release);
    }
  });
  double least = std::numeric_limits<double>::max();
  for (int round = 0, turn = 0; round < rounds; ++round) {
    const auto before = std::chrono::steady_clock::now();
    for (int i = 0; i < returns; ++i, turn += 2) {
      ball.store(turn + 1, std::memory_order_release);
      wait_for(turn + 2);
    }
    least =
        std::min(least, std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - before).count());
  }
  other.join();
  return least / returns;
}

} // namespace

void prepare_process(unsigned threads, char** argv) {
  constexpr const char* done = "LANEFOLD_PEERS_PREPARED";
  if (std::getenv(done))
    return;
  const std::string count = std::to_string(threads);
  // Never OMP_PROC_BIND: it pins the main thread, and every thread that another implementation starts inherits that.
  const std::pair<const char*, std::string> settings[] = {
      {"OMP_NUM_THREADS", count},   {"OMP_DYNAMIC", "false"},          {"GOMP_SPINCOUNT", "10000"},
      {"KMP_BLOCKTIME", "1"}, // about 0.1 to 1 ms, instead of 10 and 200
      {"DPCPP_CPU_NUM_CUS", count}, {"POCL_MAX_PTHREAD_COUNT", count}, {done, "1"},
  };
  for (const auto& [name, value] : settings)
    setenv(name, value.c_str(), 0);
  execv("/proc/self/exe", argv); // returns only where that is impossible; OpenMP's settings are missed then
}

std::vector<std::string> describe_environment() {
  std::vector<std::string> lines;
  std::ifstream cpuinfo("/proc/cpuinfo");
  std::string line, cpu = "unknown";
  while (std::getline(cpuinfo, line))
    if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos) {
      cpu = line.substr(line.find(": ") + 2);
      break;
    }
  lines.push_back("cpu: " + cpu + ", " + std::to_string(std::thread::hardware_concurrency()) + " hardware threads");
  lines.push_back("from one thread to another and back: " + std::to_string(std::lround(round_trip())) + " ns");
#if defined(__clang__)
  lines.push_back("compiler: clang++ " __clang_version__);
#else
  lines.push_back("compiler: g++ " __VERSION__);
#endif
  lines.push_back("flags: " LANEFOLD_PEERS_FLAGS);
  std::string reason;
  const auto devices = opencl::cpu_devices(&reason);
  for (const auto& device : devices) {
    const auto& info = opencl::describe(device);
    lines.push_back("opencl: " + info.platform + ", " + info.device + ", driver " + info.driver + ", " +
                    std::to_string(info.compute_units) + " compute units");
  }
  if (devices.empty())
    lines.push_back("opencl: " + reason);
  return lines;
}

} // namespace lanefold_peers
