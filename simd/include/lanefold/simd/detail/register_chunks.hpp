// SPDX-License-Identifier: Apache-2.0
/// The lanes of a pack of registers cut into chunks of fewer lanes, and registers made of chunks: what element types of
/// different width, lane shapes with short rows, and gathers have in common. Internal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <lanefold/simd/registers.hpp>

#if defined(LANEFOLD_DETAIL_SSE2)
#include <immintrin.h>
#endif

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

template <class T, std::size_t W>
struct chunk {
  using type = vector_t<T, W>;
};
template <class T>
struct chunk<T, 1> {
  using type = T;
};
/// W lanes of T as a vector of the compiler of any size; one lane is a plain T.
template <class T, std::size_t W>
using chunk_t = typename chunk<T, W>::type;

/// The bits of a value as another type of the same size.
template <class To, class From>
LANEFOLD_ALWAYS_INLINE To same_bits(const From& x) {
  return __builtin_bit_cast(To, x);
}

template <class T, class V, std::size_t First, std::size_t... I>
LANEFOLD_ALWAYS_INLINE auto shuffled_subvector(const V& v, std::index_sequence<I...>) {
  return __builtin_shufflevector(v, v, static_cast<int>(First + I)...);
}

/// Lanes [First, First + Count) of W lanes of T.
template <class T, std::size_t W, std::size_t First, std::size_t Count>
LANEFOLD_ALWAYS_INLINE chunk_t<T, Count> subvector(const chunk_t<T, W>& v) {
  constexpr std::size_t bytes = Count * sizeof(T), from = First * sizeof(T), all = W * sizeof(T);
  if constexpr (Count == W) {
    return v;
  } else if constexpr (Count == 1) {
    return v[First];
  } else if constexpr (bytes < 16 && (bytes & (bytes - 1)) == 0 && all >= 16) {
    using word = typename sized_integer<bytes, false>::type;
    return same_bits<chunk_t<T, Count>>(same_bits<vector_t<word, all / bytes>>(v)[from / bytes]);
  } else {
#if defined(LANEFOLD_DETAIL_AVX512)
    if constexpr (all == 64 && bytes == 32)
      return same_bits<chunk_t<T, Count>>(from == 0 ? _mm512_castsi512_si256(same_bits<__m512i>(v))
                                                    : _mm512_extracti64x4_epi64(same_bits<__m512i>(v), from != 0));
    else if constexpr (all == 64 && bytes == 16)
      return same_bits<chunk_t<T, Count>>(from == 0 ? _mm512_castsi512_si128(same_bits<__m512i>(v))
                                                    : _mm512_extracti32x4_epi32(same_bits<__m512i>(v), from / 16));
    else
#endif
#if defined(LANEFOLD_DETAIL_AVX2)
        if constexpr (all == 32 && bytes == 16)
      return same_bits<chunk_t<T, Count>>(from == 0 ? _mm256_castsi256_si128(same_bits<__m256i>(v))
                                                    : _mm256_extracti128_si256(same_bits<__m256i>(v), from / 16));
    else
#endif
      return shuffled_subvector<T, chunk_t<T, W>, First>(v, std::make_index_sequence<Count>{});
  }
}

template <class V, std::size_t... I>
LANEFOLD_ALWAYS_INLINE auto shuffled_pair(const V& a, const V& b, std::index_sequence<I...>) {
  return __builtin_shufflevector(a, b, static_cast<int>(I)...);
}

/// The lanes of a, then those of b; W lanes of T each, at least 16 bytes.
template <class T, std::size_t W>
LANEFOLD_ALWAYS_INLINE chunk_t<T, 2 * W> joined_pair(const chunk_t<T, W>& a, const chunk_t<T, W>& b) {
  constexpr std::size_t bytes = 2 * W * sizeof(T);
#if defined(LANEFOLD_DETAIL_AVX512)
  if constexpr (bytes == 64)
    return same_bits<chunk_t<T, 2 * W>>(
        _mm512_inserti64x4(_mm512_castsi256_si512(same_bits<__m256i>(a)), same_bits<__m256i>(b), 1));
  else
#endif
#if defined(LANEFOLD_DETAIL_AVX2)
      if constexpr (bytes == 32)
    return same_bits<chunk_t<T, 2 * W>>(_mm256_set_m128i(same_bits<__m128i>(b), same_bits<__m128i>(a)));
  else
#endif
    return shuffled_pair(a, b, std::make_index_sequence<bytes / sizeof(T)>{});
}

/// Chunks First to First + Count - 1 of a pack joined to one vector.
template <class T, std::size_t G, std::size_t First, std::size_t Count, class Chunks, std::size_t... I>
LANEFOLD_ALWAYS_INLINE chunk_t<T, G * Count> joined(const Chunks& c, std::index_sequence<I...>) {
  constexpr std::size_t bytes = G * sizeof(T);
  if constexpr (Count == 1) {
    return c.template get<First>();
  } else if constexpr (G == 1) {
    return chunk_t<T, Count>{c.template get<First + I>()...};
  } else if constexpr (bytes < 16) {
    using word = typename sized_integer<bytes, false>::type;
    return same_bits<chunk_t<T, G * Count>>(vector_t<word, Count>{same_bits<word>(c.template get<First + I>())...});
  } else {
    using half = std::make_index_sequence<Count / 2>;
    return joined_pair<T, G * Count / 2>(joined<T, G, First, Count / 2>(c, half{}),
                                         joined<T, G, First + Count / 2, Count / 2>(c, half{}));
  }
}

template <class R, std::size_t G, class Chunks, std::size_t... K>
LANEFOLD_ALWAYS_INLINE pack<R, sizeof...(K)> registers_of(const Chunks& c, std::index_sequence<K...>) {
  using T = typename register_traits<R>::element;
  constexpr std::size_t n = register_traits<R>::lanes / G;
  return {leaf<K, R>{to_register<R>(joined<T, G, K * n, n>(c, std::make_index_sequence<n>{}))}...};
}

/// Registers R made of a pack of chunks of G lanes; G at most the lanes of a register.
template <class R, std::size_t G, class Chunks>
LANEFOLD_ALWAYS_INLINE auto from_chunks(const Chunks& c) {
  return registers_of<R, G>(c, std::make_index_sequence<Chunks::size * G / register_traits<R>::lanes>{});
}

template <std::size_t G, class R, class Registers, std::size_t... J>
LANEFOLD_ALWAYS_INLINE auto chunks_of(const Registers& r, std::index_sequence<J...>) {
  using T = typename register_traits<R>::element;
  constexpr std::size_t w = register_traits<R>::lanes;
  using part = chunk_t<T, G>;
  return pack<part, sizeof...(J)>{
      leaf<J, part>{subvector<T, w, J * G % w, G>(to_vector(r.template get<J * G / w>()))}...};
}

/// A pack of registers as a pack of chunks of G lanes; G at most the lanes of a register.
template <std::size_t G, class R, std::size_t... K>
LANEFOLD_ALWAYS_INLINE auto to_chunks(const pack_of<R, std::index_sequence<K...>>& r) {
  return chunks_of<G, R>(r, std::make_index_sequence<sizeof...(K) * register_traits<R>::lanes / G>{});
}

} // namespace detail

LANEFOLD_END_NAMESPACE
