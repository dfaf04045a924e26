// SPDX-License-Identifier: Apache-2.0
/// Heavy items, few and many, as costly as each other or ever more so: how evenly threads share them; and how soon,
/// where there is little to do.
#include "programs.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
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
constexpr form few_groups{"groups_of_256", ours::space::groups_of_256};

/// Each thread has about so many microseconds to do, whatever the number of items is. The name of a form stands between
/// `before` and `behind`.
void measure(report& to, const options& given, std::size_t count, double microseconds, bool rising,
             const std::string& before, const std::string& behind, std::span<const form> over = forms) {
  const auto steps_of_all = 1000 * microseconds * given.threads;
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
  for (const form& each : over)
    to.compare(before + each.name + behind + "/openmp", quantity::speed,
               expected.of(ours::heavy(items, each.over, given.threads)), openmp);
}

/// Items of 4,096 steps each, which compilers vectorise: pieces of less than a register cost as much as a register.
void measure_vectorised(report& to, const options& given, std::size_t count) {
  array<float> values(count);
  const heavy_items items{count, nullptr, values.data()};
  const expectation expected{
      [&] { std::fill(values.begin(), values.end(), -1.f); },
      [&]() -> std::string {
        for (std::size_t i = 0; i < count; ++i)
          if (!(std::abs(values[i] - heavy_item(i, lanefold_peers::even_steps)) <= 1e-3f * (1 + values[i])))
            return "item " + std::to_string(i) + " is wrong";
        return {};
      }};
  const side openmp = expected.of(std::vector<work>{plain::heavy(items, plain::schedule::fixed, given.threads)});
  for (const form& each : std::span(forms, 2))
    to.compare(std::string("shares/vectorised/") + each.name + "/" + std::to_string(count) + "/openmp", quantity::speed,
               expected.of(ours::heavy(items, each.over, given.threads)), openmp);
}

} // namespace

void measure_shares(report& to, const options& given) {
  if (given.absolute_times)
    return;
  for (const std::size_t count : {64, 1024, 8192, 65536})
    for (const bool rising : {false, true}) {
      const std::string before = rising ? "shares/rising/" : "shares/even/";
      measure(to, given, count, 3000, rising, before, "/" + std::to_string(count));
      if (count == 1024 || count == 8192)
        measure(to, given, count, 3000, rising, before, "/" + std::to_string(count), std::span(&few_groups, 1));
    }
  for (const std::size_t count : {1024, 8192, 65536})
    measure_vectorised(to, given, count);
  for (const int microseconds : {1, 5, 20, 100})
    measure(to, given, 256, microseconds, false, "shares/short/", "/" + std::to_string(microseconds),
            std::span(forms, 1));
}

} // namespace lanefold_benchmarks
