// SPDX-License-Identifier: Apache-2.0
/// Loads and stores: contiguous and strided, integers.
#include "simd/memory_testing.hpp"

namespace lane_testing {
using types = few_or_many<::testing::Types<int, long>, ::testing::Types<int, unsigned long long, wchar_t>>;
INSTANTIATE_TYPED_TEST_SUITE_P(large, memory_access, types);
} // namespace lane_testing
