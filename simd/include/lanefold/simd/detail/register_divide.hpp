// SPDX-License-Identifier: Apache-2.0
/// Integer division and shifts of registers. Internal.
#pragma once

#include <cstddef>
#include <cstdint>
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

template <class T, std::size_t W>
LANEFOLD_COLD void divide_large(const T* a, const T* b, T* quotients) {
  for (std::size_t i = 0; i < W; ++i)
    quotients[i] = divide_value<T>(a[i], b[i]);
}

/// Quotients of 64-bit integers. They divide by floating point where that is exact, which is decided for each register:
/// the division of doubles rounds once, and to the next integer only from an operand of 2^53 on. `large_quotients(a, b,
/// q)` divides others.
template <class Isa, class T, std::size_t W>
LANEFOLD_ALWAYS_INLINE chunk_t<T, W> divide_words(const chunk_t<T, W>& a, const chunk_t<T, W>& b,
                                                  void (*large_quotients)(const T*, const T*,
                                                                          T*) = divide_large<T, W>) {
  using words = chunk_t<std::uint64_t, W>;
  constexpr int exact_bits = instructions<Isa>::exact_quotient_bits;
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
    large_quotients(x, y, q);
    chunk_t<T, W> result;
    __builtin_memcpy(&result, q, sizeof(result));
    return result;
  }
  return instructions<Isa>::template divide_small<T, W>(a, b);
}

/// Quotients of 32-bit integers by division of doubles, which is exact for them. Where b is 0, the quotient is
/// unspecified.
template <class Isa, class T, std::size_t G>
LANEFOLD_ALWAYS_INLINE chunk_t<T, G> divide_as_doubles(const chunk_t<T, G>& a, const chunk_t<T, G>& b) {
  return instructions<Isa>::template truncated_quotients<T, G>(convert_chunk<double, T, G>(a) /
                                                               convert_chunk<double, T, G>(b));
}

template <class Isa, class T, std::size_t W, std::size_t G, std::size_t... J>
LANEFOLD_ALWAYS_INLINE chunk_t<T, W> divide_by_chunks(const chunk_t<T, W>& a, const chunk_t<T, W>& b,
                                                      std::index_sequence<J...>) {
  using part = chunk_t<T, G>;
  const pack<part, sizeof...(J)> q{
      leaf<J, part>{divide_as_doubles<Isa, T, G>(subvector<T, W, J * G, G>(a), subvector<T, W, J * G, G>(b))}...};
  return joined<T, G, 0, sizeof...(J)>(q, std::index_sequence<J...>{});
}

/// a / b, lane by lane; where b is 0 the result is anything, but nothing traps.
template <class Isa, class R>
LANEFOLD_ALWAYS_INLINE R divide_integers(const R& a, const R& b) {
  using T = typename register_traits<R>::element;
  constexpr std::size_t w = register_traits<R>::lanes;
  if constexpr (w == 1) {
    return divide_value<T>(a, b);
  } else {
    using set = instructions<Isa>;
    constexpr std::size_t doubles = sizeof(T) == 4 ? set::template dividing_doubles<T> : 0;
    const auto x = to_vector(a), y = to_vector(b);
    if constexpr (sizeof(T) == 8 && set::exact_quotient_bits > 0) {
      return to_register<R>(divide_words<Isa, T, w>(x, y));
    } else if constexpr (doubles > 0) {
      constexpr std::size_t g = w < doubles ? w : doubles;
      return to_register<R>(divide_by_chunks<Isa, T, w, g>(x, y, std::make_index_sequence<w / g>{}));
    } else {
      return to_register<R>(divide_lanes<T, w>(x, y, std::make_index_sequence<w>{}));
    }
  }
}

/// a % b, lane by lane, of which q is the quotient.
template <class R>
LANEFOLD_ALWAYS_INLINE R remainder_of_quotient(const R& a, const R& q, const R& b) {
  using traits = register_traits<R>;
  using T = typename traits::element;
  if constexpr (traits::is_vector) {
    using U = vector_t<std::make_unsigned_t<T>, traits::lanes>;
    return to_register<R>((U)to_vector(a) - (U)to_vector(q) * (U)to_vector(b));
  } else {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(a) - static_cast<U>(static_cast<U>(q) * static_cast<U>(b)));
  }
}

/// a % b, lane by lane, with the sign of a; where b is 0 the result is anything, but nothing traps.
template <class Isa, class R>
LANEFOLD_ALWAYS_INLINE R remainder_integers(const R& a, const R& b) {
  return remainder_of_quotient(a, divide_integers<Isa>(a, b), b);
}

/// Every lane shifted by one count, below the bits of a lane.
template <bool Left, class R>
LANEFOLD_ALWAYS_INLINE R shift_register(const R& r, unsigned count) {
  using traits = register_traits<R>;
  if constexpr (traits::is_vector)
    return to_register<R>(native_instructions::shifted<Left, typename traits::element>(to_vector(r), count));
  else
    return static_cast<R>(Left ? r << count : r >> count);
}

} // namespace detail

LANEFOLD_END_NAMESPACE
