// SPDX-License-Identifier: Apache-2.0
/// Arithmetic on one register (or plain scalar): what the instruction sets have one or a few instructions for.
/// Internal.
///
/// Each operation is an object with `operator()<Isa>(register...)`, where a register is an xsimd batch or a plain
/// scalar. Operations that are written with vectors of the compiler serve every instruction set.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <lanefold/simd/detail/register_bits.hpp>
#include <lanefold/simd/isa/native.hpp>
#include <lanefold/simd/isa/number_functions.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// f lane by lane: where an instruction set has nothing better.
template <class R, class F, class... Rest>
LANEFOLD_ALWAYS_INLINE R each_lane(F f, const R& r, const Rest&... rest) {
  if constexpr (!is_vector<R>) {
    return static_cast<R>(f(r, rest...));
  } else {
    auto v = to_vector(r);
    [&](const auto... others) LANEFOLD_INLINE_LAMBDA { // variables, which make it a loop that compilers vectorise
      for (std::size_t i = 0; i < register_traits<R>::lanes; ++i)
        v[i] = f(static_cast<element_t<R>>(v[i]), static_cast<element_t<Rest>>(others[i])...);
    }(to_vector(rest)...);
    return to_register<R>(v);
  }
}

/// b < a ? b : a
struct register_min {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& a, const R& b) const {
    return to_register<R>(instructions<Isa>::template minimum<element_t<R>>(to_vector(b), to_vector(a)));
  }
};

/// a < b ? b : a
struct register_max {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& a, const R& b) const {
    return to_register<R>(instructions<Isa>::template maximum<element_t<R>>(to_vector(b), to_vector(a)));
  }
};

/// `Extreme` of the two, or the one that is not NaN.
template <class Extreme>
struct register_extreme_number {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& a, const R& b) const {
    const auto x = to_vector(a), y = to_vector(b), both = to_vector(Extreme{}.template operator()<Isa>(a, b));
    return to_register<R>(x != x ? y : both);
  }
};

/// Is true if registers of Isa have a fused multiplication and addition.
template <class Isa>
inline constexpr bool has_fma = instructions<Isa>::has_fma;

/// a * b + c, rounded once.
struct register_fma {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& a, const R& b, const R& c) const {
    if constexpr (is_vector<R> && has_fma<Isa>)
      return instructions<Isa>::fma(a, b, c);
    else
      return each_lane([](auto x, auto y, auto z) { return std::fma(x, y, z); }, a, b, c);
  }
};

/// a * b + c, the fast way.
struct register_mad {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& a, const R& b, const R& c) const {
#if defined(FP_FAST_FMA) && defined(FP_FAST_FMAF)
    constexpr bool fast_scalar = !std::is_same_v<R, long double>;
#else
    constexpr bool fast_scalar = false;
#endif
    if constexpr (is_vector<R> ? has_fma<Isa> : fast_scalar)
      return register_fma{}.template operator()<Isa>(a, b, c);
    else
      return a * b + c;
  }
};

/// Quotients: xsimd's own are not exact everywhere (isa/neon.hpp).
struct register_divide {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& a, const R& b) const {
    return to_register<R>(to_vector(a) / to_vector(b));
  }
};

struct register_sqrt {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& a) const {
    if constexpr (is_vector<R>)
      return register_functions::sqrt(a);
    else
      return number_functions::sqrt(a);
  }
};

/// 1 / sqrt(x): the estimate of the instruction set, refined. With y the estimate and e = 1 - x * y * y, 1 / sqrt(x) is
/// y / sqrt(1 - e) = y + y * e * (1/2 + e * (3/8 + e * (5/16 + …))). Newton's iteration keeps the first term. Two more
/// terms cost less than its second step.
struct register_rsqrt {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& x) const {
    using T = element_t<R>;
    if constexpr (is_vector<R> && instructions<Isa>::template has_rsqrt<T>)
      return instructions<Isa>::rsqrt(x);
    else
      return register_divide{}.template operator()<Isa>(R(T(1)), register_sqrt{}.template operator()<Isa>(x));
  }
};

struct register_abs {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& a) const {
    using T = element_t<R>;
    const auto x = to_vector(a);
    if constexpr (!std::is_signed_v<T>) {
      return a;
    } else if constexpr (std::is_floating_point_v<T> && is_vector<R>) {
      using bits = vector_t<same_width<T>, register_traits<R>::lanes>;
      return to_register<R>((bits)x & static_cast<same_width<T>>(~same_width<T>{0} >> 1));
    } else if constexpr (std::is_floating_point_v<T>) {
      return std::fabs(a);
    } else if constexpr (is_vector<R>) {
      using bits = vector_t<same_width<T>, register_traits<R>::lanes>;
      return to_register<R>(x < 0 ? -(bits)x : (bits)x); // of the least integer, itself
    } else {
      return static_cast<T>(x < 0 ? same_width<T>(0) - static_cast<same_width<T>>(x) : static_cast<same_width<T>>(x));
    }
  }
};

/// The magnitude of a with the sign of b.
struct register_copysign {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& a, const R& b) const {
    using T = element_t<R>;
    if constexpr (is_vector<R>) {
      using bits = vector_t<same_width<T>, register_traits<R>::lanes>;
      const bits sign = (same_width<T>(1) << (8 * sizeof(T) - 1)) - bits{};
      return to_register<R>(((bits)to_vector(a) & ~sign) | ((bits)to_vector(b) & sign));
    } else {
      return std::copysign(a, b);
    }
  }
};

#define LANEFOLD_DETAIL_ROUNDING(name, of_register, of_scalar)                                                         \
  struct register_##name {                                                                                             \
    template <class Isa, class R>                                                                                      \
    LANEFOLD_ALWAYS_INLINE R operator()(const R& a) const {                                                            \
      if constexpr (!is_vector<R>)                                                                                     \
        return of_scalar(a);                                                                                           \
      else if constexpr (instructions<Isa>::rounds_to_positive_zero)                                                   \
        return register_copysign{}.template operator()<Isa>(of_register(a), a);                                        \
      else                                                                                                             \
        return of_register(a);                                                                                         \
    }                                                                                                                  \
  };
LANEFOLD_DETAIL_ROUNDING(floor, register_functions::floor, number_functions::floor)
LANEFOLD_DETAIL_ROUNDING(ceil, register_functions::ceil, number_functions::ceil)
LANEFOLD_DETAIL_ROUNDING(trunc, register_functions::trunc, number_functions::trunc)
LANEFOLD_DETAIL_ROUNDING(rint, register_functions::nearbyint, std::rint)
#undef LANEFOLD_DETAIL_ROUNDING

/// To the nearest integer, halves away from zero.
struct register_round {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& a) const {
    if constexpr (is_vector<R>) {
      using T = element_t<R>;
      using vector = vector_t<T, register_traits<R>::lanes>;
      const R whole = register_trunc{}.template operator()<Isa>(a);
      const R rest = register_abs{}.template operator()<Isa>(a - whole); // exact
      const R step = to_register<R>(to_vector(rest) >= T(0.5) ? vector{} + T(1) : vector{});
      return whole + register_copysign{}.template operator()<Isa>(step, a);
    } else {
      return number_functions::round(a);
    }
  }
};

/// x * 2^n for n as a whole real number.
struct register_ldexp {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& x, const R& n) const {
    if constexpr (is_vector<R> && instructions<Isa>::has_scale)
      return instructions<Isa>::scaled(x, n);
    else
      return each_lane(
          [](auto y, auto m) {
            using T = decltype(y);
            constexpr T most = 4 * std::numeric_limits<T>::max_exponent;
            return std::ldexp(y, static_cast<int>(m < -most ? -most : most < m ? most : m));
          },
          x, n);
  }
};

/// Counts the bits that are set.
struct register_popcount {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& a) const {
    using U = same_width<element_t<R>>;
    if constexpr (is_vector<R>)
      return to_register<R>(counted<U>((vector_t<U, register_traits<R>::lanes>)to_vector(a)));
    else
      return static_cast<R>(std::popcount(static_cast<U>(a)));
  }

  /// Adds neighbours: bits, pairs, nibbles, then bytes.
  template <class U, class V>
  LANEFOLD_ALWAYS_INLINE static V counted(V x) {
    constexpr U ones = static_cast<U>(~U{0});
    x = x - ((x >> 1) & static_cast<U>(ones / 3));
    x = (x & static_cast<U>(ones / 5)) + ((x >> 2) & static_cast<U>(ones / 5));
    x = (x + (x >> 4)) & static_cast<U>(ones / 17);
    if constexpr (sizeof(U) >= 2)
      x = x + (x >> 8);
    if constexpr (sizeof(U) >= 4)
      x = x + (x >> 16);
    if constexpr (sizeof(U) >= 8)
      x = x + (x >> 32);
    return x & static_cast<U>(0x7f);
  }
};

/// Counts the bits above the highest that is set; all of them for 0.
struct register_clz {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& a) const {
    using U = same_width<element_t<R>>;
    if constexpr (!is_vector<R>) {
      return static_cast<R>(std::countl_zero(static_cast<U>(a)));
    } else {
      auto x = (vector_t<U, register_traits<R>::lanes>)to_vector(a);
      if constexpr (instructions<Isa>::template has_leading_zeros<U>)
        return to_register<R>(instructions<Isa>::template leading_zeros<U>(x));
      x = x | x >> 1;
      x = x | x >> 2;
      x = x | x >> 4;
      if constexpr (sizeof(U) >= 2)
        x = x | x >> 8;
      if constexpr (sizeof(U) >= 4)
        x = x | x >> 16;
      if constexpr (sizeof(U) >= 8)
        x = x | x >> 32;
      return to_register<R>(register_popcount::counted<U>(~x));
    }
  }
};

/// Counts the bits below the lowest that is set; all of them for 0.
struct register_ctz {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& a) const {
    using U = same_width<element_t<R>>;
    if constexpr (is_vector<R>) {
      const auto x = (vector_t<U, register_traits<R>::lanes>)to_vector(a);
      return to_register<R>(register_popcount::counted<U>(~x & (x - 1)));
    } else {
      return static_cast<R>(std::countr_zero(static_cast<U>(a)));
    }
  }
};

/// The upper half of x * y, of integers of 32 bits.
struct register_mul_hi {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& x, const R& y) const {
    using T = element_t<R>;
    static_assert(sizeof(T) == 4);
    if constexpr (is_vector<R>) {
      using words = vector_t<std::uint32_t, register_traits<R>::lanes>;
      using pairs = vector_t<std::uint64_t, register_traits<R>::lanes / 2>;
      const auto a = (words)to_vector(x), b = (words)to_vector(y);
      const auto even = (pairs)instructions<Isa>::even_products(a, b);
      const auto odd = (pairs)instructions<Isa>::even_products((words)((pairs)a >> 32), (words)((pairs)b >> 32));
      auto high = (words)((even >> 32) | (odd & ~std::uint64_t{0xFFFFFFFF}));
      if constexpr (std::is_signed_v<T>) // x as if without sign is 2^32 larger where it is negative
        high = high - (((words)(to_vector(x) < 0) & b) + ((words)(to_vector(y) < 0) & a));
      return to_register<R>(high);
    } else {
      using wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
      return static_cast<R>(static_cast<wide>(x) * y >> 32);
    }
  }
};

/// The bits of x moved up by n places, those that leave at the top coming in below; n modulo the bits of T.
struct register_rotate {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& x, const R& n) const {
    using U = same_width<element_t<R>>;
    constexpr U places = 8 * sizeof(U) - 1;
    if constexpr (is_vector<R>) {
      using bits = vector_t<U, register_traits<R>::lanes>;
      const auto y = (bits)to_vector(x), up = (bits)to_vector(n) & places;
      return to_register<R>(y << up | y >> (-up & places));
    } else {
      return static_cast<R>(std::rotl(static_cast<U>(x), static_cast<int>(static_cast<U>(n) & places)));
    }
  }
};

} // namespace detail

LANEFOLD_END_NAMESPACE
