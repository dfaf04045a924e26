// SPDX-License-Identifier: Apache-2.0
/// The 16-bit floating-point type of IEEE 754 (binary16). [sycl.4.14.1]
#pragma once

#include <lanefold/memory/detail/small_real.hpp>
#include <lanefold/simd/isa/f16c.hpp>

#include <limits>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The bits of the half next to x, ties to the even one.
constexpr std::uint16_t computed_half_bits(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t sign = bits >> 16 & 0x8000U, magnitude = bits & 0x7fffffffU;
  if (magnitude > 0x7f800000U) { // NaN, made quiet
    return static_cast<std::uint16_t>(sign | 0x7e00U | (magnitude >> 13 & 0x3ffU));
  }
  if (magnitude >= 0x477ff000U) { // from 65520 on
    return static_cast<std::uint16_t>(sign | 0x7c00U);
  }
  if (magnitude >= 0x38800000U) { // normal numbers: another bias, 13 bits less
    const std::uint32_t to_even = magnitude >> 13 & 1;
    return static_cast<std::uint16_t>(sign | (magnitude + 0xfffU + to_even - 0x38000000U) >> 13);
  }
  // Denormals count units of 2^-24, which are the last bits of numbers from 0.5 to 1: the addition rounds.
  const float sum = std::bit_cast<float>(magnitude) + 0.5F;
  return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(sum) - 0x3f000000U));
}

/// The float that a half is.
constexpr float computed_half_value(std::uint16_t half_bits) {
  const std::uint32_t sign = (half_bits & 0x8000U) << 16, magnitude = half_bits & 0x7fffU;
  if (magnitude > 0x7c00U) {
    return std::bit_cast<float>(sign | 0x7fc00000U | magnitude << 13);
  }
  if (magnitude == 0x7c00U) {
    return std::bit_cast<float>(sign | 0x7f800000U);
  }
  if (magnitude < 0x400U) {
    const float value = static_cast<float>(magnitude) * 0x1p-24F;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(value));
  }
  return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000U));
}

// Inlined always, as programs may mix files with and without F16C.
LANEFOLD_ALWAYS_INLINE constexpr std::uint16_t half_bits(float x) {
  if constexpr (has_f16c) {
    if (!std::is_constant_evaluated()) {
      return half_bits_by_instruction(x);
    }
  }
  return computed_half_bits(x);
}
LANEFOLD_ALWAYS_INLINE constexpr float half_value(std::uint16_t bits) {
  if constexpr (has_f16c) {
    if (!std::is_constant_evaluated()) {
      return half_value_by_instruction(bits);
    }
  }
  return computed_half_value(bits);
}

} // namespace detail

/// A number of 16 bits: 11 of them significant, magnitudes from 6.0e-8 to 65504. A plain value. Converts from any
/// number, rounding once to the nearest (ties to even, beyond 65520 to infinity), and to float. Arithmetic happens in
/// float and is rounded back, which for + - * / and sqrt is the correctly rounded result. Converting is one instruction
/// where the program is compiled with F16C (from x86-64-v3 on), a dozen elsewhere.
// [sycl.4.14.1]
class half : public detail::small_real_operators<half> {
public:
  half() = default;
  template <class T>
    requires std::is_arithmetic_v<T>
  LANEFOLD_ALWAYS_INLINE constexpr half(T x) : m_bits(detail::half_bits(detail::float_before_rounding(x))) {}

  /// Of bfloat16.
  template <class Other>
    requires detail::is_small_real<Other>
  LANEFOLD_ALWAYS_INLINE constexpr half(const Other& x) : half(static_cast<float>(x)) {}

  LANEFOLD_ALWAYS_INLINE constexpr operator float() const { return detail::half_value(m_bits); }

private:
  friend detail::small_real_bits;
  constexpr half(std::uint16_t bits, detail::small_real_bits) : m_bits(bits) {}

  std::uint16_t m_bits;
};

namespace detail {

/// Real numbers, with half.
template <class T>
inline constexpr bool is_real = std::is_floating_point_v<T> || std::is_same_v<T, half>;

constexpr half half_of_bits(unsigned bits) { return small_real_bits::make<half>(bits); }

/// The half above x, or below: a number or an infinity; x itself where there is none, and for NaN.
constexpr half next_half(half x, bool up) {
  const unsigned bits = std::bit_cast<std::uint16_t>(x), magnitude = bits & 0x7fffU;
  const bool negative = bits > 0x7fffU;
  if (magnitude > 0x7c00U || (magnitude == 0x7c00U && negative != up)) {
    return x;
  }
  if (magnitude == 0) {
    return half_of_bits(up ? 0x0001U : 0x8001U);
  }
  return half_of_bits(negative == up ? bits - 1 : bits + 1);
}

} // namespace detail
LANEFOLD_END_NAMESPACE

template <>
class std::numeric_limits<lanefold::half> : public lanefold::detail::small_real_limits<lanefold::half, 11> {};
template <>
struct std::hash<lanefold::half> : lanefold::detail::small_real_hash<lanefold::half> {};
