// SPDX-License-Identifier: Apache-2.0
/// The gas that is measured.
#pragma once

#include "euler.hpp"

#include <array>
#include <cmath>

namespace lanefold_benchmarks {

/// Returns a state that varies along all dimensions.
template <int D>
auto uneven(const std::array<double, D>& at) {
  typename finite_volumes::euler<D>::template state<double> q{};
  q[0] = 1 + 0.1 * std::sin(40 * at[0] + 30 * at[1]);
  q[1] = 0.1 * std::cos(50 * at[1]);
  q[2] = 0.1 * std::sin(20 * at[0]);
  q[D + 1] = 2.5 + 0.2 * std::cos(30 * at[D - 1]);
  return q;
}

} // namespace lanefold_benchmarks
