// SPDX-License-Identifier: Apache-2.0
/// Varyings of integers that are promoted.
#include "simd/varying_testing.hpp"

namespace lane_testing {
INSTANTIATE_TYPED_TEST_SUITE_P(small, varying_operators, small_integers);
INSTANTIATE_TYPED_TEST_SUITE_P(small, varying_integers, small_integers);
} // namespace lane_testing
