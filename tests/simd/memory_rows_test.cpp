// SPDX-License-Identifier: Apache-2.0
/// Loads and stores: rows of lane shapes.
#include "simd/memory_testing.hpp"

namespace lane_testing {
using types = ::testing::Types<signed char, unsigned short, int, long long, float, double, long double>;
INSTANTIATE_TYPED_TEST_SUITE_P(types, memory_rows, types);
} // namespace lane_testing
