// SPDX-License-Identifier: Apache-2.0
/// Names the strategies that typed tests run under.
#pragma once

#include <lanefold/execution/strategy.hpp>

#include <string>
#include <type_traits>

/// A stand-in for a strategy has a `test_name`.
template <class Strategy>
std::string strategy_name() {
  if constexpr (requires { Strategy::test_name; }) {
    return Strategy::test_name;
  } else if constexpr (std::is_same_v<Strategy, lanefold::scalar>) {
    return "scalar";
  } else if constexpr (std::is_same_v<Strategy, lanefold::omp_simd>) {
    return "omp_simd";
  } else {
    return "simd<" + std::to_string(Strategy::rows) + "," + std::to_string(Strategy::columns) + ">";
  }
}

struct strategy_names {
  template <class Strategy>
  static std::string GetName(int) {
    return strategy_name<Strategy>();
  }
};
