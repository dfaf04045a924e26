// SPDX-License-Identifier: Apache-2.0
/// Loads and stores: contiguous and strided, floating point.
#include "simd/memory_testing.hpp"

namespace lane_testing {
INSTANTIATE_TYPED_TEST_SUITE_P(real, memory_access, real_numbers);
} // namespace lane_testing
