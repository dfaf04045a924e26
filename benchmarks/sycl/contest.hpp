// SPDX-License-Identifier: Apache-2.0
/// A kernel against a loop that does the same to an array.
#pragma once

#include "by_hand.hpp"
#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace lanefold_benchmarks {

using lanefold_peers::array;

/// Compares kernels with a loop, and checks that they leave in `out` what the loop does, but for a part of it.
template <class T>
struct contest {
  report& to;
  const options& given;
  array<T>& out;
  double operations; ///< of a run, for absolute figures
  T tolerance = T(1e-4);
  std::vector<T> expected{};

  side side_of(work only) {
    return {{std::move(only)},
            [this] { std::fill(out.begin(), out.end(), T(-1)); },
            [this]() -> std::string {
              for (std::size_t i = 0; i < expected.size(); ++i) {
                if (!(std::fabs(out[i] - expected[i]) <= std::fabs(expected[i]) * tolerance))
                  return "element " + std::to_string(i) + " is wrong";
              }
              return {};
            },
            {},
            false};
  }
  void compare(const std::string& name, const work& loop, const std::string& form, const std::function<void()>& ours) {
    loop.run();
    expected.assign(out.begin(), out.end());
    const side by_hand = side_of(loop);
    if (given.absolute_times)
      to.absolute(name, by_hand, -operations * 1e-9, "Gop/s");
    else
      to.compare(name + "/by_hand", quantity::speed, side_of({form, ours, {}}), by_hand);
  }
};

} // namespace lanefold_benchmarks
