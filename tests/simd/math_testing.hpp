// SPDX-License-Identifier: Apache-2.0
/// What the tests of functions on lanes share: every number of lanes, operands with the values that hurt, comparison
/// lane by lane with a function of plain values.
#pragma once

#include <lanefold/simd/arithmetic.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <type_traits>

#include <gtest/gtest.h>

namespace math_testing {

namespace lf = lanefold;

/// The seed of this run: LANEFOLD_TEST_SEED, or a new one, printed once.
inline std::uint64_t seed() {
  static const std::uint64_t value = [] {
    const char* given = std::getenv("LANEFOLD_TEST_SEED");
    const std::uint64_t s = given != nullptr ? std::strtoull(given, nullptr, 0) : std::random_device{}();
    std::printf("LANEFOLD_TEST_SEED=%llu\n", static_cast<unsigned long long>(s));
    return s;
  }();
  return value;
}

inline std::mt19937_64& engine() {
  static std::mt19937_64 e(seed());
  return e;
}

template <class T>
constexpr std::array<T, 24> awkward_values() {
  using limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>)
    return {T(0),
            T(-0.0),
            T(1),
            T(-1),
            T(0.5),
            T(-0.5),
            T(1.5),
            T(2.5),
            T(-2.5),
            T(0.49999997F),
            T(1e-3),
            T(-1e3),
            limits::min(),
            -limits::min(),
            limits::max(),
            limits::lowest(),
            limits::denorm_min(),
            -limits::denorm_min(),
            limits::infinity(),
            -limits::infinity(),
            limits::quiet_NaN(),
            limits::epsilon(),
            T(8388609),
            T(-3.5)};
  else
    return {T(0),
            T(1),
            T(2),
            T(3),
            T(4),
            T(5),
            T(7),
            T(8),
            T(15),
            T(16),
            T(31),
            T(63),
            T(64),
            T(100),
            T(127),
            static_cast<T>(-1),
            static_cast<T>(-2),
            static_cast<T>(-128),
            limits::min(),
            limits::max(),
            static_cast<T>(limits::max() / 2),
            static_cast<T>(limits::min() / 2),
            static_cast<T>(0x55),
            static_cast<T>(0xaa)};
}

/// A value of T: one that hurts, one of moderate size, or any bits.
template <class T>
T any_value() {
  auto& e = engine();
  const auto awkward = awkward_values<T>();
  switch (e() % 3) {
  case 0: return awkward[e() % awkward.size()];
  case 1:
    if constexpr (std::is_floating_point_v<T>)
      return std::uniform_real_distribution<T>(T(-100), T(100))(e);
    else
      return static_cast<T>(e() % 100);
  default:
    if constexpr (sizeof(T) <= 8) {
      std::array<unsigned char, sizeof(T)> bytes;
      for (auto& b : bytes)
        b = static_cast<unsigned char>(e());
      const T value = std::bit_cast<T>(bytes);
      return value != value ? std::numeric_limits<T>::quiet_NaN() : value; // signalling NaN is nobody's promise
    } else {
      return std::ldexp(std::uniform_real_distribution<T>(T(-1), T(1))(e), static_cast<int>(e() % 2000) - 1000);
    }
  }
}

/// N values of T, aligned as registers are.
template <class T, std::size_t N>
struct lanes_of {
  alignas(64) T at[N];
  T operator[](std::size_t i) const { return at[i]; }
};

template <class T, std::size_t N, class F>
lanes_of<T, N> make_lanes(F f) {
  lanes_of<T, N> a;
  for (std::size_t i = 0; i < N; ++i)
    a.at[i] = f();
  return a;
}

/// The lanes of a varying or a mask in memory.
template <class T, std::size_t N, class Isa>
lanes_of<T, N> lanes(const lf::varying<T, N, Isa>& v) {
  lanes_of<T, N> a;
  v.store(a.at);
  return a;
}
template <std::size_t N, class Isa>
lanes_of<bool, N> lanes(const lf::mask<N, Isa>& m) {
  lanes_of<bool, N> a;
  for (std::size_t i = 0; i < N; ++i)
    a.at[i] = (m.word(i / 64) >> (i % 64) & 1) != 0;
  return a;
}

/// Equal, or both NaN; zeros with the same sign.
template <class T>
bool same(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
  else
    return a == b;
}

/// f(integral_constant<N>, isa) for the N of the tests: all for the instruction set of this build, some for the generic
/// one, which treats all alike.
template <class F>
void for_lanes(F f) {
  f(std::integral_constant<std::size_t, 1>{}, lf::native_isa{});
  f(std::integral_constant<std::size_t, 2>{}, lf::native_isa{});
  f(std::integral_constant<std::size_t, 4>{}, lf::native_isa{});
  f(std::integral_constant<std::size_t, 8>{}, lf::native_isa{});
  f(std::integral_constant<std::size_t, 16>{}, lf::native_isa{});
  f(std::integral_constant<std::size_t, 64>{}, lf::native_isa{});
  f(std::integral_constant<std::size_t, 256>{}, lf::native_isa{});
  if constexpr (!std::is_same_v<lf::native_isa, lf::isa::generic>) {
    f(std::integral_constant<std::size_t, 1>{}, lf::isa::generic{});
    f(std::integral_constant<std::size_t, 16>{}, lf::isa::generic{});
  }
}

/// How often each check draws operands of N lanes.
template <std::size_t N>
inline constexpr int rounds = N >= 64 ? 8 : 64;

/// of_lanes(varying<T>...) against of_plain(T...) lane by lane, for every N. `Operands` values of T each.
template <class T, int Operands, class F, class G>
void expect_as_plain(const char* name, F of_lanes, G of_plain) {
  const auto plain = [&](T a, [[maybe_unused]] T b, [[maybe_unused]] T c) {
    if constexpr (Operands == 1)
      return of_plain(a);
    else if constexpr (Operands == 2)
      return of_plain(a, b);
    else
      return of_plain(a, b, c);
  };
  using result = decltype(plain(T{}, T{}, T{}));
  const auto compare = [&](const T* a, const T* b, const T* c, const result* got, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      const result expected = plain(a[i], b[i], c[i]);
      if (!same(got[i], expected)) {
        ADD_FAILURE() << name << " of " << +a[i] << ", " << +b[i] << ", " << +c[i] << " in lane " << i << " of " << n
                      << ": " << +got[i] << ", expected " << +expected;
        return;
      }
    }
  };
  for_lanes([&]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    using V = lf::varying<T, N, Isa>;
    for (int round = 0; round < rounds<N>; ++round) {
      const auto a = make_lanes<T, N>(any_value<T>), b = make_lanes<T, N>(any_value<T>),
                 c = make_lanes<T, N>(any_value<T>);
      const lanes_of<result, N> got = [&] {
        if constexpr (Operands == 1)
          return lanes(of_lanes(V::load(a.at)));
        else if constexpr (Operands == 2)
          return lanes(of_lanes(V::load(a.at), V::load(b.at)));
        else
          return lanes(of_lanes(V::load(a.at), V::load(b.at), V::load(c.at)));
      }();
      compare(a.at, b.at, c.at, got.at, N);
    }
  });
}

/// How far `got` is from `exact`, in units of the last place of T at `exact`.
template <class T>
double ulps(T got, long double exact) {
  using limits = std::numeric_limits<T>;
  if (std::isnan(exact))
    return std::isnan(got) ? 0 : HUGE_VAL;
  const T rounded = static_cast<T>(exact);
  if (std::isinf(rounded) || std::isnan(got) || std::isinf(got))
    return got == rounded || (std::isinf(rounded) && !std::isnan(got) && std::fabs(got) == limits::max()) ? 0
                                                                                                          : HUGE_VAL;
  int exponent = 0;
  std::frexp(exact, &exponent);
  const int last = std::max(exponent, limits::min_exponent) - limits::digits;
  return static_cast<double>(std::fabs(std::ldexp(static_cast<long double>(got) - exact, -last)));
}

} // namespace math_testing
