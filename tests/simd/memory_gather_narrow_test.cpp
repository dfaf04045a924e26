// SPDX-License-Identifier: Apache-2.0
/// Loads and stores: indexed, elements of up to 32 bits.
#include "simd/memory_testing.hpp"

namespace lane_testing {
using types = few_or_many<::testing::Types<unsigned char, float>, ::testing::Types<unsigned char, short, int, float>>;
INSTANTIATE_TYPED_TEST_SUITE_P(narrow, memory_gather, types);
} // namespace lane_testing
