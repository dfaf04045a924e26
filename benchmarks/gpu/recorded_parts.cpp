// SPDX-License-Identifier: Apache-2.0
// Sorts of work-groups, and reductions and scans of chunks of eight work-items, in recorded kernels, against CUB.
#include "recorded_sides.hpp"

#include <cstdint>
#include <limits>
#include <random>

namespace lanefold_gpu_benchmarks {
namespace {

using lanefold_cuda::part;

constexpr std::size_t items = 131072;

/// See lanefold_cuda::repeat_part.
template <class T>
work_ptr recorded_part(const gpu::queue& q, part what, std::size_t group, const std::vector<T>& start) {
  return recorded_rounds(q, group, start, [what](const auto& it, const auto&, auto& x) {
    const auto chunk = lf::chunked_partition<8>(it.get_sub_group());
    const auto next = [&](const auto& y) { x = y * T(1664525) + T(1013904223); };
    if (what == part::sort)
      next(lf::sort_over_group(it.get_group(), x));
    else if (what == part::reduce_chunk)
      next(lf::reduce_over_group(chunk, x, lf::plus<>()));
    else
      next(lf::inclusive_scan_over_group(chunk, x, lf::plus<>()));
  });
}

template <class T>
void measure_part(const gpu::queue& q, part what, const std::string& kind, std::size_t group) {
  const std::string name = std::string("recorded/") +
                           (what == part::sort           ? "sort/"
                            : what == part::reduce_chunk ? "reduce_chunk/"
                                                         : "scan_chunk/") +
                           kind + "/" + std::to_string(group);
  std::vector<T> start(items);
  std::mt19937_64 random(3);
  for (T& x : start)
    x = static_cast<T>(random());
  const bool is_cpu = q.get_device().is_cpu();
  std::vector<work_ptr> works;
  works.push_back(recorded_part(q, what, group, start));
  for (int algorithm = 0; lanefold_cuda::absent().empty() && algorithm < (what == part::sort ? 2 : 1); ++algorithm)
    if (work_ptr peer = lanefold_cuda::repeat_part(what, sizeof(T), algorithm, group, items, start.data()))
      works.push_back(std::move(peer));
  std::vector<lanefold_cuda::work*> all;
  std::vector<T> found(items), wanted(items);
  for (const work_ptr& each : works) {
    each->run(3);
    each->fetch(all.empty() ? found.data() : wanted.data());
    all.push_back(each.get());
    if (all.size() > 1 && found != wanted)
      return say_wrong(name + "/cub", "the results are not those of CUB");
  }
  const std::vector<double> t = seconds_per_round(all, 4, is_cpu ? 8 : what == part::sort ? 204 : 4004);
  std::string text = name + ": " + std::to_string(t[0] * 1e9) + " ns";
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t k = 1; k < t.size(); ++k) {
    text += ", CUB " + std::to_string(t[k] * 1e9) + " ns";
    best = std::min(best, t[k]);
  }
  note(text);
  if (t.size() > 1)
    say(name + "/cub", t[0] / best);
  else
    say_skipped(name + "/cub", lanefold_cuda::absent());
}

} // namespace

void measure_recorded_parts(const gpu::queue& q) {
  for (const part what : {part::sort, part::reduce_chunk, part::scan_chunk})
    for (const std::size_t group : {64, 256, 1024})
      if (what == part::sort || group == 256) {
        measure_part<std::uint32_t>(q, what, "uint32", group);
        measure_part<std::uint64_t>(q, what, "uint64", group);
      }
}

} // namespace lanefold_gpu_benchmarks
