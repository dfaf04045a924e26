// SPDX-License-Identifier: Apache-2.0
/// Kernels that read and write through indices which know more than their values, against what they must have done.
#pragma once

#include "strategies.hpp"

#include <numeric>
#include <vector>

template <class Strategy>
class index_patterns : public ::testing::Test {
public:
  static constexpr std::size_t n = 1024;

  /// Runs `kernel(it, x, y, id)` for ids below `items`; x[k] is k + 1, y[k] becomes expected(k).
  template <class T, class Kernel, class Expected>
  void compare(std::size_t items, const Kernel& kernel, const Expected& expected) {
    std::vector<T> in(n), out(n, T(100));
    std::iota(in.begin(), in.end(), T(1));
    lf::queue q;
    const lf::view<const T> x(in.data(), n);
    const lf::view<T> y(out.data(), n);
    q.parallel_for(lf::range<1>(items), how<Strategy>(), [=](auto it) { kernel(it, x, y, it.get_id(0)); }).wait();
    for (std::size_t k = 0; k < n; ++k) {
      ASSERT_EQ(out[k], static_cast<T>(expected(k))) << k;
    }
  }
};
