// SPDX-License-Identifier: Apache-2.0
/// Loads and stores: indexed, elements of 64 bits and more.
#include "simd/memory_testing.hpp"

namespace lane_testing {
using types = few_or_many<::testing::Types<unsigned long long, double>, ::testing::Types<long, double, long double>>;
INSTANTIATE_TYPED_TEST_SUITE_P(wide, memory_gather, types);
} // namespace lane_testing
