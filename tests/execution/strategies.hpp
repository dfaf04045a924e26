// SPDX-License-Identifier: Apache-2.0
/// The strategies and engines that execution tests run under.
#pragma once

#include "strategy_names.hpp"

#include <lanefold/execution.hpp>

#include <gtest/gtest.h>

#include <span>
#include <string>

namespace lf = lanefold;

/// The fiber engines; tests that suspend units run under each.
inline const std::span<const lf::fiber_engine> engines = lf::detail::fiber_engines();

/// Strategies for one-dimensional groups, and for groups with rows of 16 work-items.
#if defined(LANEFOLD_TEST_THOROUGH)
using strategies_1d =
    ::testing::Types<lf::scalar, lf::omp_simd, lf::simd<1>, lf::simd<4>, lf::simd<16>, lf::simd<64>, lf::simd<256>>;
using strategies_16_columns = ::testing::Types<lf::scalar, lf::omp_simd, lf::simd<4>, lf::simd<16>, lf::simd<2, 16>,
                                               lf::simd<4, 16>, lf::simd<8, 16>, lf::simd<16, 16>>;
#elif defined(LANEFOLD_TEST_WIDE) // the generated kernels of tests/fuzz have 256 lanes in one dimension, too
using strategies_1d = ::testing::Types<lf::simd<64>>;
using strategies_16_columns = ::testing::Types<lf::simd<16, 16>>;
#else
using strategies_1d = ::testing::Types<lf::scalar, lf::omp_simd, lf::simd<32>>;
using strategies_16_columns = ::testing::Types<lf::scalar, lf::simd<16>, lf::simd<2, 16>>;
#endif

/// Strategies for indices that know more than their values, as lanes have them; work-items have numbers.
#if defined(LANEFOLD_TEST_THOROUGH) || defined(LANEFOLD_TEST_WIDE)
using index_strategies = strategies_1d;
#else
using index_strategies = ::testing::Types<lf::scalar, lf::simd<32>>;
#endif

/// The properties of a launch under Strategy and an engine.
template <class Strategy>
auto how(lf::fiber_engine engine = lf::fiber_engine::automatic) {
  return lf::properties{lf::property::strategy<Strategy>{}, lf::property::fiber_engine{engine}};
}
