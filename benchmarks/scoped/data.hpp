// SPDX-License-Identifier: Apache-2.0
/// The programs' data, and what their results must be.
#pragma once

#include "report.hpp"
#include "sides.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace lanefold_benchmarks::scoped {

/// Checks results: it spoils them, and says what is wrong with them.
struct expectation {
  std::function<void()> clear;
  std::function<std::string()> check;

  side of(std::vector<work> candidates, std::string absent = "not there") const {
    return {std::move(candidates), clear, check, std::move(absent), false};
  }
  side of(work only) const { return of(std::vector<work>{std::move(only)}); }
  /// The side of Intel's OpenCL runtime, if it is there; `make(device)` returns the work.
  template <class Make>
  side on_intel(Make make) const {
    std::string reason;
    const auto device = lanefold_peers::opencl::intel(&reason);
    return device ? of(make(device)) : of(std::vector<work>{}, reason);
  }
};

/// Whole numbers, so that the sum is exact in every order.
struct summands {
  explicit summands(std::size_t count);
  expectation expected();

  lanefold_peers::array<double> in, sums, result;
  double right = 0;
};

/// Small whole numbers, so that the product is exact in every order.
struct matrices {
  explicit matrices(std::size_t order);
  expectation expected();

  std::size_t n;
  lanefold_peers::array<double> a, b, c, right;
};

/// Bodies at random places (a fixed seed).
template <class T>
struct cloud {
  explicit cloud(std::size_t bodies);
  expectation expected();
  bodies<T> set();

  std::size_t count;
  lanefold_peers::array<T> in, out;
};

} // namespace lanefold_benchmarks::scoped
