// SPDX-License-Identifier: Apache-2.0
/// Integer division and shifts of registers. Internal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include <lanefold/simd/detail/register_bits.hpp>
#include <lanefold/simd/detail/register_chunks.hpp>
#include <lanefold/simd/detail/register_convert.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// a / b for b that may be 0 or -1: lanes that are not active hold anything and must not trap.
template <class T>
LANEFOLD_ALWAYS_INLINE T divide_value(T a, T b) {
  using U = std::make_unsigned_t<T>;
  if constexpr (std::is_signed_v<T>) {
    if (b == T(-1))
      return static_cast<T>(U(0) - static_cast<U>(a));
  }
  return b == 0 ? T(0) : static_cast<T>(a / b);
}

template <class T, std::size_t W, std::size_t... I>
LANEFOLD_ALWAYS_INLINE chunk_t<T, W> divide_lanes(const chunk_t<T, W>& a, const chunk_t<T, W>& b,
                                                  std::index_sequence<I...>) {
  return chunk_t<T, W>{divide_value<T>(a[I], b[I])...};
}

#if defined(LANEFOLD_DETAIL_AVX2)

/// 64-bit integers divide by floating point where these are exact, which is decided for each register: the division of
/// doubles rounds once, and to the next integer only from an operand of 2^53 on.
#if defined(LANEFOLD_DETAIL_AVX512)
inline constexpr int exact_bits = 53;

template <class T, std::size_t W>
LANEFOLD_ALWAYS_INLINE chunk_t<T, W> divide_small(const chunk_t<T, W>& a, const chunk_t<T, W>& b) {
  using doubles = chunk_t<double, W>;
  using integers = chunk_t<std::int64_t, W>;
  return (chunk_t<T, W>)convert_chunk<std::int64_t, double, W>(doubles(
      convert_chunk<double, std::int64_t, W>((integers)a) / convert_chunk<double, std::int64_t, W>((integers)b)));
}
#else
inline constexpr int exact_bits = 52;

template <std::size_t W>
LANEFOLD_ALWAYS_INLINE chunk_t<double, W> truncated(const chunk_t<double, W>& x) {
  if constexpr (W == 4)
    return same_bits<chunk_t<double, W>>(
        _mm256_round_pd(same_bits<__m256d>(x), _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC));
  else
    return same_bits<chunk_t<double, W>>(_mm_round_pd(same_bits<__m128d>(x), _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC));
}

template <class T, std::size_t W>
LANEFOLD_ALWAYS_INLINE chunk_t<T, W> divide_small(const chunk_t<T, W>& a, const chunk_t<T, W>& b) {
  // 2^52 + 2^51 plus an integer of 52 bits (signed): the integer stands in the lowest bits of the double.
  constexpr double magic = 0x1.8p52;
  constexpr auto magic_bits = static_cast<T>(0x4338000000000000);
  using doubles = chunk_t<double, W>;
  const doubles x = same_bits<doubles>(a + magic_bits) - magic, y = same_bits<doubles>(b + magic_bits) - magic;
  return same_bits<chunk_t<T, W>>(truncated<W>(x / y) + magic) - magic_bits;
}
#endif

template <class T, std::size_t W>
LANEFOLD_COLD void divide_large(const T* a, const T* b, T* quotients) {
  for (std::size_t i = 0; i < W; ++i)
    quotients[i] = divide_value<T>(a[i], b[i]);
}

/// Quotients of 64-bit integers.
template <class Isa, class R, class T, std::size_t W>
LANEFOLD_ALWAYS_INLINE chunk_t<T, W> divide_words(const chunk_t<T, W>& a, const chunk_t<T, W>& b) {
  using words = chunk_t<std::uint64_t, W>;
  constexpr std::uint64_t shift = std::is_signed_v<T> ? std::uint64_t{1} << (exact_bits - 1) : 0;
  // AVX2's trick has one bit for the sign.
  constexpr int bits = exact_bits == 52 && !std::is_signed_v<T> ? 51 : exact_bits;
  const words high = (((words)a + shift) | ((words)b + shift)) >> bits;
  using zero_test = typename register_of<std::uint64_t, W, Isa>::type;
  const bool large =
      compare<Isa, comparison::not_equal>(to_register<zero_test>(high), to_register<zero_test>(words{})) != 0;
  if (__builtin_expect(large, 0)) {
    alignas(64) T x[W], y[W], q[W];
    __builtin_memcpy(x, &a, sizeof(a));
    __builtin_memcpy(y, &b, sizeof(b));
    divide_large<T, W>(x, y, q);
    chunk_t<T, W> result;
    __builtin_memcpy(&result, q, sizeof(result));
    return result;
  }
  return divide_small<T, W>(a, b);
}

#endif

#if defined(LANEFOLD_DETAIL_SSE2)

/// By the instruction, which has a result for 2^31 too (the least integer by -1): in C++ that is undefined, and clang
/// makes use of it.
template <std::size_t G>
LANEFOLD_ALWAYS_INLINE chunk_t<std::int32_t, G> truncated_integers(const chunk_t<double, G>& q) {
#if defined(LANEFOLD_DETAIL_AVX512)
  if constexpr (G == 8)
    return same_bits<chunk_t<std::int32_t, 8>>(_mm512_cvttpd_epi32(same_bits<__m512d>(q)));
  else
#endif
#if defined(LANEFOLD_DETAIL_AVX2)
      if constexpr (G == 4)
    return same_bits<chunk_t<std::int32_t, 4>>(_mm256_cvttpd_epi32(same_bits<__m256d>(q)));
  else
#endif
    return subvector<std::int32_t, 4, 0, G>(
        same_bits<chunk_t<std::int32_t, 4>>(_mm_cvttpd_epi32(same_bits<__m128d>(q))));
}

/// Quotients of 32-bit integers by division of doubles, which is exact for them. Where b is 0, the quotient is
/// unspecified.
template <class T, std::size_t G>
LANEFOLD_ALWAYS_INLINE chunk_t<T, G> divide_as_doubles(const chunk_t<T, G>& a, const chunk_t<T, G>& b) {
  const chunk_t<double, G> q = convert_chunk<double, T, G>(a) / convert_chunk<double, T, G>(b);
#if defined(LANEFOLD_DETAIL_AVX2) && !defined(LANEFOLD_DETAIL_AVX512)
  if constexpr (!std::is_signed_v<T>)
    return convert_chunk<T, std::uint64_t, G>(same_bits<chunk_t<std::uint64_t, G>>(truncated<G>(q) + 0x1p52));
  else
#endif
      if constexpr (std::is_signed_v<T>)
    return truncated_integers<G>(q);
  else
    return convert_chunk<T, double, G>(q);
}

template <class T, std::size_t W, std::size_t G, std::size_t... J>
LANEFOLD_ALWAYS_INLINE chunk_t<T, W> divide_by_chunks(const chunk_t<T, W>& a, const chunk_t<T, W>& b,
                                                      std::index_sequence<J...>) {
  using part = chunk_t<T, G>;
  const pack<part, sizeof...(J)> q{
      leaf<J, part>{divide_as_doubles<T, G>(subvector<T, W, J * G, G>(a), subvector<T, W, J * G, G>(b))}...};
  return joined<T, G, 0, sizeof...(J)>(q, std::index_sequence<J...>{});
}

#endif

/// a / b, lane by lane; where b is 0 the result is anything, but nothing traps.
template <class Isa, class R>
LANEFOLD_ALWAYS_INLINE R divide_integers(const R& a, const R& b) {
  using T = typename register_traits<R>::element;
  constexpr std::size_t w = register_traits<R>::lanes;
  if constexpr (w == 1) {
    return divide_value<T>(a, b);
  } else {
    const auto x = to_vector(a), y = to_vector(b);
#if defined(LANEFOLD_DETAIL_AVX2)
    if constexpr (sizeof(T) == 8 && !std::is_same_v<Isa, isa::sse2>) {
      return to_register<R>(divide_words<Isa, R, T, w>(x, y));
    } else if constexpr (sizeof(T) == 4) {
      constexpr std::size_t most = std::is_same_v<Isa, isa::avx512> ? 8 : 4;
      constexpr std::size_t g = w < most ? w : most;
      return to_register<R>(divide_by_chunks<T, w, g>(x, y, std::make_index_sequence<w / g>{}));
    } else
#elif defined(LANEFOLD_DETAIL_SSE2)
    if constexpr (std::is_same_v<T, std::int32_t>) {
      return to_register<R>(divide_by_chunks<T, w, 2>(x, y, std::make_index_sequence<w / 2>{}));
    } else
#endif
      return to_register<R>(divide_lanes<T, w>(x, y, std::make_index_sequence<w>{}));
  }
}

/// a % b, lane by lane, with the sign of a; where b is 0 the result is anything, but nothing traps.
template <class Isa, class R>
LANEFOLD_ALWAYS_INLINE R remainder_integers(const R& a, const R& b) {
  using traits = register_traits<R>;
  using T = typename traits::element;
  const R q = divide_integers<Isa>(a, b);
  if constexpr (traits::is_vector) {
    using U = vector_t<std::make_unsigned_t<T>, traits::lanes>;
    return to_register<R>((U)to_vector(a) - (U)to_vector(q) * (U)to_vector(b));
  } else {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(a) - static_cast<U>(static_cast<U>(q) * static_cast<U>(b)));
  }
}

#if defined(LANEFOLD_DETAIL_SSE2)

#define LANEFOLD_DETAIL_SHIFT(prefix, reg)                                                                             \
  do {                                                                                                                 \
    const reg v = same_bits<reg>(x);                                                                                   \
    if constexpr (Left)                                                                                                \
      return same_bits<vector>(sizeof(T) == 4 ? prefix##_sll_epi32(v, n) : prefix##_sll_epi64(v, n));                  \
    else if constexpr (!std::is_signed_v<T>)                                                                           \
      return same_bits<vector>(sizeof(T) == 4 ? prefix##_srl_epi32(v, n) : prefix##_srl_epi64(v, n));                  \
    else if constexpr (sizeof(T) == 4)                                                                                 \
      return same_bits<vector>(prefix##_sra_epi32(v, n));                                                              \
    else                                                                                                               \
      return shifted_words<W>(same_bits<vector_t<std::uint64_t, W>>(prefix##_srl_epi64(v, n)), count);                 \
  } while (false)

/// The sign drawn into 64-bit integers that were shifted right without it.
template <std::size_t W>
LANEFOLD_ALWAYS_INLINE vector_t<std::int64_t, W> shifted_words(const vector_t<std::uint64_t, W>& x, unsigned count) {
  const std::uint64_t sign = (std::uint64_t{1} << 63) >> (count & 63);
  return (vector_t<std::int64_t, W>)((x ^ sign) - sign);
}

/// A register of 32-bit or 64-bit integers shifted by one count.
template <bool Left, class T, std::size_t W>
LANEFOLD_ALWAYS_INLINE vector_t<T, W> shift_vector(const vector_t<T, W>& x, unsigned count) {
  using vector = vector_t<T, W>;
  const __m128i n = _mm_cvtsi32_si128(static_cast<int>(count));
#if defined(LANEFOLD_DETAIL_AVX512)
  if constexpr (std::is_same_v<T, std::int64_t> && !Left) {
    if constexpr (sizeof(x) == 64)
      return same_bits<vector>(_mm512_sra_epi64(same_bits<__m512i>(x), n));
    else if constexpr (sizeof(x) == 32)
      return same_bits<vector>(_mm256_sra_epi64(same_bits<__m256i>(x), n));
    else
      return same_bits<vector>(_mm_sra_epi64(same_bits<__m128i>(x), n));
  } else if constexpr (sizeof(x) == 64) {
    LANEFOLD_DETAIL_SHIFT(_mm512, __m512i);
  } else
#endif
#if defined(LANEFOLD_DETAIL_AVX2)
      if constexpr (sizeof(x) == 32) {
    LANEFOLD_DETAIL_SHIFT(_mm256, __m256i);
  } else
#endif
    LANEFOLD_DETAIL_SHIFT(_mm, __m128i);
}

#undef LANEFOLD_DETAIL_SHIFT
#endif

/// Every lane shifted by one count, below the bits of a lane.
template <bool Left, class R>
LANEFOLD_ALWAYS_INLINE R shift_register(const R& r, unsigned count) {
  using traits = register_traits<R>;
  if constexpr (!traits::is_vector) {
    return static_cast<R>(Left ? r << count : r >> count);
  } else {
#if defined(LANEFOLD_DETAIL_SSE2)
    return to_register<R>(shift_vector<Left, typename traits::element, traits::lanes>(to_vector(r), count));
#else
    const auto x = to_vector(r);
    const auto counts = decltype(x){} + static_cast<typename traits::element>(count);
    return to_register<R>(Left ? x << counts : x >> counts);
#endif
  }
}

} // namespace detail

LANEFOLD_END_NAMESPACE
