// SPDX-License-Identifier: Apache-2.0
/// Launches, inputs and comparisons of the tests of group algorithms.
#pragma once

#include "../execution/strategies.hpp"
#include "thrown.hpp"

#include <lanefold/group_algorithms.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

/// Strategies that the value-based functions are tested with.
#if defined(LANEFOLD_TEST_THOROUGH)
using few_strategies = ::testing::Types<lf::scalar, lf::simd<4>, lf::simd<16>, lf::simd<256>>;
#else
using few_strategies = ::testing::Types<lf::scalar, lf::simd<16>>;
#endif

/// Sizes of work-groups, with partial sub-groups and groups of one.
inline constexpr std::size_t group_sizes[] = {1, 7, 31, 32, 33, 256, 1000};

/// The seed of a test, printed when it fails.
struct seeded : ::testing::Test {
  std::uint32_t seed = std::random_device{}();
  std::mt19937 random{seed};
  ::testing::ScopedTrace trace{__FILE__, __LINE__, "seed " + std::to_string(seed)};

  /// `n` small integers as T: sums and a few products stay exact.
  template <class T>
  std::vector<T> values(std::size_t n, int lowest = -8, int highest = 8) {
    std::uniform_int_distribution<int> distribution(std::is_signed_v<T> ? lowest : 0, highest);
    std::vector<T> all(n);
    for (T& x : all) {
      x = static_cast<T>(distribution(random));
    }
    return all;
  }
};

/// Runs `kernel` for `groups` groups of `local` work-items.
template <class Strategy, class Kernel>
void run_groups(std::size_t groups, std::size_t local, const Kernel& kernel,
                lf::fiber_engine engine = lf::fiber_engine::automatic) {
  static lf::queue q;
  q.parallel_for(lf::nd_range<1>(groups * local, local), how<Strategy>(engine), kernel).wait();
}
