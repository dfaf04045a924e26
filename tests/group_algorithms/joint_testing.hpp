// SPDX-License-Identifier: Apache-2.0
/// Joint algorithms over memory: element types, lengths around the register sizes, and a kernel that calls anything.
#pragma once

#include "testing.hpp"

#include <functional>

#if defined(LANEFOLD_TEST_THOROUGH)
using joint_element_types = ::testing::Types<signed char, std::uint8_t, short, std::uint16_t, int, std::uint32_t, long,
                                             unsigned long long, float, double>;
#else
using joint_element_types = ::testing::Types<std::uint8_t, double>;
#endif

inline constexpr std::size_t joint_lengths[] = {0, 1, 2, 7, 15, 16, 17, 63, 64, 65, 127, 128, 129, 1000, 1023, 4097};

using joint_group = lf::group<1, lf::simd<4>>;

/// Calls `f` for one group of one sub-group, as a kernel does.
inline void in_group(std::function<void(const joint_group&)> f) {
  run_groups<lf::simd<4>>(1, 4, [=](lf::nd_item<1, lf::simd<4>> it) { f(it.get_group()); });
}
