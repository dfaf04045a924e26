// SPDX-License-Identifier: Apache-2.0
/// Heavy items, few and many, as costly as each other or ever more so: how evenly threads share them.
#include "programs.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lanefold_benchmarks {

namespace {

using lanefold_peers::array;
using lanefold_peers::heavy_item;
using lanefold_peers::heavy_items;
namespace plain = lanefold_peers::plain;

struct form {
  const char* name;
  ours::space over;
};
constexpr form forms[] = {{"range", ours::space::range},
                          {"range_2d", ours::space::range_2d},
                          {"range_3d", ours::space::range_3d},
                          {"nd_range", ours::space::nd_range},
                          {"nd_range_3d", ours::space::nd_range_3d},
                          {"reduction", ours::space::reduction}};

/// About five milliseconds of one thread, whatever the number of items is, for each thread.
void measure(report& to, const options& given, std::size_t count, bool rising) {
  const auto steps_of_all = 3e6 * given.threads;
  array<std::uint32_t> steps(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double even = steps_of_all / static_cast<double>(count);
    steps[i] =
        static_cast<std::uint32_t>(rising ? 2 * even * static_cast<double>(i) / static_cast<double>(count) : even);
  }
  array<float> values(count);
  const heavy_items items{count, steps.data(), values.data()};
  const expectation expected{[&] { std::fill(values.begin(), values.end(), -1.f); },
                             [&]() -> std::string {
                               for (std::size_t i = 0; i < count; ++i)
                                 if (!(std::abs(values[i] - heavy_item(i, steps[i])) <= 1e-3f * (1 + values[i])))
                                   return "item " + std::to_string(i) + " is wrong";
                               return {};
                             }};
  const side openmp = expected.of(std::vector<work>{plain::heavy(items, plain::schedule::fixed, given.threads),
                                                    plain::heavy(items, plain::schedule::dynamic, given.threads)});
  const std::string name = std::string("shares/") + (rising ? "rising/" : "even/");
  for (const form& each : forms)
    to.compare(name + each.name + "/" + std::to_string(count) + "/openmp", quantity::speed,
               expected.of(ours::heavy(items, each.over, given.threads)), openmp);
}

} // namespace

void measure_shares(report& to, const options& given) {
  if (given.absolute_times)
    return;
  for (const std::size_t count : {64, 1024, 8192, 65536})
    for (const bool rising : {false, true})
      measure(to, given, count, rising);
}

} // namespace lanefold_benchmarks
