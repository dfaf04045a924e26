// SPDX-License-Identifier: Apache-2.0
/// Loads and stores: contiguous and strided, small integers.
#include "simd/memory_testing.hpp"

namespace lane_testing {
using types = ::testing::Types<char, signed char, unsigned short, char16_t>;
INSTANTIATE_TYPED_TEST_SUITE_P(small, memory_access, types);
} // namespace lane_testing
