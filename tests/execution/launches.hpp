// SPDX-License-Identifier: Apache-2.0
/// Launches without kernels, for tests of what runs launches.
#pragma once

#include <lanefold/execution/launch.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <utility>

namespace launch_testing {

namespace lf = lanefold;

/// Calls a function for each group.
class function_launch final : public lf::detail::launch {
public:
  function_launch(std::size_t size, std::size_t grain, std::function<void(std::size_t)> work)
      : launch(size, grain, 0, lf::fiber_engine::automatic, typeid(function_launch)), m_work(std::move(work)) {}
  void run(std::size_t first, std::size_t last) override {
    ASSERT_LT(first, last);
    ASSERT_LE(last, size());
    for (; first < last; ++first) {
      m_work(first);
    }
  }

private:
  std::function<void(std::size_t)> m_work;
};

inline void busy(std::chrono::nanoseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

} // namespace launch_testing
