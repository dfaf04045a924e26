// SPDX-License-Identifier: Apache-2.0
/// Varyings of integers that are promoted.
#include "simd/varying_testing.hpp"

namespace lane_testing {
using types = few_or_many<::testing::Types<signed char, unsigned short, char16_t>,
                          ::testing::Types<signed char, unsigned char, short, unsigned short, char16_t>>;
INSTANTIATE_TYPED_TEST_SUITE_P(small, varying_values, small_integers);
INSTANTIATE_TYPED_TEST_SUITE_P(small, varying_operators, types);
INSTANTIATE_TYPED_TEST_SUITE_P(small, varying_integers, types);
} // namespace lane_testing
