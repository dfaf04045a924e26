// SPDX-License-Identifier: Apache-2.0
/// Declares what the GPU benchmarks share: work on either side, its time for each round, and the lines for
/// scripts/targets.
#pragma once

#include "cuda_peers.hpp"

#include <lanefold/gpu/algorithms.hpp>
#include <lanefold/gpu/queue.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lanefold_gpu_benchmarks {

namespace gpu = lanefold::gpu;
using lanefold_cuda::collective;
using lanefold_cuda::type;
using work_ptr = std::unique_ptr<lanefold_cuda::work>;

/// Work of ours: `submit(rounds)` and `fetch(to)`.
class opencl_work final : public lanefold_cuda::work {
public:
  opencl_work(gpu::queue q, std::function<void(unsigned)> submit, std::function<void(void*)> fetch)
      : m_queue(std::move(q)), m_submit(std::move(submit)), m_fetch(std::move(fetch)) {}

  double run(unsigned rounds) override {
    m_queue.wait();
    const auto begin = std::chrono::steady_clock::now();
    m_submit(rounds);
    m_queue.wait();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  void fetch(void* to) override { m_fetch(to); }

private:
  gpu::queue m_queue;
  std::function<void(unsigned)> m_submit;
  std::function<void(void*)> m_fetch;
};

/// Submits once a round.
inline work_ptr opencl_launches(const gpu::queue& q, std::function<void()> submit,
                                std::function<void(void*)> fetch = nullptr) {
  return std::make_unique<opencl_work>(
      q,
      [submit](unsigned rounds) {
        for (unsigned r = 0; r < rounds; ++r)
          submit();
      },
      std::move(fetch));
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/// Seconds of one round of each work: the difference between many and few rounds, so that launches do not count. The
/// works take turns; medians. A run that is not timed comes first each time: the GPU changes between CUDA's and
/// OpenCL's contexts, which takes longer than what is measured.
inline std::vector<double> seconds_per_round(const std::vector<lanefold_cuda::work*>& works, unsigned few,
                                             unsigned many, int repetitions = 9) {
  std::vector<std::vector<double>> fews(works.size()), manys(works.size());
  for (int r = 0; r < repetitions; ++r)
    for (std::size_t i = 0; i < works.size(); ++i) {
      works[i]->run(few);
      fews[i].push_back(works[i]->run(few));
      manys[i].push_back(works[i]->run(many));
    }
  std::vector<double> seconds;
  for (std::size_t i = 0; i < works.size(); ++i)
    seconds.push_back((median(manys[i]) - median(fews[i])) / (many - few));
  return seconds;
}

// Lines as scripts/targets reads them.
inline void say(const std::string& name, double value) {
  std::printf("%s\t%.4g\n", name.c_str(), value);
  std::fflush(stdout);
}
inline void say_skipped(const std::string& name, const std::string& why) {
  std::printf("%s\tskipped\t%s\n", name.c_str(), why.c_str());
}
inline void say_wrong(const std::string& name, const std::string& why) {
  std::printf("%s\twrong\t%s\n", name.c_str(), why.c_str());
}
inline void note(const std::string& text) {
  std::printf("# %s\n", text.c_str());
  std::fflush(stdout);
}

void measure_collectives(const gpu::queue& q);
/// Every variant of every collective, for whoever tunes the library.
void explore_collectives(const gpu::queue& q);
void measure_device_wide(const gpu::queue& q);
void explore_device_wide(const gpu::queue& q);
void measure_programs(const gpu::queue& q);
void measure_recorded(const gpu::queue& q);
/// Measures a step of examples/finite_volumes, patch-wise, and its other realisations.
void measure_finite_volumes(const gpu::queue& q);
/// Runs the same rounds of a collective in a recorded kernel; null for types of which there are none.
work_ptr recorded_collective(const gpu::queue& q, type t, collective what, std::size_t group,
                             const std::vector<std::byte>& start);
/// The collectives of recorded kernels alone, beside CUB.
void measure_recorded_collectives(const gpu::queue& q);
/// Measures sorts of work-groups and algorithms of parts of sub-groups in recorded kernels.
void measure_recorded_parts(const gpu::queue& q);
/// Measures what launches of recorded kernels cost that are in memory.
void measure_recorded_launch(const gpu::queue& q);
void measure_launch(const gpu::queue& q);
void measure_cache(const char* self);
/// In a process of its own: prints the milliseconds until a program is ready.
void start_with_cache();

} // namespace lanefold_gpu_benchmarks
