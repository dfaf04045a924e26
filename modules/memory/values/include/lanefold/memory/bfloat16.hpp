// SPDX-License-Identifier: Apache-2.0
/// The upper half of a float (sycl_ext_oneapi_bfloat16).
#pragma once

#include <lanefold/memory/detail/small_real.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace ext::oneapi {

/// A number of 16 bits with the range of float and 8 significant bits. A plain value; converts from any number,
/// rounding once to the nearest (ties to even), and to float. Arithmetic happens in float and is rounded back.
class bfloat16 : public lanefold::detail::small_real_operators<bfloat16> {
public:
  using value_type = std::uint16_t;

  bfloat16() = default;
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr bfloat16(T x) : m_bits(rounded(std::bit_cast<std::uint32_t>(lanefold::detail::float_before_rounding(x)))) {}
  /// Of half.
  template <class Other>
    requires lanefold::detail::is_small_real<Other>
  constexpr bfloat16(const Other& x) : bfloat16(static_cast<float>(x)) {}
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr bfloat16& operator=(T x) {
    return *this = bfloat16(x);
  }

  constexpr operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(m_bits) << 16); }

private:
  static constexpr std::uint16_t rounded(std::uint32_t bits) {
    if ((bits & 0x7fffffffU) > 0x7f800000U) { // NaN, made quiet
      return static_cast<std::uint16_t>(bits >> 16 | 0x40U);
    }
    return static_cast<std::uint16_t>((bits + 0x7fffU + (bits >> 16 & 1)) >> 16);
  }

  friend lanefold::detail::small_real_bits;
  constexpr bfloat16(std::uint16_t bits, lanefold::detail::small_real_bits) : m_bits(bits) {}

  std::uint16_t m_bits;
};

namespace experimental {
using oneapi::bfloat16; // where it was in DPC++ first
} // namespace experimental
} // namespace ext::oneapi
LANEFOLD_END_NAMESPACE

template <>
class std::numeric_limits<lanefold::ext::oneapi::bfloat16>
    : public lanefold::detail::small_real_limits<lanefold::ext::oneapi::bfloat16, 8> {};
template <>
struct std::hash<lanefold::ext::oneapi::bfloat16> : lanefold::detail::small_real_hash<lanefold::ext::oneapi::bfloat16> {
};
