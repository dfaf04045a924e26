// SPDX-License-Identifier: Apache-2.0
/// Conversions from integers of 32 and 64 bits.
#include "simd/conversion_testing.hpp"

namespace lane_testing {
using types = ::testing::Types<int, unsigned, long, unsigned long>;
INSTANTIATE_TYPED_TEST_SUITE_P(large, conversion, types);
} // namespace lane_testing
