// SPDX-License-Identifier: Apache-2.0
/// Division of registers by one number for all lanes: products with its reciprocal, and shifts. Internal.
///
/// T. Granlund and P. L. Montgomery, "Division by invariant integers using multiplication", PLDI 1994; H. S. Warren,
/// "Hacker's Delight", chapter 10. The reciprocal is computed from the divisor by plain code, which the compiler folds
/// where it knows the divisor, and moves out of loops where it does not. g++ expands operations of vectors before it
/// inlines functions: a division of vectors by a number that only inlining makes known is one lane after the other.
///
/// As in divide_value, a quotient by 0 is unspecified, the least integer by -1 is itself, and nothing traps.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <lanefold/simd/detail/register_divide.hpp>
#include <lanefold/simd/isa/high_products.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

__extension__ typedef unsigned __int128 uint128;

/// The magnitude of x, also of the least integer.
template <class T>
LANEFOLD_ALWAYS_INLINE constexpr auto magnitude(T x) {
  using U = std::make_unsigned_t<T>;
  return static_cast<U>(x < 0 ? U(0) - static_cast<U>(x) : static_cast<U>(x));
}

template <class U>
LANEFOLD_ALWAYS_INLINE constexpr unsigned leading_zeros(U x) {
  return static_cast<unsigned>(std::countl_zero(x));
}

/// Lanes shifted down by one count, below their bits.
template <class Isa, class T, class V>
LANEFOLD_ALWAYS_INLINE V shifted_down(V x, unsigned count) {
  if constexpr (std::is_same_v<T, std::int64_t>)
    return instructions<Isa>::template shifted<false, T>(x, count);
  else
    return x >> static_cast<T>(count);
}

/// All-ones in lanes below 0.
template <class Isa, class T, class V>
LANEFOLD_ALWAYS_INLINE V signs(V x) {
  if constexpr (sizeof(T) == 8 && !instructions<Isa>::has_mask_registers)
    return (V)(x < 0);
  else
    return shifted_down<Isa, T>(x, 8 * sizeof(T) - 1);
}

/// Says whether upper halves of products of lanes of T are faster than division lane by lane. Two lanes of 64 bits are
/// not.
template <class Isa, class T>
inline constexpr bool has_upper_products =
    sizeof(T) <= 2 ||
    (instructions<Isa>::has_even_products && (sizeof(T) == 4 || instructions<Isa>::exact_quotient_bits > 0));

/// The upper halves of a * b without sign, lanes of 16, 32 and 64 bits.
template <class Isa, class U, std::size_t W>
LANEFOLD_ALWAYS_INLINE vector_t<U, W> upper_products(const vector_t<U, W>& a, U b) {
  const vector_t<U, W> all = vector_t<U, W>{} + b;
  if constexpr (sizeof(U) == 2) {
    return high_products<W>(a, all);
  } else if constexpr (sizeof(U) == 4) {
    using pairs = vector_t<std::uint64_t, W / 2>;
    const auto even = (pairs)instructions<Isa>::even_products(a, all);
    const auto odd = (pairs)instructions<Isa>::even_products((vector_t<U, W>)((pairs)a >> 32), all);
    return (vector_t<U, W>)((even >> 32) | (odd & ~std::uint64_t{0xffffffff}));
  } else {
    using set = instructions<Isa>;
    const vector_t<U, W> a_high = a >> 32, b_high = vector_t<U, W>{} + (b >> 32);
    const vector_t<U, W> middle = set::even_products(a_high, all) + (set::even_products(a, all) >> 32);
    const vector_t<U, W> other = set::even_products(a, b_high) + (middle & 0xffffffff);
    return set::even_products(a_high, b_high) + (middle >> 32) + (other >> 32);
  }
}

/// What dividends are multiplied with: 2^(bits + shift) / |d|, rounded up; `Narrow` for dividends of half as many bits,
/// which need no shift.
template <class T, bool Narrow = false>
struct reciprocal {
  using U = std::make_unsigned_t<T>;
  using wide = std::conditional_t<sizeof(T) == 8, uint128, typename sized_integer<sizeof(T) == 2 ? 4 : 8, false>::type>;
  static constexpr unsigned bits = 8 * sizeof(T);

  T divisor;
  U multiplier = 0; ///< its lowest bits: without sign, it is 2^bits more unless it is narrow
  unsigned shift = bits - 1;
  // Without sign there may be one that needs no more than its lowest bits.
  U short_multiplier = 0;
  bool is_short = false;
  unsigned first_shift = 1; ///< of two, where it is not short

  LANEFOLD_ALWAYS_INLINE constexpr explicit reciprocal(T d) : divisor(d) {
    const U m = magnitude(d);
    if (m == 0)
      return; // quotients of 0
    if constexpr (Narrow) {
      multiplier = static_cast<U>((wide(1) << bits) / m + 1);
    } else if constexpr (std::is_signed_v<T>) {
      shift = bits - 1 - leading_zeros(static_cast<U>((m - 1) | 1));
      multiplier = static_cast<U>((wide(1) << (bits + shift)) / m + 1);
    } else {
      const unsigned log = bits - leading_zeros(static_cast<U>(m - 1)); // of m, rounded up
      multiplier = static_cast<U>(((((wide(1) << log) - m) << bits) / m) + 1);
      first_shift = log < 1 ? log : 1;
      shift = log - first_shift;
      const wide half = ((wide(1) << bits) + multiplier + 1) >> 1;
      short_multiplier = static_cast<U>(half);
      is_short = log > 0 && half >> bits == 0 && half * m - (wide(1) << (bits + shift)) <= wide(1) << shift;
    }
  }
};

/// The quotients of lanes by the divisor of which r is the reciprocal.
template <class Isa, class T, std::size_t W, bool Narrow>
LANEFOLD_ALWAYS_INLINE vector_t<T, W> quotients(const vector_t<T, W>& x, const reciprocal<T, Narrow>& r) {
  using U = std::make_unsigned_t<T>;
  using words = vector_t<U, W>;
  if constexpr (std::is_unsigned_v<T>) {
    if (__builtin_constant_p(r.is_short) && r.is_short)
      return shifted_down<Isa, U>(upper_products<Isa, U, W>(x, r.short_multiplier), r.shift);
    const words product = upper_products<Isa, U, W>(x, r.multiplier);
    if constexpr (Narrow)
      return product;
    return shifted_down<Isa, U>(shifted_down<Isa, U>(x - product, r.first_shift) + product, r.shift);
  } else {
    const auto sign = (words)signs<Isa, T>(x);
    // The multiplier is taken for one without sign; x, too, which is then 2^bits larger where it is negative.
    words q = upper_products<Isa, U, W>((words)x, r.multiplier) - (sign & r.multiplier);
    if constexpr (!Narrow) {
      const U below_half = static_cast<T>(r.multiplier) < 0 ? U(0) : static_cast<U>(~U(0));
      q = (words)shifted_down<Isa, T>((vector_t<T, W>)(q + ((words)x & below_half)), r.shift);
    }
    const U negative = r.divisor < 0 ? static_cast<U>(~U(0)) : U(0);
    return (vector_t<T, W>)(((q - sign) ^ negative) - negative);
  }
}

/// x / d, or x % d, for a magnitude of d that is a power of two.
template <bool Remainder, class Isa, class T, std::size_t W>
LANEFOLD_ALWAYS_INLINE vector_t<T, W> divided_by_power(const vector_t<T, W>& x, T d) {
  using U = std::make_unsigned_t<T>;
  using words = vector_t<U, W>;
  constexpr unsigned bits = 8 * sizeof(T);
  const U below = static_cast<U>(magnitude(d) - 1);
  const auto log = static_cast<unsigned>(std::countr_zero(magnitude(d)));
  if constexpr (std::is_unsigned_v<T>) {
    return Remainder ? x & below : shifted_down<Isa, T>(x, log);
  } else {
    // This rounds negative lanes towards 0.
    const words bias = log == 1 ? shifted_down<Isa, U>((words)x, bits - 1) : (words)signs<Isa, T>(x) & below;
    const words sum = (words)x + bias;
    if constexpr (Remainder)
      return (vector_t<T, W>)((sum & below) - bias);
    const auto q = (words)shifted_down<Isa, T>((vector_t<T, W>)sum, log);
    return (vector_t<T, W>)(d < 0 ? -q : q);
  }
}

/// x / d, or x % d, for a d that the compiler knows, and whose magnitude is neither 0 nor a power of two.
template <bool Remainder, class Isa, class T, bool Narrow, std::size_t W>
LANEFOLD_ALWAYS_INLINE vector_t<T, W> divided_by_product(const vector_t<T, W>& x, T d) {
  using words = vector_t<std::make_unsigned_t<T>, W>;
  if constexpr (sizeof(T) == 1) { // even and odd bytes as 16 bits
    using word = same_width<std::int16_t, std::is_signed_v<T>>;
    using lanes = vector_t<word, W / 2>;
    using pairs = vector_t<std::uint16_t, W / 2>;
    const auto even = divided_by_product<Remainder, Isa, word, true, W / 2>(
        std::is_signed_v<T> ? (lanes)((pairs)x << 8) >> word(8) : (lanes)((pairs)x & 0xff), d);
    const auto odd = divided_by_product<Remainder, Isa, word, true, W / 2>((lanes)x >> word(8), d);
    return (vector_t<T, W>)(((pairs)even & 0xff) | ((pairs)odd << 8));
  } else {
    const auto q = quotients<Isa, T, W>(x, reciprocal<T, Narrow>(d));
    if constexpr (Remainder)
      return (vector_t<T, W>)((words)x - (words)q * static_cast<std::make_unsigned_t<T>>(d));
    else
      return q;
  }
}

/// Returns whether the compiler knows d, and lanes of T divide by it as C++ does, which promotes them: not by 0, nor by
/// what T does not hold; and the least short by -1 is no short.
template <class Isa, class R, class E>
LANEFOLD_ALWAYS_INLINE bool divides_as_known(E d) {
  using T = element_t<R>;
  constexpr bool keeps_values = std::is_unsigned_v<T> || std::is_signed_v<E>;
  if constexpr (!is_vector<R> || !std::is_integral_v<E> || !keeps_values)
    return false;
  else
    return __builtin_constant_p(d) && d != 0 && static_cast<E>(static_cast<T>(d)) == d &&
           !(std::is_signed_v<T> && d == static_cast<E>(-1) && sizeof(T) < sizeof(E)) &&
           (has_upper_products<Isa, T> || std::has_single_bit(magnitude(d)));
}

/// x / d, or x % d, for a d for which divides_as_known returns true.
template <bool Remainder, class Isa, class R>
LANEFOLD_ALWAYS_INLINE R divided_by_known(const R& x, element_t<R> d) {
  using T = element_t<R>;
  constexpr std::size_t w = register_traits<R>::lanes;
  if constexpr (is_vector<R>) {
    if (std::has_single_bit(magnitude(d)))
      return to_register<R>(divided_by_power<Remainder, Isa, T, w>(to_vector(x), d));
    if constexpr (has_upper_products<Isa, T>)
      return to_register<R>(divided_by_product<Remainder, Isa, T, false, w>(to_vector(x), d));
  }
  return x;
}

/// The quotients x / *d of numbers that have too many bits for division by floating point.
template <class Isa, class T, std::size_t W>
LANEFOLD_COLD void divide_large_by_product(const T* x, const T* d, T* q) {
  vector_t<T, W> v;
  __builtin_memcpy(&v, x, sizeof(v));
  v = quotients<Isa, T, W>(v, reciprocal<T>(*d));
  __builtin_memcpy(q, &v, sizeof(v));
}

/// A divisor of registers R, of which the lanes were T before they were promoted.
template <class Isa, class R, class T>
class uniform_divisor {
  using E = element_t<R>;
  using set = instructions<Isa>;
  static constexpr std::size_t w = register_traits<R>::lanes;
  static constexpr bool keeps_values = std::is_unsigned_v<T> || std::is_signed_v<E>;
  static constexpr bool by_floats = is_vector<R> && sizeof(E) == 4 && sizeof(T) < 4 && keeps_values;
  static constexpr bool has_doubles = is_vector<R> && sizeof(E) == 8 && set::exact_quotient_bits > 0;
  static constexpr bool by_doubles = has_doubles && sizeof(T) <= 4 && keeps_values;
  static constexpr bool by_products = is_vector<R> && sizeof(E) == 4 && has_upper_products<Isa, E> && !by_floats;

  /// Returns what lanes are multiplied with, or divided by.
  LANEFOLD_ALWAYS_INLINE static auto prepared(E d) {
    if constexpr (by_floats) {
      // Larger than 1 / d by a factor that outweighs all roundings, and less than 1 + 2^-16: for dividends below 2^16
      // no quotient reaches the next integer.
      return d == 0 ? 0.0F : (1.0F + 0x1p-19F) / static_cast<float>(d);
    } else if constexpr (by_products) {
      return reciprocal<E>(d);
    } else if constexpr (by_doubles) {
      constexpr E most = E(1) << 40; // gives quotients of 0, as more does
      if constexpr (std::is_signed_v<E>)
        return d > most ? most : d < -most ? -most : d;
      else
        return d > most ? most : d;
    } else {
      return d;
    }
  }

  E m_divisor;
  decltype(prepared(E())) m_prepared;

public:
  LANEFOLD_ALWAYS_INLINE explicit uniform_divisor(E d) : m_divisor(d), m_prepared(prepared(d)) {}

  LANEFOLD_ALWAYS_INLINE R quotient(const R& x) const {
    if constexpr (by_floats) {
      using floats = vector_t<float, w>;
      const auto q = __builtin_convertvector((vector_t<std::int32_t, w>)to_vector(x), floats) * m_prepared;
      return to_register<R>(__builtin_convertvector(q, vector_t<std::int32_t, w>));
    } else if constexpr (by_products) {
      return to_register<R>(quotients<Isa, E, w>(to_vector(x), m_prepared));
    } else if constexpr (by_doubles) {
      return to_register<R>(set::template divide_small<E, w>(to_vector(x), vector_t<E, w>{} + m_prepared));
    } else if constexpr (has_doubles && w == 8) { // for fewer lanes the reciprocal takes longer than their divisions
      return to_register<R>(
          divide_words<Isa, E, w>(to_vector(x), vector_t<E, w>{} + m_prepared, divide_large_by_product<Isa, E, w>));
    } else {
      return divide_integers<Isa>(x, R(m_prepared));
    }
  }
  LANEFOLD_ALWAYS_INLINE R remainder(const R& x) const { return remainder_of_quotient(x, quotient(x), R(m_divisor)); }
};

struct divide {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE static R of(const R& a, const R& b) {
    if constexpr (std::is_integral_v<element_t<R>>)
      return divide_integers<Isa>(a, b);
    else
      return to_register<R>(to_vector(a) / to_vector(b));
  }
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE static R by_known(const R& a, element_t<R> d) {
    return divided_by_known<false, Isa>(a, d);
  }
  template <class R, class Divisor>
  LANEFOLD_ALWAYS_INLINE static R by(const R& a, const Divisor& d) {
    return d.quotient(a);
  }
};

struct remainder {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE static R of(const R& a, const R& b) {
    return remainder_integers<Isa>(a, b);
  }
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE static R by_known(const R& a, element_t<R> d) {
    return divided_by_known<true, Isa>(a, d);
  }
  template <class R, class Divisor>
  LANEFOLD_ALWAYS_INLINE static R by(const R& a, const Divisor& d) {
    return d.remainder(a);
  }
};

/// Is true for divisions of integers of type E.
template <class Op, class E>
concept DivisionOf = std::is_integral_v<E> && (std::is_same_v<Op, divide> || std::is_same_v<Op, remainder>);

} // namespace detail

LANEFOLD_END_NAMESPACE
