// SPDX-License-Identifier: Apache-2.0
/// Conversions from floating-point numbers.
#include "simd/conversion_testing.hpp"

namespace lane_testing {
using types = ::testing::Types<float, double>;
INSTANTIATE_TYPED_TEST_SUITE_P(real, conversion, types);
} // namespace lane_testing
