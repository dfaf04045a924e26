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
#include <lanefold/simd/isa/neon.hpp>

#if defined(__GNUC__) && !defined(__clang__)
// g++ 12 warns about the undefined operand that it passes itself in many 64-byte intrinsics.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

template <class R>
using element_t = typename register_traits<R>::element;
template <class R>
inline constexpr bool is_vector = register_traits<R>::is_vector;

/// The integer as wide as T; for long double none.
template <class T, bool Signed = false>
using same_width = typename sized_integer<sizeof(T), Signed>::type;

/// f lane by lane: where an instruction set has nothing better.
template <class R, class F, class... Rest>
LANEFOLD_ALWAYS_INLINE R each_lane(F f, const R& r, const Rest&... rest) {
  if constexpr (!is_vector<R>) {
    return static_cast<R>(f(r, rest...));
  } else {
    auto v = to_vector(r);
    for (std::size_t i = 0; i < register_traits<R>::lanes; ++i)
      v[i] = f(static_cast<element_t<R>>(v[i]), static_cast<element_t<Rest>>(to_vector(rest)[i])...);
    return to_register<R>(v);
  }
}

#if defined(LANEFOLD_DETAIL_SSE2)
// The minimum and maximum of real numbers as the instructions define them, a < b ? a : b: the compilers do not make
// them of comparisons of vectors.
#define LANEFOLD_DETAIL_EXTREME(vector, name, instruction)                                                             \
  LANEFOLD_ALWAYS_INLINE vector name(vector a, vector b) { return instruction(a, b); }
LANEFOLD_DETAIL_EXTREME(__m128, real_min, _mm_min_ps)
LANEFOLD_DETAIL_EXTREME(__m128, real_max, _mm_max_ps)
LANEFOLD_DETAIL_EXTREME(__m128d, real_min, _mm_min_pd)
LANEFOLD_DETAIL_EXTREME(__m128d, real_max, _mm_max_pd)
#if defined(LANEFOLD_DETAIL_AVX2)
LANEFOLD_DETAIL_EXTREME(__m256, real_min, _mm256_min_ps)
LANEFOLD_DETAIL_EXTREME(__m256, real_max, _mm256_max_ps)
LANEFOLD_DETAIL_EXTREME(__m256d, real_min, _mm256_min_pd)
LANEFOLD_DETAIL_EXTREME(__m256d, real_max, _mm256_max_pd)
#endif
#if defined(LANEFOLD_DETAIL_AVX512)
LANEFOLD_DETAIL_EXTREME(__m512, real_min, _mm512_min_ps)
LANEFOLD_DETAIL_EXTREME(__m512, real_max, _mm512_max_ps)
LANEFOLD_DETAIL_EXTREME(__m512d, real_min, _mm512_min_pd)
LANEFOLD_DETAIL_EXTREME(__m512d, real_max, _mm512_max_pd)
#endif
#undef LANEFOLD_DETAIL_EXTREME
#endif

/// b < a ? b : a
struct register_min {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& a, const R& b) const {
#if defined(LANEFOLD_DETAIL_SSE2)
    if constexpr (is_vector<R> && std::is_floating_point_v<element_t<R>>)
      return R(real_min(typename R::register_type(b), typename R::register_type(a)));
    else
#endif
    {
      const auto x = to_vector(a), y = to_vector(b);
      return to_register<R>(y < x ? y : x);
    }
  }
};

/// a < b ? b : a
struct register_max {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& a, const R& b) const {
#if defined(LANEFOLD_DETAIL_SSE2)
    if constexpr (is_vector<R> && std::is_floating_point_v<element_t<R>>)
      return R(real_max(typename R::register_type(b), typename R::register_type(a)));
    else
#endif
    {
      const auto x = to_vector(a), y = to_vector(b);
      return to_register<R>(x < y ? y : x);
    }
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

#if defined(LANEFOLD_DETAIL_AVX2)
#define LANEFOLD_DETAIL_FUSED(prefix, vector)                                                                          \
  LANEFOLD_ALWAYS_INLINE vector fused(vector a, vector b, vector c) { return prefix##_fmadd_ps(a, b, c); }             \
  LANEFOLD_ALWAYS_INLINE vector##d fused(vector##d a, vector##d b, vector##d c) { return prefix##_fmadd_pd(a, b, c); }
LANEFOLD_DETAIL_FUSED(_mm, __m128)
LANEFOLD_DETAIL_FUSED(_mm256, __m256)
#if defined(LANEFOLD_DETAIL_AVX512)
LANEFOLD_DETAIL_FUSED(_mm512, __m512) // xsimd 8.1 multiplies and adds here
#endif
#undef LANEFOLD_DETAIL_FUSED
#endif

/// Is true if registers of Isa have a fused multiplication and addition.
template <class Isa>
inline constexpr bool has_fma =
    std::is_same_v<Isa, isa::avx2> || std::is_same_v<Isa, isa::avx512> || std::is_same_v<Isa, isa::neon>;

/// a * b + c, rounded once.
struct register_fma {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& a, const R& b, const R& c) const {
    if constexpr (!is_vector<R> || !has_fma<Isa>) {
      return each_lane([](auto x, auto y, auto z) { return std::fma(x, y, z); }, a, b, c);
    } else {
#if defined(LANEFOLD_DETAIL_AVX2)
      using vector = typename R::register_type;
      return R(fused(vector(a), vector(b), vector(c)));
#elif defined(LANEFOLD_DETAIL_NEON)
      return xsimd::fma(a, b, c);
#endif
    }
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

/// The functions of xsimd that not every instruction set has well enough are found here.
#if defined(LANEFOLD_DETAIL_NEON)
namespace register_functions = neon;
#elif defined(LANEFOLD_DETAIL_XSIMD)
namespace register_functions = xsimd;
#endif

struct register_sqrt {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& a) const {
#if defined(LANEFOLD_DETAIL_XSIMD)
    if constexpr (is_vector<R>)
      return register_functions::sqrt(a);
    else
#endif
      return std::sqrt(a);
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

#if defined(LANEFOLD_DETAIL_XSIMD)
#define LANEFOLD_DETAIL_ROUNDING(name, of_register, of_scalar)                                                         \
  struct register_##name {                                                                                             \
    template <class Isa, class R>                                                                                      \
    LANEFOLD_ALWAYS_INLINE R operator()(const R& a) const {                                                            \
      if constexpr (!is_vector<R>)                                                                                     \
        return of_scalar(a);                                                                                           \
      else if constexpr (std::is_same_v<Isa, isa::sse2>)                                                               \
        return register_copysign{}.template operator()<Isa>(of_register(a), a); /* which loses the sign of -0 */       \
      else                                                                                                             \
        return of_register(a);                                                                                         \
    }                                                                                                                  \
  };
#else
#define LANEFOLD_DETAIL_ROUNDING(name, of_register, of_scalar)                                                         \
  struct register_##name {                                                                                             \
    template <class Isa, class R>                                                                                      \
    LANEFOLD_ALWAYS_INLINE R operator()(const R& a) const {                                                            \
      return of_scalar(a);                                                                                             \
    }                                                                                                                  \
  };
#endif
LANEFOLD_DETAIL_ROUNDING(floor, register_functions::floor, std::floor)
LANEFOLD_DETAIL_ROUNDING(ceil, register_functions::ceil, std::ceil)
LANEFOLD_DETAIL_ROUNDING(trunc, register_functions::trunc, std::trunc)
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
      return std::round(a);
    }
  }
};

/// x * 2^n for n as a whole real number.
struct register_ldexp {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& x, const R& n) const {
#if defined(LANEFOLD_DETAIL_AVX512)
    if constexpr (is_vector<R> && std::is_same_v<Isa, isa::avx512>)
      return R(scaled(x, n));
    else
#endif
      return each_lane(
          [](auto y, auto m) {
            using T = decltype(y);
            constexpr T most = 4 * std::numeric_limits<T>::max_exponent;
            return std::ldexp(y, static_cast<int>(m < -most ? -most : most < m ? most : m));
          },
          x, n);
  }

private:
#if defined(LANEFOLD_DETAIL_AVX512)
#define LANEFOLD_DETAIL_SCALE(prefix, vector)                                                                          \
  LANEFOLD_ALWAYS_INLINE static vector scaled(vector x, vector n) { return prefix##_scalef_ps(x, n); }                 \
  LANEFOLD_ALWAYS_INLINE static vector##d scaled(vector##d x, vector##d n) { return prefix##_scalef_pd(x, n); }
  LANEFOLD_DETAIL_SCALE(_mm, __m128)
  LANEFOLD_DETAIL_SCALE(_mm256, __m256)
  LANEFOLD_DETAIL_SCALE(_mm512, __m512)
#undef LANEFOLD_DETAIL_SCALE
#endif
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
#if defined(LANEFOLD_DETAIL_AVX512)
      if constexpr (std::is_same_v<Isa, isa::avx512> && sizeof(U) >= 4) {
        if constexpr (sizeof(x) == 64)
          return R(sizeof(U) == 4 ? _mm512_lzcnt_epi32((__m512i)x) : _mm512_lzcnt_epi64((__m512i)x));
        else if constexpr (sizeof(x) == 32)
          return R(sizeof(U) == 4 ? _mm256_lzcnt_epi32((__m256i)x) : _mm256_lzcnt_epi64((__m256i)x));
        else
          return R(sizeof(U) == 4 ? _mm_lzcnt_epi32((__m128i)x) : _mm_lzcnt_epi64((__m128i)x));
      }
#endif
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

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
