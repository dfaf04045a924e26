// SPDX-License-Identifier: Apache-2.0
/// Converts registers of numbers of 16 bits to float and back, with the results of the conversions of single ones.
/// Internal.
#pragma once

#include <lanefold/memory/half.hpp>
#include <lanefold/simd/varying.hpp>

#include <cstddef>
#include <cstdint>

LANEFOLD_BEGIN_NAMESPACE
namespace ext::oneapi {
class bfloat16;
} // namespace ext::oneapi

namespace detail {

/// Converts W lanes of T, given as their bits, to floats, and floats to the bits of the nearest T.
template <class T>
struct small_real_chunks;

template <>
struct small_real_chunks<half> {
  template <std::size_t W, class Native = native_instructions>
  LANEFOLD_ALWAYS_INLINE static chunk_t<float, W> widened(const chunk_t<std::uint16_t, W>& v) {
    if constexpr (W == 1) {
      return half_value(v);
    } else if constexpr (Native::template converts_halves<W>) {
      return Native::template floats_of_halves<W>(v);
    } else { // computed_half_value of each lane
      using floats = chunk_t<float, W>;
      using words = chunk_t<std::uint32_t, W>;
      const words bits = convert_chunk<std::uint32_t, std::uint16_t, W>(v);
      const words sign = (bits & 0x8000U) << 16, magnitude = bits & 0x7fffU;
      const words denormal =
          (words)(convert_chunk<float, std::int32_t, W>((chunk_t<std::int32_t, W>)magnitude) * 0x1p-24F);
      const words normal = (magnitude << 13) + 0x38000000U;
      const words infinite_or_nan =
          (magnitude << 13) | (magnitude == 0x7c00U ? words{} + 0x7f800000U : words{} + 0x7fc00000U);
      const words finite = magnitude < 0x400U ? denormal : normal;
      return (floats)(sign | (magnitude < 0x7c00U ? finite : infinite_or_nan));
    }
  }

  template <std::size_t W, class Native = native_instructions>
  LANEFOLD_ALWAYS_INLINE static chunk_t<std::uint16_t, W> rounded(const chunk_t<float, W>& v) {
    if constexpr (W == 1) {
      return half_bits(v);
    } else if constexpr (Native::template converts_halves<W>) {
      return Native::template halves_of_floats<W>(v);
    } else { // computed_half_bits of each lane
      using floats = chunk_t<float, W>;
      using words = chunk_t<std::uint32_t, W>;
      const words bits = (words)v, sign = bits >> 16 & 0x8000U, magnitude = bits & 0x7fffffffU;
      const words normal = (magnitude + 0xfffU + (magnitude >> 13 & 1U) - 0x38000000U) >> 13;
      const words denormal = (words)((floats)magnitude + 0.5F) - 0x3f000000U;
      const words nan = 0x7e00U | (magnitude >> 13 & 0x3ffU);
      const words finite = magnitude < 0x38800000U ? denormal : normal;
      const words number = magnitude < 0x477ff000U ? finite : words{} + 0x7c00U;
      return convert_chunk<std::uint16_t, std::uint32_t, W>(sign | (magnitude > 0x7f800000U ? nan : number));
    }
  }
};

template <>
struct small_real_chunks<ext::oneapi::bfloat16> {
  template <std::size_t W>
  LANEFOLD_ALWAYS_INLINE static chunk_t<float, W> widened(const chunk_t<std::uint16_t, W>& v) {
    return same_bits<chunk_t<float, W>>(
        chunk_t<std::uint32_t, W>(convert_chunk<std::uint32_t, std::uint16_t, W>(v) << 16));
  }

  template <std::size_t W>
  LANEFOLD_ALWAYS_INLINE static chunk_t<std::uint16_t, W> rounded(const chunk_t<float, W>& v) {
    using words = chunk_t<std::uint32_t, W>;
    const words bits = same_bits<words>(v);
    const words number = (bits + 0x7fffU + (bits >> 16 & 1U)) >> 16, nan = bits >> 16 | 0x40U; // NaN, made quiet
    return convert_chunk<std::uint16_t, std::uint32_t, W>((bits & 0x7fffffffU) > 0x7f800000U ? nan : number);
  }
};

/// Each lane of `bits`, a T, as float.
template <class T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE varying<float, N, Isa> widened_lanes(const varying<std::uint16_t, N, Isa>& bits) {
  using V = varying<float, N, Isa>;
  return varying_access::make<V>(converted_registers<typename V::register_type>(
      varying_access::registers(bits),
      [](auto w, const auto& v) LANEFOLD_INLINE_LAMBDA { return small_real_chunks<T>::template widened<w()>(v); }));
}
/// The bits of the T next to each lane.
template <class T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE varying<std::uint16_t, N, Isa> rounded_lanes(const varying<float, N, Isa>& x) {
  using V = varying<std::uint16_t, N, Isa>;
  return varying_access::make<V>(converted_registers<typename V::register_type>(
      varying_access::registers(x),
      [](auto w, const auto& v) LANEFOLD_INLINE_LAMBDA { return small_real_chunks<T>::template rounded<w()>(v); }));
}

} // namespace detail
LANEFOLD_END_NAMESPACE
