// SPDX-License-Identifier: Apache-2.0
/// Varyings of integers of 32 and 64 bits.
#include "simd/varying_testing.hpp"

namespace lane_testing {
using types =
    few_or_many<::testing::Types<int, unsigned long>, ::testing::Types<int, unsigned, long, unsigned long, long long>>;
INSTANTIATE_TYPED_TEST_SUITE_P(large, varying_values, large_integers);
INSTANTIATE_TYPED_TEST_SUITE_P(large, varying_operators, types);
INSTANTIATE_TYPED_TEST_SUITE_P(large, varying_integers, types);
} // namespace lane_testing
