// SPDX-License-Identifier: Apache-2.0
// Whatever a unit keeps in registers is there after a barrier: integers, floating point, vectors, masks, x87, across
// frames of every shape (small, large, of variable size, realigned, deep).
#include "fiber_harness.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace {

using namespace fiber_harness;

class fiber_registers : public testing::TestWithParam<lf::fiber_engine> {};

constexpr unsigned phases = 6;
constexpr unsigned units = 37;

#define LANEFOLD_TEST_INLINE __attribute__((always_inline)) inline

std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 31;
  x *= 0x9e3779b97f4a7c15ULL;
  return x ^ (x >> 29);
}

// N values that depend on where we are; the compiler cannot tell them without computing them again.
template <class T, std::size_t... I>
LANEFOLD_TEST_INLINE bool keeps(unit_item& it, unsigned phase, std::index_sequence<I...>) {
  volatile std::uint64_t seed_memory = mix(it.unit * 1000 + phase + it.group * 77);
  const std::uint64_t seed = seed_memory;
  auto value = [](std::uint64_t s, std::size_t i) { return static_cast<T>(mix(s + i) % 100003); };
  // Separate variables, all alive across the barrier.
  const auto kept = std::make_tuple(std::pair<T, std::integral_constant<std::size_t, I>>(value(seed, I), {})...);
  it.barrier();
  const std::uint64_t again = seed_memory;
  return std::apply([&](auto... one) { return ((one.first == value(again, decltype(one.second)::value)) && ...); },
                    kept);
}

template <class T, std::size_t N>
void check_values() {
  std::size_t good = 0;
  run_groups(fiber_registers::GetParam(), 2, units, [&good](unit_item& it) {
    for (unsigned phase = 0; phase < phases; ++phase) {
      good += keeps<T>(it, phase, std::make_index_sequence<N>()) ? 1 : 0;
    }
  });
  EXPECT_EQ(good, 2U * units * phases);
}

TEST_P(fiber_registers, keep_few_integers) { check_values<std::uint64_t, 3>(); }
TEST_P(fiber_registers, keep_as_many_integers_as_there_are_registers) { check_values<std::uint64_t, 14>(); }
TEST_P(fiber_registers, keep_more_integers_than_there_are_registers) { check_values<std::uint32_t, 40>(); }
TEST_P(fiber_registers, keep_floats) { check_values<float, 16>(); }
TEST_P(fiber_registers, keep_doubles) { check_values<double, 40>(); }
TEST_P(fiber_registers, keep_long_doubles) { check_values<long double, 9>(); }

template <class Vector>
LANEFOLD_TEST_INLINE void fill(Vector& vector, std::uint64_t seed) { // (a vector as a result would depend on the ABI)
  for (std::size_t i = 0; i < sizeof(Vector) / sizeof(float); ++i) {
    vector[i] = static_cast<float>(mix(seed + i) % 10007);
  }
}

#define LANEFOLD_TEST_VECTORS(bytes)                                                                                   \
  std::size_t good = 0;                                                                                                \
  run_groups(GetParam(), 2, units, [&good](unit_item& it) {                                                            \
    using v = float __attribute__((vector_size(bytes)));                                                               \
    volatile std::uint64_t seed = mix(it.unit + 100);                                                                  \
    v a, b, c, d, fresh;                                                                                               \
    fill(a, seed);                                                                                                     \
    fill(b, seed + 1);                                                                                                 \
    fill(c, seed + 2);                                                                                                 \
    fill(d, seed + 3);                                                                                                 \
    for (unsigned phase = 0; phase < phases; ++phase) {                                                                \
      const v sum = a + b * c;                                                                                         \
      const auto less = a < b;                                                                                         \
      it.barrier();                                                                                                    \
      const v other = b * c - d;                                                                                       \
      it.barrier();                                                                                                    \
      const v chosen = less ? sum : other;                                                                             \
      it.barrier();                                                                                                    \
      bool right = true;                                                                                               \
      for (std::size_t i = 0; i < sizeof(v) / sizeof(float); ++i) {                                                    \
        const float x = a[i], y = b[i], z = c[i], w = d[i];                                                            \
        const float expected = x < y ? sum[i] : other[i];                                                              \
        right = right && chosen[i] == expected && std::fabs(sum[i] - (x + y * z)) <= 1e-5f * (x + y * z) &&            \
                std::fabs(other[i] - (y * z - w)) <= 1e-5f * (y * z + w);                                              \
      }                                                                                                                \
      good += right ? 1 : 0;                                                                                           \
      d = a;                                                                                                           \
      a = b;                                                                                                           \
      fill(b, seed + phase);                                                                                           \
      it.barrier();                                                                                                    \
      fill(fresh, seed + phase);                                                                                       \
      good += std::memcmp(&b, &fresh, sizeof(v)) == 0 ? 0 : 1000;                                                      \
    }                                                                                                                  \
  });                                                                                                                  \
  EXPECT_EQ(good, 2U * units * phases)

TEST_P(fiber_registers, keep_vectors_of_16_bytes) { LANEFOLD_TEST_VECTORS(16); }
TEST_P(fiber_registers, keep_vectors_of_32_bytes) { LANEFOLD_TEST_VECTORS(32); }
TEST_P(fiber_registers, keep_vectors_of_64_bytes) { LANEFOLD_TEST_VECTORS(64); }
TEST_P(fiber_registers, keep_vectors_of_256_bytes) { LANEFOLD_TEST_VECTORS(256); }

TEST_P(fiber_registers, frames_of_variable_size_and_large_alignment_stay) {
  std::size_t good = 0;
  run_groups(GetParam(), 2, units, [&good](unit_item& it) {
    for (unsigned phase = 0; phase < phases; ++phase) {
      alignas(128) volatile unsigned aligned[32];
      const std::size_t size = 16 + (it.unit * 37 + phase * 11) % 300;
      auto* variable = static_cast<volatile unsigned char*>(__builtin_alloca(size));
      for (unsigned i = 0; i < 32; ++i) {
        aligned[i] = it.unit * 100 + i;
      }
      for (std::size_t i = 0; i < size; ++i) {
        variable[i] = static_cast<unsigned char>(it.unit + i);
      }
      it.barrier();
      bool right = reinterpret_cast<std::uintptr_t>(&aligned[0]) % 128 == 0;
      for (unsigned i = 0; i < 32; ++i) {
        right = right && aligned[i] == it.unit * 100 + i;
      }
      for (std::size_t i = 0; i < size; ++i) {
        right = right && variable[i] == static_cast<unsigned char>(it.unit + i);
      }
      good += right ? 1 : 0;
      it.barrier();
    }
  });
  EXPECT_EQ(good, 2U * units * phases);
}

// Small functions whose locals may lie in the red zone.
__attribute__((noinline)) unsigned in_small_frame(unit_item& it, unsigned a) {
  volatile unsigned near_the_top[8];
  for (unsigned i = 0; i < 8; ++i) {
    near_the_top[i] = a + i;
  }
  it.barrier();
  unsigned sum = 0;
  for (unsigned i = 0; i < 8; ++i) {
    sum += near_the_top[i];
  }
  return sum;
}

__attribute__((noinline)) unsigned deep(unit_item& it, unsigned depth) {
  volatile unsigned mine = depth * 3 + it.unit;
  unsigned below = 0;
  if (depth > 0) {
    below = deep(it, depth - 1);
  } else {
    below = in_small_frame(it, it.unit);
  }
  it.barrier();
  return mine == depth * 3 + it.unit ? below + 1 : 0;
}

TEST_P(fiber_registers, barriers_may_stand_at_any_depth) {
  std::size_t good = 0;
  run_groups(GetParam(), 2, units, [&good](unit_item& it) {
    for (unsigned phase = 0; phase < phases; ++phase) {
      good += in_small_frame(it, it.unit + phase) == 8 * (it.unit + phase) + 28 ? 1 : 0;
      good += deep(it, 20) == 8 * it.unit + 28 + 21 ? 1 : 0;
    }
  });
  EXPECT_EQ(good, 2U * 2 * units * phases);
}

TEST_P(fiber_registers, units_may_stand_at_different_barriers) {
  std::size_t good = 0;
  run_groups(GetParam(), 2, units, [&good](unit_item& it) {
    double x = it.unit;
    std::uint64_t n = it.unit;
    for (unsigned phase = 0; phase < phases; ++phase) { // three barriers for everybody, at different places
      if (it.unit % 3 == 0) {
        const double y = x * 2;
        it.barrier();
        x = y - x;
        it.barrier();
        n += deep(it, 0) != 0 ? 1 : 100;
      } else if (it.unit % 3 == 1) {
        for (unsigned i = 0; i < 4; ++i) {
          it.barrier();
        }
        n += 1;
      } else {
        n += deep(it, 2) != 0 ? 1 : 100;
      }
    }
    good += x == it.unit && n == it.unit + phases ? 1 : 0;
  });
  EXPECT_EQ(good, 2U * units);
}

TEST_P(fiber_registers, string_and_x87_work_between_barriers) {
  std::size_t good = 0;
  run_groups(GetParam(), 2, units, [&good](unit_item& it) {
    std::string text;
    long double root = it.unit;
    for (unsigned phase = 0; phase < phases; ++phase) {
      text += std::to_string(it.unit * 1000 + phase) + ",";
      root = std::sqrt(root * root + 0.25L);
      it.barrier();
      root = std::sqrt(root * root - 0.25L);
      it.barrier();
    }
    std::string expected;
    for (unsigned phase = 0; phase < phases; ++phase) {
      expected += std::to_string(it.unit * 1000 + phase) + ",";
    }
    good += text == expected && std::fabs(root - static_cast<long double>(it.unit)) < 1e-6L ? 1 : 0;
  });
  EXPECT_EQ(good, 2U * units);
}

INSTANTIATE_TEST_SUITE_P(engines, fiber_registers, testing::ValuesIn(all_engines()),
                         [](const auto& instance) { return std::string(to_string(instance.param)); });

} // namespace
