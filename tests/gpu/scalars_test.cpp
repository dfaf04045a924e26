// SPDX-License-Identifier: Apache-2.0
// The device library's functions of scalars, for every flavour of every device.
#include "group_functions.hpp"

#include <algorithm>
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
T negative_too(std::mt19937& random) {
  return static_cast<T>(static_cast<int>(random() % 2001) - 1000);
}

template <class T>
algebra<T> sums(const char* type) {
  return {type, "plus", [](T a, T b) { return static_cast<T>(a + b); }, small<T>};
}

TEST(gpu_scalars, sums_of_int) {
  LANEFOLD_NEED_OPENCL();
  check_functions(sums<std::int32_t>("int"), {1, 7, 65, 256});
}

TEST(gpu_scalars, sums_of_float_in_large_groups) {
  LANEFOLD_NEED_OPENCL();
  check_functions(sums<float>("float"), {96, 1024}, gpu::variant::automatic, false);
}

TEST(gpu_scalars, sums_of_double_of_unknown_size) {
  LANEFOLD_NEED_OPENCL();
  check_functions(sums<double>("double"), {100});
}

TEST(gpu_scalars, sums_of_char_in_local_trees) {
  LANEFOLD_NEED_OPENCL();
  check_functions(sums<std::int8_t>("char"), {40}, gpu::variant::local_tree, false);
}

TEST(gpu_scalars, products_of_ulong) {
  LANEFOLD_NEED_OPENCL();
  using T = std::uint64_t;
  check_functions<T>({"ulong", "multiplies", [](T a, T b) { return a * b; }, any_bits<T>}, {128},
                     gpu::variant::automatic, false);
}

TEST(gpu_scalars, minimum_of_long) {
  LANEFOLD_NEED_OPENCL();
  using T = std::int64_t;
  check_functions<T>({"long", "minimum", [](T a, T b) { return std::min(a, b); }, any_bits<T>}, {33},
                     gpu::variant::automatic, false);
}

TEST(gpu_scalars, maximum_of_float) {
  LANEFOLD_NEED_OPENCL();
  using T = float;
  check_functions<T>({"float", "maximum", [](T a, T b) { return std::max(a, b); }, negative_too<T>}, {64},
                     gpu::variant::automatic, false);
}

TEST(gpu_scalars, maximum_of_int) {
  LANEFOLD_NEED_OPENCL();
  using T = std::int32_t;
  check_functions<T>({"int", "maximum", [](T a, T b) { return std::max(a, b); }, negative_too<T>}, {200},
                     gpu::variant::automatic, false);
}

TEST(gpu_scalars, bits) {
  LANEFOLD_NEED_OPENCL();
  check_functions<std::uint32_t>({"uint", "bit_xor", std::bit_xor<std::uint32_t>(), any_bits<std::uint32_t>}, {64},
                                 gpu::variant::automatic, false);
  check_functions<std::uint16_t>({"ushort", "bit_and",
                                  [](std::uint16_t a, std::uint16_t b) { return static_cast<std::uint16_t>(a & b); },
                                  [](std::mt19937& random) { return static_cast<std::uint16_t>(random() | random()); }},
                                 {35}, gpu::variant::automatic, false);
}

TEST(gpu_scalars, logical) {
  LANEFOLD_NEED_OPENCL();
  check_functions<std::int32_t>({"int", "logical_or", [](int a, int b) { return a || b ? 1 : 0; },
                                 [](std::mt19937& random) { return static_cast<std::int32_t>(random() % 30 == 0); }},
                                {48}, gpu::variant::automatic, false);
}

TEST(gpu_scalars, sums_of_half) {
  LANEFOLD_NEED_HALF();
  check_functions(sums<lanefold::half>("half"), {100}, gpu::variant::automatic, false);
}

#ifdef LANEFOLD_TEST_THOROUGH
TEST(gpu_scalars, sums_of_half_of_unknown_size) {
  LANEFOLD_NEED_HALF();
  check_functions(sums<lanefold::half>("half"), {7, 64});
}

TEST(gpu_scalars, maximum_of_half) {
  LANEFOLD_NEED_HALF();
  using T = lanefold::half;
  check_functions<T>({"half", "maximum", [](T a, T b) { return a < b ? b : a; }, negative_too<T>}, {65},
                     gpu::variant::local_tree, false);
}

TEST(gpu_scalars, products_of_half) {
  LANEFOLD_NEED_HALF();
  using T = lanefold::half;
  check_functions<T>({"half", "multiplies", [](T a, T b) { return a * b; },
                      [](std::mt19937& random) { return T(random() % 2 == 0 ? -1.f : 1.f); }},
                     {48}, gpu::variant::automatic, false);
}
#endif

} // namespace
