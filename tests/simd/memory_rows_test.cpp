// SPDX-License-Identifier: Apache-2.0
/// Loads and stores: rows of lane shapes.
#include "simd/memory_testing.hpp"

namespace lane_testing {
using types = few_or_many<::testing::Types<signed char, float, double>,
                          ::testing::Types<signed char, unsigned short, int, float, double, long double>>;
INSTANTIATE_TYPED_TEST_SUITE_P(types, memory_rows, types);
} // namespace lane_testing
