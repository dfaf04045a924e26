// SPDX-License-Identifier: Apache-2.0
/// Declares what the tests of functions on lanes share: every number of lanes, operands with the values that hurt,
/// comparison lane by lane with a function of plain values.
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
[[gnu::noinline]] T any_value() {
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

/// Not for each N, and not inlined: this is compiled often.
template <class T, class F>
[[gnu::noinline]] void fill(T* a, std::size_t n, F& f) {
  for (std::size_t i = 0; i < n; ++i)
    a[i] = f();
}

template <class T, std::size_t N, class F>
lanes_of<T, N> make_lanes(F f) {
  lanes_of<T, N> a;
  fill(a.at, N, f);
  return a;
}

[[gnu::noinline]] inline void unpack(const std::uint64_t* words, std::size_t n, bool* to) {
  for (std::size_t i = 0; i < n; ++i)
    to[i] = (words[i / 64] >> (i % 64) & 1) != 0;
}

/// Writes the lanes of a varying or a mask to memory.
template <class T, std::size_t N, class Isa>
void store(const lf::varying<T, N, Isa>& v, T* to) {
  v.store(to);
}
template <std::size_t N, class Isa>
void store(const lf::mask<N, Isa>& m, bool* to) {
  std::uint64_t words[(N + 63) / 64];
  for (std::size_t k = 0; k < (N + 63) / 64; ++k)
    words[k] = m.word(k);
  unpack(words, N, to);
}

/// The lanes of a varying or a mask in memory.
template <class T, std::size_t N, class Isa>
lanes_of<T, N> lanes(const lf::varying<T, N, Isa>& v) {
  lanes_of<T, N> a;
  store(v, a.at);
  return a;
}
template <std::size_t N, class Isa>
lanes_of<bool, N> lanes(const lf::mask<N, Isa>& m) {
  lanes_of<bool, N> a;
  store(m, a.at);
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

/// Says whether to try every N, register and type, or those that have the most code of their own.
#if defined(LANEFOLD_TEST_THOROUGH)
inline constexpr bool thorough = true;
#else
inline constexpr bool thorough = false;
#endif

template <class Few, class Many>
using few_or_many = std::conditional_t<thorough, Many, Few>;

template <class Isa, std::size_t... N, class F>
void for_each_n(F& f) {
  (f(std::integral_constant<std::size_t, N>{}, Isa{}), ...);
}

/// f(integral_constant<N>, isa) for N from one lane to the most: for what is cheap to compile. Of long double, whose
/// lanes are single values, there is nothing new in many.
template <class T = int, class F>
void for_lanes(F f) {
  using generic = lf::isa::generic;
  if constexpr (!lf::detail::has_registers<T>)
    for_each_n<lf::native_isa, 1, 4>(f);
  else if constexpr (std::is_same_v<lf::native_isa, generic>)
    for_each_n<generic, 1, 2, 16, 64, 256>(f);
  else if constexpr (thorough)
    for_each_n<lf::native_isa, 1, 2, 4, 8, 16, 64, 256>(f), for_each_n<generic, 1, 16>(f);
  else
    for_each_n<lf::native_isa, 1, 4, 16, 256>(f);
}

/// The bytes of the widest register.
template <class Isa>
inline constexpr std::size_t widest = 16;
template <>
inline constexpr std::size_t widest<lf::isa::avx2> = 32;
template <>
inline constexpr std::size_t widest<lf::isa::avx512> = 64;

/// f(integral_constant<N>, isa) for the N that fill a register of each width once and the widest one twice, and for the
/// generic instruction set: what operations on registers need. Types with the registers of another one need less.
template <class T, class F>
void for_registers(F f) {
  using isa = lf::native_isa;
  constexpr std::size_t s = sizeof(T), most = 2 * widest<isa> / s;
  if constexpr (!lf::detail::has_registers<T> || std::is_same_v<isa, lf::isa::generic>)
    for_each_n<isa, 2>(f);
  else if constexpr (!thorough || !std::is_same_v<T, lf::detail::canonical_t<T>>)
    for_each_n<isa, 16 / s, most>(f);
  else if constexpr (widest<isa> == 64)
    for_each_n<isa, 1, 16 / s, 32 / s, 64 / s, most>(f), for_each_n<lf::isa::generic, 2>(f);
  else if constexpr (widest<isa> == 32)
    for_each_n<isa, 1, 16 / s, 32 / s, most>(f), for_each_n<lf::isa::generic, 2>(f);
  else
    for_each_n<isa, 1, 16 / s, most>(f), for_each_n<lf::isa::generic, 2>(f);
}

/// Does the same as for_registers for what moves values between lanes: two lanes at least, and once as many lanes as
/// there can be. `All` is false where only the operator differs.
template <class T, bool All = true, class F>
void for_packs(F f) {
  using isa = lf::native_isa;
  constexpr std::size_t s = sizeof(T), most = 2 * widest<isa> / s;
  if constexpr (!lf::detail::has_registers<T> || std::is_same_v<isa, lf::isa::generic>)
    for_each_n<isa, 1, 4>(f);
  else if constexpr (!All)
    for_each_n<isa, most>(f);
  else if constexpr (!thorough || !std::is_same_v<T, lf::detail::canonical_t<T>>)
    for_each_n<isa, 16 / s, most>(f);
  else if constexpr (widest<isa> > 16)
    for_each_n<isa, 1, 16 / s, 32 / s, widest<isa> / s, most>(f);
  else
    for_each_n<isa, 1, 16 / s, most>(f);
  if constexpr (thorough && All && std::is_same_v<T, int>)
    for_each_n<isa, 2, 256>(f);
}

/// Returns how often each check draws operands of n lanes.
constexpr int rounds(std::size_t n) { return n >= 64 ? 8 : 64; }

/// Compares n results at a time; compiled once for types, not for each function.
template <class Result, class A, class B, class C>
struct lane_check {
  const char* name;
  void (*draw)(A&, B&, C&);
  Result (*plain)(A, B, C);

  [[gnu::noinline]] void operator()(std::size_t n, void (*in_lanes)(const A*, const B*, const C*, Result*)) const {
    constexpr std::size_t most = 256;
    alignas(64) A a[most];
    alignas(64) B b[most];
    alignas(64) C c[most];
    alignas(64) Result got[most];
    for (int round = 0; round < rounds(n); ++round) {
      for (std::size_t i = 0; i < n; ++i)
        draw(a[i], b[i], c[i]);
      in_lanes(a, b, c, got);
      for (std::size_t i = 0; i < n; ++i) {
        const Result expected = plain(a[i], b[i], c[i]);
        if (!same(got[i], expected)) {
          ADD_FAILURE() << name << " of " << +a[i] << ", " << +b[i] << ", " << +c[i] << " in lane " << i << " of " << n
                        << ": " << +got[i] << ", expected " << +expected;
          return;
        }
      }
    }
  }
};

template <int Operands, class A, class B, class C, class F>
auto of_first(F f, A a, [[maybe_unused]] B b, [[maybe_unused]] C c) {
  if constexpr (Operands == 1)
    return f(a);
  else if constexpr (Operands == 2)
    return f(a, b);
  else
    return f(a, b, c);
}

template <int Operands, class F, class Isa, std::size_t N, class Result, class A, class B, class C>
[[gnu::noinline]] void in_lanes(const A* a, const B* b, const C* c, Result* result) {
  const auto x = lf::varying<A, N, Isa>::load(a);
  if constexpr (Operands == 1)
    store(F{}(x), result);
  else if constexpr (Operands == 2)
    store(F{}(x, lf::varying<B, N, Isa>::load(b)), result);
  else
    store(F{}(x, lf::varying<B, N, Isa>::load(b), lf::varying<C, N, Isa>::load(c)), result);
}

/// of_lanes(varying<A>[, varying<B>[, varying<C>]]) against of_plain(A[, B[, C]]) lane by lane, in every register;
/// operands from draw. The types of the results must be alike, too. The functions capture nothing.
template <int Operands, class A, class B, class C, class OfLanes, class OfPlain>
void expect_lanes_of(const char* name, void (*draw)(A&, B&, C&), OfLanes, OfPlain) {
  using result = decltype(of_first<Operands>(OfPlain{}, A{}, B{}, C{}));
  const lane_check<result, A, B, C> check{
      name, draw, [](A a, B b, C c) -> result { return of_first<Operands>(OfPlain{}, a, b, c); }};
  for_registers<A>([&]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    check(N, in_lanes<Operands, OfLanes, Isa, N, result, A, B, C>);
  });
}

template <class T>
void draw_any(T& a, T& b, T& c) {
  a = any_value<T>(), b = any_value<T>(), c = any_value<T>();
}

/// Checks the same for operands of one type and any value.
template <class T, int Operands, class OfLanes, class OfPlain>
void expect_as_plain(const char* name, OfLanes of_lanes, OfPlain of_plain) {
  expect_lanes_of<Operands, T, T, T>(name, draw_any<T>, of_lanes, of_plain);
}

/// Returns how far `got` is from `exact`, in units of the last place of T at `exact`.
template <class T>
[[gnu::noinline]] double ulps(T got, long double exact) {
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
