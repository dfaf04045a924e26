// SPDX-License-Identifier: Apache-2.0
/// Varyings of floating-point numbers.
#include "simd/varying_testing.hpp"

namespace lane_testing {

INSTANTIATE_TYPED_TEST_SUITE_P(real, varying_values, real_numbers);
INSTANTIATE_TYPED_TEST_SUITE_P(real, varying_operators, real_numbers);

TEST(varying_real, keeps_signs_of_zero) {
  EXPECT_TRUE(std::signbit((-lf::varying<float, 16>(0.F))[5]));
  EXPECT_FALSE(std::signbit((-lf::varying<double, 8>(-0.))[5]));
}

} // namespace lane_testing
