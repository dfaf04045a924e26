// SPDX-License-Identifier: Apache-2.0
/// Declares what half and bfloat16 have in common: numbers of 16 bits that compute as float. Internal.
#pragma once

#include <lanefold/version.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <type_traits>
#include <typeindex> // std::hash

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

template <class Self>
struct small_real_operators;

/// Is half or bfloat16.
template <class T>
inline constexpr bool is_small_real = std::is_base_of_v<small_real_operators<T>, T>;
template <class T>
  requires(!std::is_class_v<T>)
inline constexpr bool is_small_real<T> = false;

/// The float next to x on the side of zero, with an odd last bit if it is not x: rounded once more, to fewer bits, it
/// becomes what x itself would.
template <class T>
constexpr float rounded_to_odd(T x) {
  const float nearest = static_cast<float>(x);
  if (static_cast<T>(nearest) == x || nearest != nearest) {
    return nearest;
  }
  auto bits = std::bit_cast<std::uint32_t>(nearest);
  const bool too_far = x < 0 ? static_cast<T>(nearest) < x : static_cast<T>(nearest) > x;
  bits = (too_far ? bits - 1 : bits) | 1;
  return std::bit_cast<float>(bits);
}

/// x as a float from which one rounding to 16 bits is right. (Integers: those that float cannot hold are beyond half,
/// and even their rounding to bfloat16 must happen once.)
template <class T>
constexpr float float_before_rounding(T x) {
  if constexpr (std::is_same_v<T, float>) {
    return x;
  } else if constexpr (std::is_integral_v<T> && (sizeof(T) > 2)) {
    return rounded_to_odd(static_cast<long double>(x));
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<float>(x);
  } else {
    return rounded_to_odd(x);
  }
}

/// The operators of Self, which converts to and from float. Between two Self, and with an integer, the result is a Self
/// rounded from float; with another real number it is that type, and float between half and bfloat16. (Comparisons are
/// those of float.)
template <class Self>
struct small_real_operators {
#define LANEFOLD_DETAIL_SMALL_REAL_OPERATOR(op)                                                                        \
  friend constexpr Self operator op(const Self& a, const Self& b) {                                                    \
    return Self(static_cast<float>(a) op static_cast<float>(b));                                                       \
  }                                                                                                                    \
  template <class U>                                                                                                   \
    requires std::is_arithmetic_v<U>                                                                                   \
  friend constexpr auto operator op(const Self& a, const U& b) {                                                       \
    if constexpr (std::is_integral_v<U>) {                                                                             \
      return a op Self(b);                                                                                             \
    } else {                                                                                                           \
      return static_cast<float>(a) op b;                                                                               \
    }                                                                                                                  \
  }                                                                                                                    \
  template <class U>                                                                                                   \
    requires std::is_arithmetic_v<U>                                                                                   \
  friend constexpr auto operator op(const U& a, const Self& b) {                                                       \
    if constexpr (std::is_integral_v<U>) {                                                                             \
      return Self(a) op b;                                                                                             \
    } else {                                                                                                           \
      return a op static_cast<float>(b);                                                                               \
    }                                                                                                                  \
  }                                                                                                                    \
  template <class Other>                                                                                               \
    requires(is_small_real<Other> && !std::is_same_v<Other, Self>)                                                     \
  friend constexpr float operator op(const Self& a, const Other& b) {                                                  \
    return static_cast<float>(a) op static_cast<float>(b);                                                             \
  }                                                                                                                    \
  template <class U>                                                                                                   \
    requires(std::is_arithmetic_v<U> || std::is_same_v<U, Self>)                                                       \
  friend constexpr Self& operator op##=(Self & a, const U & b) {                                                       \
    return a = Self(a op b);                                                                                           \
  }
  LANEFOLD_DETAIL_SMALL_REAL_OPERATOR(+)
  LANEFOLD_DETAIL_SMALL_REAL_OPERATOR(-)
  LANEFOLD_DETAIL_SMALL_REAL_OPERATOR(*)
  LANEFOLD_DETAIL_SMALL_REAL_OPERATOR(/)
#undef LANEFOLD_DETAIL_SMALL_REAL_OPERATOR

  friend constexpr Self operator+(const Self& a) { return a; }
  friend constexpr Self operator-(const Self& a) { return Self(-static_cast<float>(a)); }
  friend constexpr Self& operator++(Self& a) { return a = a + Self(1.F); }
  friend constexpr Self& operator--(Self& a) { return a = a - Self(1.F); }
  friend constexpr Self operator++(Self& a, int) {
    const Self old = a;
    ++a;
    return old;
  }
  friend constexpr Self operator--(Self& a, int) {
    const Self old = a;
    --a;
    return old;
  }

  /// Reads a float and rounds it; what cannot be read leaves `a` as it is.
  template <class Char, class Traits>
  friend std::basic_istream<Char, Traits>& operator>>(std::basic_istream<Char, Traits>& in, Self& a) {
    float read = 0;
    if (in >> read) {
      a = Self(read);
    }
    return in;
  }
};

/// Makes numbers of their bits. (g++ 12 does not take a bit_cast to a class with an empty base for a constant in a
/// template.)
struct small_real_bits {
  template <class Self>
  static constexpr Self make(unsigned bits) {
    return Self(static_cast<std::uint16_t>(bits), small_real_bits());
  }
};

/// The members of std::numeric_limits that follow from the number of significant bits.
template <class Self, int Digits>
struct small_real_limits {
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool has_infinity = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr bool has_signaling_NaN = true;
  static constexpr auto has_denorm = std::denorm_present;
  static constexpr bool has_denorm_loss = false;
  static constexpr bool is_iec559 = true;
  static constexpr bool is_bounded = true;
  static constexpr bool is_modulo = false;
  static constexpr bool traps = false;
  static constexpr bool tinyness_before = false;
  static constexpr auto round_style = std::round_to_nearest;
  static constexpr int radix = 2;
  static constexpr int digits = Digits;
  static constexpr int digits10 = (Digits - 1) * 301 / 1000;
  static constexpr int max_digits10 = 2 + Digits * 301 / 1000;
  static constexpr int max_exponent = 1 << (15 - Digits);
  static constexpr int min_exponent = 3 - max_exponent;
  static constexpr int max_exponent10 = max_exponent * 301 / 1000;
  static constexpr int min_exponent10 = (min_exponent - 1) * 301 / 1000;

  static constexpr Self min() noexcept { return of_bits(one); }
  static constexpr Self max() noexcept { return of_bits(infinite - 1); }
  static constexpr Self lowest() noexcept { return of_bits(0x8000U + infinite - 1); }
  static constexpr Self epsilon() noexcept { return of_bits((max_exponent - Digits) * one); }
  static constexpr Self round_error() noexcept { return of_bits((max_exponent - 2) * one); }
  static constexpr Self infinity() noexcept { return of_bits(infinite); }
  static constexpr Self quiet_NaN() noexcept { return of_bits(infinite + one / 2); }
  static constexpr Self signaling_NaN() noexcept { return of_bits(infinite + one / 4); }
  static constexpr Self denorm_min() noexcept { return of_bits(1); }

private:
  static constexpr unsigned one = 1U << (Digits - 1); // in the exponent
  static constexpr unsigned infinite = 0x8000U - one;
  static constexpr Self of_bits(unsigned bits) { return small_real_bits::make<Self>(bits); }
};

/// Equal numbers have equal hashes.
template <class Self>
struct small_real_hash {
  std::size_t operator()(const Self& x) const noexcept {
    return static_cast<float>(x) == 0 ? 0 : std::bit_cast<std::uint16_t>(x); // of two zeros
  }
};

} // namespace detail
LANEFOLD_END_NAMESPACE
