// SPDX-License-Identifier: Apache-2.0
/// Gather and scatter of one chunk of lanes by instructions: elements of 4 and 8 bytes, indices of 32 and 64 bits.
/// Internal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <lanefold/simd/detail/register_bits.hpp>
#include <lanefold/simd/detail/register_chunks.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// Is true if registers of `Isa` have gather (scatter) instructions for elements of T.
template <class T, class Isa>
inline constexpr bool has_gather =
    (std::is_same_v<Isa, isa::avx512> || std::is_same_v<Isa, isa::avx2>) && has_registers<T> && sizeof(T) >= 4;
template <class T, class Isa>
inline constexpr bool has_scatter = std::is_same_v<Isa, isa::avx512> && has_registers<T> && sizeof(T) >= 4;

/// The integer that an index is widened to: instructions take 32 and 64 bits.
template <class I>
using gather_index = std::conditional_t<sizeof(I) < 4, std::int32_t, canonical_t<I>>;

/// Instructions read 32-bit indices as signed; unsigned ones are shifted down by 2^31 and the address up.
template <class J>
inline constexpr bool shifted_index = std::is_same_v<J, std::uint32_t>;

template <class J, class T>
LANEFOLD_ALWAYS_INLINE T* gather_address(T* p) {
  if constexpr (shifted_index<J>)
    return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(p) + (std::uintptr_t{1} << 31) * sizeof(T));
  else
    return p;
}

template <class J, std::size_t G>
LANEFOLD_ALWAYS_INLINE chunk_t<J, G> gather_indices(const chunk_t<J, G>& i) {
  if constexpr (shifted_index<J>)
    return i ^ 0x80000000u;
  else
    return i;
}

#if defined(LANEFOLD_DETAIL_AVX2)

#define LANEFOLD_DETAIL_GATHER(bits, prefix, result_suffix, index)                                                     \
  do {                                                                                                                 \
    if constexpr (masked)                                                                                              \
      return same_bits<result>(bits##_mask_##prefix##gather_epi##result_suffix(                                        \
          same_bits<source>(result{}), address, same_bits<index>(i), same_bits<source>(m), sizeof(T)));                \
    else                                                                                                               \
      return same_bits<result>(bits##_##prefix##gather_epi##result_suffix(address, same_bits<index>(i), sizeof(T)));   \
  } while (false)

/// {p[i0], p[i1], …}; with a mask (a vector of all-ones and zeros as wide as the result) 0 where it is not set, and
/// nothing is accessed there.
template <class T, class J, std::size_t G, class... Mask>
LANEFOLD_ALWAYS_INLINE chunk_t<T, G> gather_chunk_avx2(const void* p, const chunk_t<J, G>& i, const Mask&... mask) {
  using result = chunk_t<T, G>;
  using source = vector_t<long long, sizeof(result) / sizeof(long long)>;
  using word = std::conditional_t<sizeof(T) == 4, int, long long>;
  constexpr bool masked = sizeof...(Mask) == 1;
  const auto* address = static_cast<const word*>(p);
  [[maybe_unused]] const auto m = [](const auto& first, const auto&...)
                                      LANEFOLD_INLINE_LAMBDA { return first; }(mask..., result{});
  if constexpr (sizeof(T) == 4 && sizeof(J) == 4) {
    if constexpr (sizeof(result) == 32)
      LANEFOLD_DETAIL_GATHER(_mm256, i32, 32, __m256i);
    else
      LANEFOLD_DETAIL_GATHER(_mm, i32, 32, __m128i);
  } else if constexpr (sizeof(T) == 8 && sizeof(J) == 4) {
    LANEFOLD_DETAIL_GATHER(_mm256, i32, 64, __m128i);
  } else if constexpr (sizeof(T) == 4) {
    LANEFOLD_DETAIL_GATHER(_mm256, i64, 32, __m256i);
  } else {
    if constexpr (sizeof(result) == 32)
      LANEFOLD_DETAIL_GATHER(_mm256, i64, 64, __m256i);
    else
      LANEFOLD_DETAIL_GATHER(_mm, i64, 64, __m128i);
  }
}

#undef LANEFOLD_DETAIL_GATHER
#endif

#if defined(LANEFOLD_DETAIL_AVX512)

#define LANEFOLD_DETAIL_GATHER(bits, prefix, result_suffix, index)                                                     \
  return same_bits<result>(bits##_mmask_##prefix##gather_epi##result_suffix(zero, b, same_bits<index>(i), p, sizeof(T)))

/// Gathers as `gather_chunk_avx2` does, for the lanes whose bit is set.
template <class T, class J, std::size_t G, class Bits>
LANEFOLD_ALWAYS_INLINE chunk_t<T, G> gather_chunk_avx512(const void* p, const chunk_t<J, G>& i, Bits b) {
  using result = chunk_t<T, G>;
  if constexpr (sizeof(result) == 64 || sizeof(i) == 64) {
    if constexpr (sizeof(T) == 4 && sizeof(J) == 4)
      return same_bits<result>(
          _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), b, same_bits<__m512i>(i), p, sizeof(T)));
    else if constexpr (sizeof(T) == 8 && sizeof(J) == 4)
      return same_bits<result>(
          _mm512_mask_i32gather_epi64(_mm512_setzero_si512(), b, same_bits<__m256i>(i), p, sizeof(T)));
    else if constexpr (sizeof(T) == 4)
      return same_bits<result>(
          _mm512_mask_i64gather_epi32(_mm256_setzero_si256(), b, same_bits<__m512i>(i), p, sizeof(T)));
    else
      return same_bits<result>(
          _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), b, same_bits<__m512i>(i), p, sizeof(T)));
  } else if constexpr (sizeof(result) == 32) {
    const __m256i zero = _mm256_setzero_si256();
    if constexpr (sizeof(T) == 4)
      LANEFOLD_DETAIL_GATHER(_mm256, i32, 32, __m256i);
    else if constexpr (sizeof(J) == 4)
      LANEFOLD_DETAIL_GATHER(_mm256, i32, 64, __m128i);
    else
      LANEFOLD_DETAIL_GATHER(_mm256, i64, 64, __m256i);
  } else {
    const __m128i zero = _mm_setzero_si128();
    if constexpr (sizeof(T) == 4 && sizeof(J) == 4)
      LANEFOLD_DETAIL_GATHER(_mm, i32, 32, __m128i);
    else if constexpr (sizeof(T) == 4)
      LANEFOLD_DETAIL_GATHER(_mm256, i64, 32, __m256i);
    else
      LANEFOLD_DETAIL_GATHER(_mm, i64, 64, __m128i);
  }
}

#undef LANEFOLD_DETAIL_GATHER

#define LANEFOLD_DETAIL_SCATTER(bits, prefix, suffix, index, value)                                                    \
  bits##_mask_##prefix##scatter_epi##suffix(p, b, same_bits<index>(i), same_bits<value>(v), sizeof(T))

/// p[i0] = v0; p[i1] = v1; … in this order, where the bit is set.
template <class T, class J, std::size_t G, class Bits>
LANEFOLD_ALWAYS_INLINE void scatter_chunk(void* p, const chunk_t<J, G>& i, const chunk_t<T, G>& v, Bits b) {
  if constexpr (sizeof(v) == 64 || sizeof(i) == 64) {
    if constexpr (sizeof(T) == 4 && sizeof(J) == 4)
      LANEFOLD_DETAIL_SCATTER(_mm512, i32, 32, __m512i, __m512i);
    else if constexpr (sizeof(T) == 8 && sizeof(J) == 4)
      LANEFOLD_DETAIL_SCATTER(_mm512, i32, 64, __m256i, __m512i);
    else if constexpr (sizeof(T) == 4)
      LANEFOLD_DETAIL_SCATTER(_mm512, i64, 32, __m512i, __m256i);
    else
      LANEFOLD_DETAIL_SCATTER(_mm512, i64, 64, __m512i, __m512i);
  } else if constexpr (sizeof(v) == 32) {
    if constexpr (sizeof(T) == 4)
      LANEFOLD_DETAIL_SCATTER(_mm256, i32, 32, __m256i, __m256i);
    else if constexpr (sizeof(J) == 4)
      LANEFOLD_DETAIL_SCATTER(_mm256, i32, 64, __m128i, __m256i);
    else
      LANEFOLD_DETAIL_SCATTER(_mm256, i64, 64, __m256i, __m256i);
  } else {
    if constexpr (sizeof(T) == 4 && sizeof(J) == 4)
      LANEFOLD_DETAIL_SCATTER(_mm, i32, 32, __m128i, __m128i);
    else if constexpr (sizeof(T) == 4)
      LANEFOLD_DETAIL_SCATTER(_mm256, i64, 32, __m256i, __m128i);
    else
      LANEFOLD_DETAIL_SCATTER(_mm, i64, 64, __m128i, __m128i);
  }
}

#undef LANEFOLD_DETAIL_SCATTER
#endif

/// {p[i0], p[i1], …} for G lanes, for types that have_gather.
template <class Isa, class T, class J, std::size_t G>
LANEFOLD_ALWAYS_INLINE chunk_t<T, G> gather_chunk([[maybe_unused]] const void* p,
                                                  [[maybe_unused]] const chunk_t<J, G>& i) {
#if defined(LANEFOLD_DETAIL_AVX512)
  if constexpr (std::is_same_v<Isa, isa::avx512>)
    return gather_chunk_avx512<T, J, G>(p, i, full_bits<G>);
  else
#endif
#if defined(LANEFOLD_DETAIL_AVX2)
    return gather_chunk_avx2<T, J, G>(p, i);
#else
  return chunk_t<T, G>{};
#endif
}
template <class Isa, class T, class J, std::size_t G>
LANEFOLD_ALWAYS_INLINE chunk_t<T, G>
gather_chunk([[maybe_unused]] const void* p, [[maybe_unused]] const chunk_t<J, G>& i, [[maybe_unused]] lane_bits<G> b) {
#if defined(LANEFOLD_DETAIL_AVX512)
  if constexpr (std::is_same_v<Isa, isa::avx512>)
    return gather_chunk_avx512<T, J, G>(p, i, b);
  else
#endif
#if defined(LANEFOLD_DETAIL_AVX2)
    return gather_chunk_avx2<T, J, G>(p, i, access_mask<T, G>(b));
#else
  return chunk_t<T, G>{};
#endif
}

} // namespace detail

LANEFOLD_END_NAMESPACE
