// SPDX-License-Identifier: Apache-2.0
/// Overrides what SSE2 does better than the compiler: operations of registers of 16 bytes. Internal.
#pragma once

#include <lanefold/simd/isa/generic.hpp>
#include <lanefold/simd/isa/xsimd.hpp>

#if defined(LANEFOLD_DETAIL_SSE2)
#include <immintrin.h>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

template <>
struct instructions<isa::sse2> : instructions<isa::generic> {
  using base = instructions<isa::generic>;

  template <class T>
  static constexpr bool has_rsqrt = std::is_same_v<T, float>;
  static constexpr bool has_even_products = true;
  static constexpr bool rounds_to_positive_zero = true;
  static constexpr bool has_slow_shuffles = true;
  template <class T>
  static constexpr std::size_t dividing_doubles = std::is_same_v<T, std::int32_t> ? 2 : 0;

#if !defined(__clang__)
  template <class T, std::size_t W>
  LANEFOLD_ALWAYS_INLINE static lane_bits<W> bits_of(bool_vector<T, W> v) {
    if constexpr (sizeof(v) != 16)
      return base::bits_of<T, W>(v);
    else if constexpr (sizeof(T) == 8)
      return static_cast<lane_bits<W>>(_mm_movemask_pd((__m128d)v));
    else if constexpr (sizeof(T) == 4)
      return static_cast<lane_bits<W>>(_mm_movemask_ps((__m128)v));
    else if constexpr (sizeof(T) == 2)
      return static_cast<lane_bits<W>>(_mm_movemask_epi8(_mm_packs_epi16((__m128i)v, _mm_setzero_si128())));
    else
      return static_cast<lane_bits<W>>(_mm_movemask_epi8((__m128i)v));
  }
#endif

  /// Bytes S, S + 1, … of lo and hi one after the other, with two shifts: g++ 12 has no better for 16 bytes without
  /// SSSE3 than one lane after the other.
  template <int S, class V>
  LANEFOLD_ALWAYS_INLINE static V concatenated_bytes(V lo, V hi) {
    return (V)_mm_or_si128(_mm_srli_si128((__m128i)lo, S), _mm_slli_si128((__m128i)hi, 16 - S));
  }
  /// Byte i gets byte i + S; the highest S bytes become 0.
  template <int S, class V>
  LANEFOLD_ALWAYS_INLINE static V bytes_down(V v) {
    return (V)_mm_srli_si128((__m128i)v, S);
  }
  template <class T, int S, class V>
  LANEFOLD_ALWAYS_INLINE static V up_in_blocks(V v) {
    if constexpr (sizeof(V) == 16)
      return (V)_mm_slli_si128((__m128i)v, S * sizeof(T));
    else
      return base::up_in_blocks<T, S>(v);
  }

  template <bool Left, class T, class V>
  LANEFOLD_ALWAYS_INLINE static V shifted(V x, unsigned count) {
    if constexpr (sizeof(V) == 16) {
      const __m128i v = (__m128i)x, n = _mm_cvtsi32_si128(static_cast<int>(count));
      if constexpr (Left)
        return (V)(sizeof(T) == 4 ? _mm_sll_epi32(v, n) : _mm_sll_epi64(v, n));
      else if constexpr (!std::is_signed_v<T>)
        return (V)(sizeof(T) == 4 ? _mm_srl_epi32(v, n) : _mm_srl_epi64(v, n));
      else if constexpr (sizeof(T) == 4)
        return (V)_mm_sra_epi32(v, n);
      else
        return with_sign((V)_mm_srl_epi64(v, n), count);
    } else {
      return base::shifted<Left, T>(x, count);
    }
  }

  /// The products of the even lanes of 32 bits without sign, each in the place of two lanes.
  template <class V>
  LANEFOLD_ALWAYS_INLINE static V even_products(V a, V b) {
    static_assert(sizeof(V) == 16);
    return (V)_mm_mul_epu32((__m128i)a, (__m128i)b);
  }

  // The compilers do not make these two of comparisons of vectors.
  template <class T, class V>
  LANEFOLD_ALWAYS_INLINE static V minimum(V a, V b) {
    if constexpr (sizeof(V) == 16 && std::is_same_v<T, float>)
      return (V)_mm_min_ps((__m128)a, (__m128)b);
    else if constexpr (sizeof(V) == 16 && std::is_same_v<T, double>)
      return (V)_mm_min_pd((__m128d)a, (__m128d)b);
    else
      return base::minimum<T>(a, b);
  }
  template <class T, class V>
  LANEFOLD_ALWAYS_INLINE static V maximum(V a, V b) {
    if constexpr (sizeof(V) == 16 && std::is_same_v<T, float>)
      return (V)_mm_max_ps((__m128)a, (__m128)b);
    else if constexpr (sizeof(V) == 16 && std::is_same_v<T, double>)
      return (V)_mm_max_pd((__m128d)a, (__m128d)b);
    else
      return base::maximum<T>(a, b);
  }

  /// Returns quotients that are exact before the fraction is cut off. By the instruction, which has a result for 2^31
  /// too (the least integer by -1): in C++ that is undefined, and clang makes use of it.
  template <class T, std::size_t G>
  LANEFOLD_ALWAYS_INLINE static chunk_t<T, G> truncated_quotients(const chunk_t<double, G>& q) {
    static_assert(G == 2 && std::is_same_v<T, std::int32_t>);
    const auto integers = same_bits<vector_t<std::int32_t, 4>>(_mm_cvttpd_epi32(same_bits<__m128d>(q)));
    return same_bits<chunk_t<T, G>>(same_bits<vector_t<std::uint64_t, 2>>(integers)[0]);
  }

  // The estimate has a relative error of 1.5 * 2^-12: one term of the series is not enough.
  template <class R>
  LANEFOLD_ALWAYS_INLINE static R rsqrt(const R& r) {
    const __m128 x = r, y = _mm_rsqrt_ps(x);
    const __m128 e = _mm_sub_ps(_mm_set1_ps(1.0F), _mm_mul_ps(_mm_mul_ps(x, y), y));
    const __m128 p = _mm_add_ps(_mm_mul_ps(e, _mm_set1_ps(0.375F)), _mm_set1_ps(0.5F));
    return R(ordinary_rsqrt(x, _mm_add_ps(y, _mm_mul_ps(y, _mm_mul_ps(e, p)))));
  }

protected:
  /// 1 / sqrt(x), or the refined estimate where all lanes are finite. The estimate takes denormals for 0.
  /// One branch that is never taken in practice: 0, infinite, negative and NaN make the refined estimate NaN, denormals
  /// make it infinite.
  LANEFOLD_ALWAYS_INLINE static __m128 ordinary_rsqrt(__m128 x, __m128 refined) {
    const __m128 finite = _mm_sub_ps(refined, refined); // or NaN
    if (_mm_movemask_ps(_mm_cmpunord_ps(finite, finite)) != 0) [[unlikely]]
      return _mm_div_ps(_mm_set1_ps(1.0F), _mm_sqrt_ps(x));
    return refined;
  }

  /// The sign drawn into 64-bit integers that were shifted right without it.
  template <class V>
  LANEFOLD_ALWAYS_INLINE static V with_sign(V x, unsigned count) {
    using words = vector_t<std::uint64_t, sizeof(V) / 8>;
    const std::uint64_t sign = (std::uint64_t{1} << 63) >> (count & 63);
    return (V)(((words)x ^ sign) - sign);
  }
};

} // namespace detail

LANEFOLD_END_NAMESPACE

#endif
