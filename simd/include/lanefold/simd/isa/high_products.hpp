// SPDX-License-Identifier: Apache-2.0
/// The upper halves of products of 16 bits, for which each x86 instruction set has an instruction that g++ 12 makes of
/// no expression of vectors. Internal.
#pragma once

#include <cstddef>
#include <cstdint>

#include <lanefold/simd/isa/native.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// The upper halves of a * b, lanes of 16 bits without sign.
template <std::size_t W>
LANEFOLD_ALWAYS_INLINE vector_t<std::uint16_t, W> high_products(const vector_t<std::uint16_t, W>& a,
                                                                const vector_t<std::uint16_t, W>& b) {
  using V = vector_t<std::uint16_t, W>;
#if defined(LANEFOLD_DETAIL_SSE2)
  if constexpr (W == 8)
    return (V)_mm_mulhi_epu16((__m128i)a, (__m128i)b);
#endif
#if defined(LANEFOLD_DETAIL_AVX2)
  if constexpr (W == 16)
    return (V)_mm256_mulhi_epu16((__m256i)a, (__m256i)b);
#endif
#if defined(LANEFOLD_DETAIL_AVX512)
  if constexpr (W == 32)
    return (V)_mm512_mulhi_epu16((__m512i)a, (__m512i)b);
#endif
  using wide = vector_t<std::uint32_t, W>;
  return __builtin_convertvector((__builtin_convertvector(a, wide) * __builtin_convertvector(b, wide)) >> 16, V);
}

} // namespace detail

LANEFOLD_END_NAMESPACE
