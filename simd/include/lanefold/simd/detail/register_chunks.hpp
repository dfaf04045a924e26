// SPDX-License-Identifier: Apache-2.0
/// The lanes of a pack of registers cut into chunks of fewer lanes, and registers made of chunks: what element types of
/// different width, lane shapes with short rows, and gathers have in common. Internal.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <lanefold/simd/isa/native.hpp>
#include <lanefold/simd/registers.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

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
    return native_instructions::part<T, W, First, Count>(v);
  }
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
    return native_instructions::pair<T, G * Count / 2>(joined<T, G, First, Count / 2>(c, half{}),
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
