// SPDX-License-Identifier: Apache-2.0
/// Vectors of the compiler (GNU vector extension): what registers are seen as by everything that no instruction set
/// does better than the compiler. Internal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <lanefold/version.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

template <std::size_t Size, bool Signed>
struct sized_integer;
template <>
struct sized_integer<1, true> {
  using type = std::int8_t;
};
template <>
struct sized_integer<2, true> {
  using type = std::int16_t;
};
template <>
struct sized_integer<4, true> {
  using type = std::int32_t;
};
template <>
struct sized_integer<8, true> {
  using type = std::int64_t;
};
template <>
struct sized_integer<1, false> {
  using type = std::uint8_t;
};
template <>
struct sized_integer<2, false> {
  using type = std::uint16_t;
};
template <>
struct sized_integer<4, false> {
  using type = std::uint32_t;
};
template <>
struct sized_integer<8, false> {
  using type = std::uint64_t;
};

/// The integer as wide as T; for long double none.
template <class T, bool Signed = false>
using same_width = typename sized_integer<sizeof(T), Signed>::type;

template <class T, bool Integral = std::is_integral_v<T>>
struct canonical {
  using type = T;
};
template <class T>
struct canonical<T, true> {
  using type = typename sized_integer<sizeof(T), std::is_signed_v<T>>::type;
};

/// One of the ten types that registers know: (u)int8 to (u)int64, float, double; `long double` stays itself.
template <class T>
using canonical_t = typename canonical<T>::type;

template <class T>
inline constexpr bool has_registers = !std::is_same_v<T, long double>;

/// `Lanes` elements of T as a vector of the compiler, passed as `typename vector<T, n>::type`.
template <class T, std::size_t Lanes>
struct vector {
  typedef T type __attribute__((vector_size(sizeof(T) * Lanes)));
};
template <class T, std::size_t Lanes>
using vector_t = typename vector<T, Lanes>::type;

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

/// One bit for each lane of a register, in the smallest integer of at least 8 bits.
template <std::size_t Lanes>
using lane_bits = typename sized_integer<(Lanes <= 8 ? 8 : Lanes) / 8, false>::type;

template <std::size_t Lanes>
inline constexpr lane_bits<Lanes> full_bits =
    static_cast<lane_bits<Lanes>>(Lanes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (Lanes % 64)) - 1);

/// The signed integer vector with lanes as wide as those of T.
template <class T, std::size_t W>
using bool_vector = vector_t<same_width<T, true>, W>;

// ---- comparison

enum class comparison { equal, not_equal, less, less_equal, greater, greater_equal };

template <comparison C, class V>
LANEFOLD_ALWAYS_INLINE auto compare_values(V a, V b) {
  if constexpr (C == comparison::equal)
    return a == b;
  else if constexpr (C == comparison::not_equal)
    return a != b;
  else if constexpr (C == comparison::less)
    return a < b;
  else if constexpr (C == comparison::less_equal)
    return a <= b;
  else if constexpr (C == comparison::greater)
    return a > b;
  else
    return a >= b;
}

// ---- bits as lanes

#if defined(__clang__)

template <std::size_t W>
struct bit_vector {
  typedef bool type __attribute__((ext_vector_type(W)));
};

/// All-ones in lane i where bit i is set, else zero.
template <class T, std::size_t W>
LANEFOLD_ALWAYS_INLINE bool_vector<T, W> vector_of(lane_bits<W> b) {
  using bits = typename bit_vector<W>::type;
  if constexpr (W < 8) {
    using wide = typename bit_vector<8>::type;
    const wide w = __builtin_bit_cast(wide, b);
    bits n;
    if constexpr (W == 2)
      n = __builtin_shufflevector(w, w, 0, 1);
    else
      n = __builtin_shufflevector(w, w, 0, 1, 2, 3);
    return -__builtin_convertvector(n, bool_vector<T, W>);
  } else {
    return -__builtin_convertvector(__builtin_bit_cast(bits, b), bool_vector<T, W>);
  }
}

#else

template <class S, std::size_t W, std::size_t... I>
LANEFOLD_ALWAYS_INLINE vector_t<S, W> spread_bits(lane_bits<W> b, std::index_sequence<I...>) {
  if constexpr (sizeof(S) == 1) {
    vector_t<std::uint64_t, W / 8> w{};
    for (std::size_t k = 0; k < W / 8; ++k)
      w[k] = (static_cast<std::uint64_t>(b) >> (8 * k) & 0xff) * 0x0101010101010101u;
    const auto each = (vector_t<S, W>)w & vector_t<S, W>{static_cast<S>(1u << (I % 8))...};
    return (vector_t<S, W>)(each != 0);
  } else {
    const vector_t<S, W> select{static_cast<S>(std::uint64_t{1} << I)...};
    const vector_t<S, W> all = static_cast<S>(b) - vector_t<S, W>{};
    return (vector_t<S, W>)((all & select) == select);
  }
}

/// All-ones in lane i where bit i is set, else zero.
template <class T, std::size_t W>
LANEFOLD_ALWAYS_INLINE bool_vector<T, W> vector_of(lane_bits<W> b) {
  return spread_bits<same_width<T, true>, W>(b, std::make_index_sequence<W>{});
}

#endif

// ---- lanes moved between positions that are known at compile time

/// Each pattern says where lane i of the result comes from: lanes [0, W) are those of the first register, [W, 2 W)
/// those of the second.
namespace pattern {

/// Lanes s, s + 1, … of both registers one after the other.
template <int S>
struct from_lane {
  static constexpr int at(int i, int) { return i + S; }
};
/// The even (S = 0) or odd (S = 1) lanes of both registers one after the other.
template <int S>
struct every_second {
  static constexpr int at(int i, int) { return 2 * i + S; }
};
struct reversed {
  static constexpr int at(int i, int w) { return w - 1 - i; }
};
/// All lanes get the last one.
struct last_lane {
  static constexpr int at(int, int w) { return w - 1; }
};
/// Neighbours S lanes wide are exchanged.
template <int S>
struct exchanged {
  static constexpr int at(int i, int) { return i ^ S; }
};
/// Moves lanes S up within blocks of B lanes; the lanes that nothing moves to come from the second register.
template <int S, int B>
struct up_in_block {
  static constexpr int at(int i, int w) { return i % B >= S ? i - S : w + i; }
};
/// The last lane of each block of S lanes that is followed by its brother goes to all lanes of that brother; the other
/// lanes come from the second register.
template <int S>
struct last_to_brother {
  static constexpr int at(int i, int w) { return (i & S) != 0 ? (i & ~(2 * S - 1)) + S - 1 : w + i; }
};

} // namespace pattern

template <class Pattern, class V, std::size_t... I>
LANEFOLD_ALWAYS_INLINE auto shuffled_vector(V a, V b, std::index_sequence<I...>) {
  return __builtin_shufflevector(a, b, Pattern::at(static_cast<int>(I), static_cast<int>(sizeof...(I)))...);
}

template <class V, std::size_t First, std::size_t... I>
LANEFOLD_ALWAYS_INLINE auto shuffled_subvector(const V& v, std::index_sequence<I...>) {
  return __builtin_shufflevector(v, v, static_cast<int>(First + I)...);
}

template <class V, std::size_t... I>
LANEFOLD_ALWAYS_INLINE auto shuffled_pair(const V& a, const V& b, std::index_sequence<I...>) {
  return __builtin_shufflevector(a, b, static_cast<int>(I)...);
}

// ---- conversion

/// uint64 to double without an instruction for it, correctly rounded: the halves as exact doubles of weight 2^32 and 1,
/// and one rounding when they are added.
template <std::size_t W>
LANEFOLD_ALWAYS_INLINE chunk_t<double, W> doubles_of_uint64(const chunk_t<std::uint64_t, W>& v) {
  const auto high = same_bits<chunk_t<double, W>>((v >> 32) | 0x4530000000000000u);        // 2^84 + high * 2^32
  const auto low = same_bits<chunk_t<double, W>>((v & 0xffffffffu) | 0x4330000000000000u); // 2^52 + low
  return (high - (0x1p84 + 0x1p52)) + low;
}

} // namespace detail

LANEFOLD_END_NAMESPACE
