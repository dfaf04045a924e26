// SPDX-License-Identifier: Apache-2.0
// The device library's functions of scalars, for every flavour of every device.
#include "group_functions.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace {

using namespace gpu_testing;

template <class T>
T small(std::mt19937& random) {
  return static_cast<T>(random() % 7);
}
template <class T>
T any_bits(std::mt19937& random) {
  return static_cast<T>(std::uint64_t{random()} << 32 | random());
}

template <class T>
algebra<T> sums(const char* type) {
  return {type, "plus", [](T a, T b) { return static_cast<T>(a + b); }, small<T>};
}

TEST(gpu_scalars, sums_of_int) {
  LANEFOLD_NEED_OPENCL();
  check_functions(sums<std::int32_t>("int"), {1, 7, 32, 65, 256});
}

TEST(gpu_scalars, sums_of_float) {
  LANEFOLD_NEED_OPENCL();
  check_functions(sums<float>("float"), {1, 33, 64, 96, 1024}, gpu::variant::automatic, false);
}
} // namespace
