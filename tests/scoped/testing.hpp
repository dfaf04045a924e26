// SPDX-License-Identifier: Apache-2.0
/// Strategies and small helpers of the tests of module scoped.
#pragma once

#include "strategy_names.hpp"
#include "thrown.hpp"

#include <lanefold/scoped.hpp>

#include <lanefold/execution/queue.hpp>
#include <lanefold/simd.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lf = lanefold;

/// Stands for a launch without a strategy.
struct by_default {
  static constexpr const char* test_name = "default";
};

template <class Strategy>
auto how() {
  if constexpr (std::is_same_v<Strategy, by_default>) {
    return lf::properties<>();
  } else {
    return lf::properties{lf::property::strategy<Strategy>{}};
  }
}

#if defined(LANEFOLD_TEST_THOROUGH)
using strategies = ::testing::Types<by_default, lf::scalar, lf::omp_simd, lf::simd<1>, lf::simd<8>, lf::simd<64>>;
using strategies_2d = ::testing::Types<by_default, lf::scalar, lf::omp_simd, lf::simd<4>, lf::simd<16>, lf::simd<2, 8>>;
#elif defined(LANEFOLD_CHECKED) // the additions of sanitizers to a kernel take a second to compile
using strategies = ::testing::Types<lf::simd<8>>;
using strategies_2d = ::testing::Types<lf::simd<2, 8>>;
#else
using strategies = ::testing::Types<by_default, lf::omp_simd, lf::simd<8>>;
using strategies_2d = ::testing::Types<by_default, lf::simd<2, 8>>;
#endif

/// A value that tells places apart.
inline std::uint32_t mixed(std::size_t i) { return static_cast<std::uint32_t>(i * 2654435761U + 12345U); }

/// Checks that a message says what it should. A function, because a macro would compile the kernel behind it twice.
inline void expect_says(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\n  does not say: " << part;
}
