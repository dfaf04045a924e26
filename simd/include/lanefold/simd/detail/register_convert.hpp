// SPDX-License-Identifier: Apache-2.0
/// Conversion of the element type of a vector, lane by lane as C++ converts. Internal.
/// clang compiles __builtin_convertvector to the best instructions; g++ 12 does not where the width changes, so that
/// widening and narrowing are spelled out for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <lanefold/simd/detail/register_chunks.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// The integer between From and To that instructions convert through, or To: bytes and words become floating point and
/// come from it through 32 bits.
template <class To, class From>
constexpr auto conversion_step() {
  if constexpr (std::is_integral_v<From> && std::is_floating_point_v<To> && sizeof(From) < 4)
    return std::int32_t{};
  else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To> && sizeof(To) < 4)
    return std::int32_t{};
  else
    return To{};
}

#if !defined(__clang__) && defined(LANEFOLD_DETAIL_AVX2)

/// The 16-byte register whose low bytes are those of v, which is smaller.
template <class V>
LANEFOLD_ALWAYS_INLINE __m128i low_bytes(const V& v) {
  if constexpr (sizeof(V) == 16)
    return same_bits<__m128i>(v);
  else if constexpr (sizeof(V) == 8)
    return _mm_cvtsi64_si128(same_bits<long long>(v));
  else if constexpr (sizeof(V) == 4)
    return _mm_cvtsi32_si128(same_bits<int>(v));
  else
    return _mm_cvtsi32_si128(same_bits<std::uint16_t>(v));
}

/// The low bytes of a register as a smaller vector.
template <class V>
LANEFOLD_ALWAYS_INLINE V from_low_bytes(__m128i r) {
  if constexpr (sizeof(V) == 16)
    return same_bits<V>(r);
  else if constexpr (sizeof(V) == 8)
    return same_bits<V>(_mm_cvtsi128_si64(r));
  else if constexpr (sizeof(V) == 4)
    return same_bits<V>(_mm_cvtsi128_si32(r));
  else
    return same_bits<V>(static_cast<std::uint16_t>(_mm_cvtsi128_si32(r)));
}

#define LANEFOLD_DETAIL_WIDEN(prefix, from, arg)                                                                       \
  if constexpr (sizeof(To) == 2)                                                                                       \
    return same_bits<result>(prefix##_cvt##from##8_epi16(arg));                                                        \
  else if constexpr (sizeof(From) == 1 && sizeof(To) == 4)                                                             \
    return same_bits<result>(prefix##_cvt##from##8_epi32(arg));                                                        \
  else if constexpr (sizeof(From) == 1)                                                                                \
    return same_bits<result>(prefix##_cvt##from##8_epi64(arg));                                                        \
  else if constexpr (sizeof(From) == 2 && sizeof(To) == 4)                                                             \
    return same_bits<result>(prefix##_cvt##from##16_epi32(arg));                                                       \
  else if constexpr (sizeof(From) == 2)                                                                                \
    return same_bits<result>(prefix##_cvt##from##16_epi64(arg));                                                       \
  else                                                                                                                 \
    return same_bits<result>(prefix##_cvt##from##32_epi64(arg))

/// Integers to wider integers.
template <class To, class From, std::size_t W>
LANEFOLD_ALWAYS_INLINE chunk_t<To, W> widened(const chunk_t<From, W>& v) {
  using result = chunk_t<To, W>;
  if constexpr (sizeof(result) == 16) {
    const __m128i low = low_bytes(v);
    if constexpr (std::is_signed_v<From>) {
      LANEFOLD_DETAIL_WIDEN(_mm, epi, low);
    } else {
      LANEFOLD_DETAIL_WIDEN(_mm, epu, low);
    }
  } else if constexpr (sizeof(result) == 32) {
    const __m128i low = low_bytes(v);
    if constexpr (std::is_signed_v<From>) {
      LANEFOLD_DETAIL_WIDEN(_mm256, epi, low);
    } else {
      LANEFOLD_DETAIL_WIDEN(_mm256, epu, low);
    }
  }
#if defined(LANEFOLD_DETAIL_AVX512)
  else if constexpr (sizeof(result) == 64) {
    if constexpr (sizeof(v) == 32) {
      if constexpr (std::is_signed_v<From>) {
        if constexpr (sizeof(From) == 1)
          return same_bits<result>(_mm512_cvtepi8_epi16(same_bits<__m256i>(v)));
        else if constexpr (sizeof(From) == 2)
          return same_bits<result>(_mm512_cvtepi16_epi32(same_bits<__m256i>(v)));
        else
          return same_bits<result>(_mm512_cvtepi32_epi64(same_bits<__m256i>(v)));
      } else {
        if constexpr (sizeof(From) == 1)
          return same_bits<result>(_mm512_cvtepu8_epi16(same_bits<__m256i>(v)));
        else if constexpr (sizeof(From) == 2)
          return same_bits<result>(_mm512_cvtepu16_epi32(same_bits<__m256i>(v)));
        else
          return same_bits<result>(_mm512_cvtepu32_epi64(same_bits<__m256i>(v)));
      }
    } else {
      const __m128i low = low_bytes(v);
      if constexpr (sizeof(From) == 1 && sizeof(To) == 4)
        return same_bits<result>(std::is_signed_v<From> ? _mm512_cvtepi8_epi32(low) : _mm512_cvtepu8_epi32(low));
      else if constexpr (sizeof(From) == 1)
        return same_bits<result>(std::is_signed_v<From> ? _mm512_cvtepi8_epi64(low) : _mm512_cvtepu8_epi64(low));
      else
        return same_bits<result>(std::is_signed_v<From> ? _mm512_cvtepi16_epi64(low) : _mm512_cvtepu16_epi64(low));
    }
  }
#endif
  else {
    return __builtin_convertvector(v, result);
  }
}

#undef LANEFOLD_DETAIL_WIDEN

#if defined(LANEFOLD_DETAIL_AVX512)

#define LANEFOLD_DETAIL_NARROW(prefix, arg)                                                                            \
  if constexpr (sizeof(From) == 2)                                                                                     \
    return prefix##_cvtepi16_epi8(arg);                                                                                \
  else if constexpr (sizeof(From) == 4 && sizeof(To) == 1)                                                             \
    return prefix##_cvtepi32_epi8(arg);                                                                                \
  else if constexpr (sizeof(From) == 4)                                                                                \
    return prefix##_cvtepi32_epi16(arg);                                                                               \
  else if constexpr (sizeof(To) == 1)                                                                                  \
    return prefix##_cvtepi64_epi8(arg);                                                                                \
  else if constexpr (sizeof(To) == 2)                                                                                  \
    return prefix##_cvtepi64_epi16(arg);                                                                               \
  else                                                                                                                 \
    return prefix##_cvtepi64_epi32(arg)

template <class To, class From, class V>
LANEFOLD_ALWAYS_INLINE auto narrowed_register(const V& v) {
  if constexpr (sizeof(V) == 64) {
    LANEFOLD_DETAIL_NARROW(_mm512, same_bits<__m512i>(v));
  } else if constexpr (sizeof(V) == 32) {
    LANEFOLD_DETAIL_NARROW(_mm256, same_bits<__m256i>(v));
  } else {
    LANEFOLD_DETAIL_NARROW(_mm, same_bits<__m128i>(v));
  }
}

#undef LANEFOLD_DETAIL_NARROW

/// Integers to narrower integers, modulo 2^bits.
template <class To, class From, std::size_t W>
LANEFOLD_ALWAYS_INLINE chunk_t<To, W> narrowed(const chunk_t<From, W>& v) {
  using result = chunk_t<To, W>;
  if constexpr (sizeof(v) < 16) {
    return __builtin_convertvector(v, result);
  } else {
    const auto r = narrowed_register<To, From>(v);
    if constexpr (sizeof(r) == 32)
      return same_bits<result>(r);
    else
      return from_low_bytes<result>(r);
  }
}

#else

template <class To, class V, std::size_t... I>
LANEFOLD_ALWAYS_INLINE auto every_second(const V& v, std::index_sequence<I...>) {
  return __builtin_shufflevector(v, v, static_cast<int>(2 * I)...);
}

/// Integers to narrower integers, modulo 2^bits.
template <class To, class From, std::size_t W>
LANEFOLD_ALWAYS_INLINE chunk_t<To, W> narrowed(const chunk_t<From, W>& v) {
  using half = typename sized_integer<sizeof(From) / 2, std::is_signed_v<To>>::type;
  if constexpr (sizeof(v) == 32) {
    // Within each 16 bytes by a byte shuffle, then the low 8 bytes of both.
    const __m256i r = same_bits<__m256i>(v);
    __m256i low;
    if constexpr (sizeof(From) == 8)
      low = _mm256_shuffle_epi32(r, 0x88);
    else if constexpr (sizeof(From) == 4)
      low = _mm256_shuffle_epi8(r, _mm256_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 0, 1, 4, 5, 8, 9, 12, 13, 0, 1, 4, 5, 8,
                                                    9, 12, 13, 0, 1, 4, 5, 8, 9, 12, 13));
    else
      low = _mm256_shuffle_epi8(r, _mm256_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, 0, 2, 4, 6, 8, 10, 12, 14, 0, 2, 4, 6, 8,
                                                    10, 12, 14, 0, 2, 4, 6, 8, 10, 12, 14));
    const auto step = same_bits<chunk_t<half, W>>(_mm256_castsi256_si128(_mm256_permute4x64_epi64(low, 0x08)));
    if constexpr (sizeof(half) == sizeof(To))
      return step;
    else
      return narrowed<To, half, W>(step);
  } else if constexpr (sizeof(v) == 16 && sizeof(From) < 8) {
    const __m128i r = same_bits<__m128i>(v);
    if constexpr (sizeof(From) == 4 && sizeof(To) == 2)
      return from_low_bytes<chunk_t<To, W>>(
          _mm_shuffle_epi8(r, _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 0, 1, 4, 5, 8, 9, 12, 13)));
    else if constexpr (sizeof(From) == 4)
      return from_low_bytes<chunk_t<To, W>>(
          _mm_shuffle_epi8(r, _mm_setr_epi8(0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12)));
    else
      return from_low_bytes<chunk_t<To, W>>(
          _mm_shuffle_epi8(r, _mm_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, 0, 2, 4, 6, 8, 10, 12, 14)));
  } else {
    return __builtin_convertvector(v, chunk_t<To, W>);
  }
}

#endif
#endif

/// uint64 to double without an instruction for it, correctly rounded: the halves as exact doubles of weight 2^32 and 1,
/// and one rounding when they are added.
template <std::size_t W>
LANEFOLD_ALWAYS_INLINE chunk_t<double, W> doubles_of_uint64(const chunk_t<std::uint64_t, W>& v) {
  const auto high = same_bits<chunk_t<double, W>>((v >> 32) | 0x4530000000000000u);        // 2^84 + high * 2^32
  const auto low = same_bits<chunk_t<double, W>>((v & 0xffffffffu) | 0x4330000000000000u); // 2^52 + low
  return (high - (0x1p84 + 0x1p52)) + low;
}

/// W lanes of From converted to To.
template <class To, class From, std::size_t W>
LANEFOLD_ALWAYS_INLINE chunk_t<To, W> convert_chunk(const chunk_t<From, W>& v) {
  using result = chunk_t<To, W>;
  using step = decltype(conversion_step<To, From>());
  if constexpr (W == 1) {
    return static_cast<To>(v);
  } else if constexpr (std::is_same_v<To, From>) {
    return v;
  } else if constexpr (!std::is_same_v<step, To>) {
    return convert_chunk<To, step, W>(convert_chunk<step, From, W>(v));
  } else if constexpr (std::is_integral_v<To> && std::is_integral_v<From> && sizeof(To) == sizeof(From)) {
    return (result)v;
  } else {
#if !defined(LANEFOLD_DETAIL_AVX512)
    if constexpr (std::is_same_v<From, std::uint64_t> && std::is_same_v<To, double>)
      return doubles_of_uint64<W>(v);
    else if constexpr (std::is_same_v<From, std::uint64_t> && std::is_same_v<To, float>) {
      // Through double with the lowest bits gathered into one that is not lost: no double rounding.
      const auto sticky = (v | ((v & 0x7ffu) + 0x7ffu)) & ~std::uint64_t{0x7ff};
      return convert_chunk<float, double, W>(doubles_of_uint64<W>((v >> 53) != 0 ? sticky : v));
    } else
#endif
#if !defined(__clang__) && defined(LANEFOLD_DETAIL_AVX2)
        if constexpr (std::is_integral_v<To> && std::is_integral_v<From>) {
      if constexpr (sizeof(To) > sizeof(From))
        return widened<To, From, W>(v);
      else
        return narrowed<To, From, W>(v);
    } else if constexpr (std::is_same_v<From, float> && std::is_same_v<To, double> && W == 4) {
      return same_bits<result>(_mm256_cvtps_pd(same_bits<__m128>(v)));
    } else if constexpr (std::is_same_v<From, std::int32_t> && std::is_same_v<To, double> && W == 4) {
      return same_bits<result>(_mm256_cvtepi32_pd(same_bits<__m128i>(v)));
    } else
#endif
#if !defined(__clang__) && defined(LANEFOLD_DETAIL_AVX512)
        if constexpr (sizeof(To) == 8 && std::is_integral_v<To> && std::is_same_v<From, float> && (W == 4 || W == 8)) {
      if constexpr (W == 8)
        return same_bits<result>(std::is_signed_v<To> ? _mm512_cvttps_epi64(same_bits<__m256>(v))
                                                      : _mm512_cvttps_epu64(same_bits<__m256>(v)));
      else
        return same_bits<result>(std::is_signed_v<To> ? _mm256_cvttps_epi64(same_bits<__m128>(v))
                                                      : _mm256_cvttps_epu64(same_bits<__m128>(v)));
    } else if constexpr (std::is_same_v<From, float> && std::is_same_v<To, std::uint32_t> && (W == 4 || W == 8)) {
      if constexpr (W == 8)
        return same_bits<result>(_mm256_cvttps_epu32(same_bits<__m256>(v)));
      else
        return same_bits<result>(_mm_cvttps_epu32(same_bits<__m128>(v)));
    } else if constexpr (std::is_same_v<From, float> && std::is_same_v<To, double> && W == 8) {
      return same_bits<result>(_mm512_cvtps_pd(same_bits<__m256>(v)));
    } else if constexpr (std::is_same_v<From, std::int32_t> && std::is_same_v<To, double> && W == 8) {
      return same_bits<result>(_mm512_cvtepi32_pd(same_bits<__m256i>(v)));
    } else if constexpr (std::is_same_v<From, std::uint32_t> && std::is_same_v<To, double> && W == 8) {
      return same_bits<result>(_mm512_cvtepu32_pd(same_bits<__m256i>(v)));
    } else if constexpr (std::is_same_v<From, std::uint32_t> && std::is_same_v<To, double> && W == 4) {
      return same_bits<result>(_mm256_cvtepu32_pd(same_bits<__m128i>(v)));
    } else
#endif
      return __builtin_convertvector(v, result);
  }
}

/// A pack of registers converted to registers To of as many lanes in all.
template <class To, class From, std::size_t... K>
LANEFOLD_ALWAYS_INLINE auto convert_registers(const pack_of<From, std::index_sequence<K...>>& from) {
  using to = register_traits<To>;
  using traits = register_traits<From>;
  using E = typename to::element;
  using F = typename traits::element;
  constexpr std::size_t w = to::lanes < traits::lanes ? to::lanes : traits::lanes;
  constexpr std::size_t lanes = sizeof...(K) * traits::lanes;
  if constexpr (std::is_same_v<To, From>)
    return from;
  else
    return from_chunks<To, w>(pack<chunk_t<E, w>, lanes / w>::map(
        [](const chunk_t<F, w>& v) { return convert_chunk<E, F, w>(v); }, to_chunks<w>(from)));
}

} // namespace detail

LANEFOLD_END_NAMESPACE
