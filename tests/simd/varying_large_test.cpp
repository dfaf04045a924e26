// SPDX-License-Identifier: Apache-2.0
/// Varyings of integers of 32 and 64 bits.
#include "simd/varying_testing.hpp"

namespace lane_testing {
INSTANTIATE_TYPED_TEST_SUITE_P(large, varying_operators, large_integers);
INSTANTIATE_TYPED_TEST_SUITE_P(large, varying_integers, large_integers);
} // namespace lane_testing
