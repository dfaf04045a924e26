// SPDX-License-Identifier: Apache-2.0
/// Queues, launch properties and names of Lanefold's sides.
#pragma once

#include "sides.hpp"

#include <lanefold/lanefold.hpp>

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace lanefold_benchmarks::scoped {

namespace lf = lanefold;

/// A warm in-order queue that uses `threads` threads.
inline lf::queue& queue_with(unsigned threads) {
  static std::map<unsigned, std::unique_ptr<lf::queue>> queues;
  std::unique_ptr<lf::queue>& q = queues[threads];
  if (q == nullptr) {
    q = std::make_unique<lf::queue>(lf::property_list{lf::property::in_order{}, lf::property::threads{threads}});
  }
  return *q;
}

/// The strategy that suits each group of a kernel: as a launch without a strategy.
struct suitable {};

template <class Strategy>
auto how() {
  if constexpr (std::is_same_v<Strategy, suitable>) {
    return lf::properties<>();
  } else {
    return lf::properties{lf::property::strategy<Strategy>{}};
  }
}

template <class Strategy>
std::string form_name(const char* of_model) {
  const std::string text = of_model;
  if constexpr (std::is_same_v<Strategy, suitable>) {
    return text + ", default lanes";
  } else if constexpr (std::is_same_v<Strategy, lf::scalar>) {
    return text + ", scalar";
  } else if constexpr (std::is_same_v<Strategy, lf::omp_simd>) {
    return text + ", omp simd";
  } else {
    return text + ", " + std::to_string(Strategy::rows) + "x" + std::to_string(Strategy::columns) + " lanes";
  }
}

/// Calls `add.template operator()<Strategy>()` for `scalar`, `omp_simd`, or each of `Lanes`.
template <class... Lanes, class Add>
void for_strategies(strategy s, const Add& add) {
  switch (s) {
  case strategy::scalar: return add.template operator()<lf::scalar>();
  case strategy::omp_simd: return add.template operator()<lf::omp_simd>();
  case strategy::simd: return (add.template operator()<Lanes>(), ...);
  }
}

} // namespace lanefold_benchmarks::scoped
