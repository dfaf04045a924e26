// SPDX-License-Identifier: Apache-2.0
/// Conversions from integers of 8 and 16 bits.
#include "simd/conversion_testing.hpp"

namespace lane_testing {
using types = few_or_many<::testing::Types<signed char, unsigned short>,
                          ::testing::Types<signed char, unsigned char, short, unsigned short>>;
INSTANTIATE_TYPED_TEST_SUITE_P(small, conversion, types);
} // namespace lane_testing
