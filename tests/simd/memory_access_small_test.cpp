// SPDX-License-Identifier: Apache-2.0
/// Loads and stores: contiguous and strided, small integers.
#include "simd/memory_testing.hpp"

namespace lane_testing {
using types = few_or_many<::testing::Types<signed char, char16_t>, ::testing::Types<char, signed char, unsigned short>>;
INSTANTIATE_TYPED_TEST_SUITE_P(small, memory_access, types);
} // namespace lane_testing
