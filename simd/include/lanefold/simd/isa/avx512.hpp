// SPDX-License-Identifier: Apache-2.0
/// Overrides what AVX-512 does better than AVX2: registers of 64 bytes, conversions of all integers; with
/// avx512_memory.hpp all that has to do with masks. Internal.
#pragma once

#include <lanefold/simd/isa/avx512_memory.hpp>

#if defined(LANEFOLD_DETAIL_AVX512)

#if defined(__GNUC__) && !defined(__clang__)
// g++ 12 warns about the undefined operand that it passes itself in many 64-byte intrinsics.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

template <>
struct instructions<isa::avx512> : avx512_memory {
  using base = avx512_memory;

  static constexpr bool has_scale = true;
  template <class T>
  static constexpr bool has_rsqrt = true;
  template <class U>
  static constexpr bool has_leading_zeros = sizeof(U) >= 4;
  static constexpr std::size_t most_lookup_registers = 8;
  static constexpr bool has_lookup_in_two = true;
  template <class T>
  static constexpr std::size_t dividing_doubles = 8;
  static constexpr int exact_quotient_bits = 53;

  // ---- lanes moved

  template <class T, std::size_t W, std::size_t First, std::size_t Count>
  LANEFOLD_ALWAYS_INLINE static chunk_t<T, Count> part(const chunk_t<T, W>& v) {
    using result = chunk_t<T, Count>;
    constexpr std::size_t from = First * sizeof(T);
    if constexpr (sizeof(v) == 64 && sizeof(result) == 32)
      return same_bits<result>(from == 0 ? _mm512_castsi512_si256(same_bits<__m512i>(v))
                                         : _mm512_extracti64x4_epi64(same_bits<__m512i>(v), from != 0));
    else if constexpr (sizeof(v) == 64 && sizeof(result) == 16)
      return same_bits<result>(from == 0 ? _mm512_castsi512_si128(same_bits<__m512i>(v))
                                         : _mm512_extracti32x4_epi32(same_bits<__m512i>(v), from / 16));
    else
      return base::part<T, W, First, Count>(v);
  }
  template <class T, std::size_t W>
  LANEFOLD_ALWAYS_INLINE static chunk_t<T, 2 * W> pair(const chunk_t<T, W>& a, const chunk_t<T, W>& b) {
    if constexpr (sizeof(a) == 32)
      return same_bits<chunk_t<T, 2 * W>>(
          _mm512_inserti64x4(_mm512_castsi256_si512(same_bits<__m256i>(a)), same_bits<__m256i>(b), 1));
    else
      return base::pair<T, W>(a, b);
  }
  template <class T, int S, class V>
  LANEFOLD_ALWAYS_INLINE static V up_in_blocks(V v) {
    if constexpr (sizeof(V) == 64)
      return (V)_mm512_bslli_epi128((__m512i)v, S * sizeof(T));
    else
      return base::up_in_blocks<T, S>(v);
  }
  /// Lanes S, S + 1, … of low and high one after the other, 64 bytes each with lanes of 4 or 8, by the instruction that
  /// overwrites neither: the compilers take one that does, and copy before.
  template <class T, int S, class V>
  LANEFOLD_ALWAYS_INLINE static V aligned(V low, V high) {
    if constexpr (sizeof(T) == 4)
      return (V)_mm512_alignr_epi32((__m512i)high, (__m512i)low, S);
    else
      return (V)_mm512_alignr_epi64((__m512i)high, (__m512i)low, S);
  }

  template <class U, class V>
  LANEFOLD_ALWAYS_INLINE static V lookup(V table, V index) {
    if constexpr (sizeof(V) == 64 && sizeof(U) == 8)
      return (V)_mm512_permutexvar_epi64((__m512i)index, (__m512i)table);
    else if constexpr (sizeof(V) == 64 && sizeof(U) == 4)
      return (V)_mm512_permutexvar_epi32((__m512i)index, (__m512i)table);
    else if constexpr (sizeof(V) == 64)
      return (V)_mm512_permutexvar_epi16((__m512i)index, (__m512i)table);
    else if constexpr (sizeof(V) == 32 && sizeof(U) == 8)
      return (V)_mm256_permutexvar_epi64((__m256i)index, (__m256i)table);
    else if constexpr (sizeof(V) == 32 && sizeof(U) == 2)
      return (V)_mm256_permutexvar_epi16((__m256i)index, (__m256i)table);
    else if constexpr (sizeof(U) == 2)
      return (V)_mm_permutexvar_epi16((__m128i)index, (__m128i)table);
    else
      return base::lookup<U>(table, index);
  }
  /// Looks lanes up in two registers of 64 bytes.
  template <class U, class V>
  LANEFOLD_ALWAYS_INLINE static V lookup(V low, V high, V index) {
    if constexpr (sizeof(U) == 8)
      return (V)_mm512_permutex2var_epi64((__m512i)low, (__m512i)index, (__m512i)high);
    else if constexpr (sizeof(U) == 4)
      return (V)_mm512_permutex2var_epi32((__m512i)low, (__m512i)index, (__m512i)high);
    else
      return (V)_mm512_permutex2var_epi16((__m512i)low, (__m512i)index, (__m512i)high);
  }

  // ---- conversion

  template <class To, class From, std::size_t W>
  LANEFOLD_ALWAYS_INLINE static chunk_t<To, W> convert(const chunk_t<From, W>& v) {
    using result = chunk_t<To, W>;
    if constexpr (std::is_same_v<From, std::uint64_t> && std::is_floating_point_v<To>)
      return __builtin_convertvector(v, result);
#if !defined(__clang__)
    else if constexpr (std::is_integral_v<To> && std::is_integral_v<From> && sizeof(result) == 64)
      return widened_to_64<To, From, W>(v);
    else if constexpr (std::is_integral_v<To> && std::is_integral_v<From> && sizeof(To) < sizeof(From))
      return narrowed<To, From, W>(v);
    else if constexpr (sizeof(To) == 8 && std::is_integral_v<To> && std::is_same_v<From, float> && W == 8)
      return same_bits<result>(std::is_signed_v<To> ? _mm512_cvttps_epi64(same_bits<__m256>(v))
                                                    : _mm512_cvttps_epu64(same_bits<__m256>(v)));
    else if constexpr (sizeof(To) == 8 && std::is_integral_v<To> && std::is_same_v<From, float> && W == 4)
      return same_bits<result>(std::is_signed_v<To> ? _mm256_cvttps_epi64(same_bits<__m128>(v))
                                                    : _mm256_cvttps_epu64(same_bits<__m128>(v)));
    else if constexpr (std::is_same_v<From, float> && std::is_same_v<To, std::uint32_t> && W == 8)
      return same_bits<result>(_mm256_cvttps_epu32(same_bits<__m256>(v)));
    else if constexpr (std::is_same_v<From, float> && std::is_same_v<To, std::uint32_t> && W == 4)
      return same_bits<result>(_mm_cvttps_epu32(same_bits<__m128>(v)));
    else if constexpr (std::is_same_v<From, float> && std::is_same_v<To, double> && W == 8)
      return same_bits<result>(_mm512_cvtps_pd(same_bits<__m256>(v)));
    else if constexpr (std::is_same_v<From, std::int32_t> && std::is_same_v<To, double> && W == 8)
      return same_bits<result>(_mm512_cvtepi32_pd(same_bits<__m256i>(v)));
    else if constexpr (std::is_same_v<From, std::uint32_t> && std::is_same_v<To, double> && W == 8)
      return same_bits<result>(_mm512_cvtepu32_pd(same_bits<__m256i>(v)));
    else if constexpr (std::is_same_v<From, std::uint32_t> && std::is_same_v<To, double> && W == 4)
      return same_bits<result>(_mm256_cvtepu32_pd(same_bits<__m128i>(v)));
#endif
    else
      return base::convert<To, From, W>(v);
  }

#if defined(__F16C__)
  template <std::size_t W>
  static constexpr bool converts_halves = W == 16 || base::template converts_halves<W>;

  template <std::size_t W>
  LANEFOLD_ALWAYS_INLINE static chunk_t<float, W> floats_of_halves(const chunk_t<std::uint16_t, W>& v) {
    if constexpr (W == 16)
      return same_bits<chunk_t<float, W>>(_mm512_cvtph_ps(same_bits<__m256i>(v)));
    else
      return base::template floats_of_halves<W>(v);
  }
  template <std::size_t W>
  LANEFOLD_ALWAYS_INLINE static chunk_t<std::uint16_t, W> halves_of_floats(const chunk_t<float, W>& v) {
    if constexpr (W == 16)
      return same_bits<chunk_t<std::uint16_t, W>>(_mm512_cvtps_ph(same_bits<__m512>(v), 0));
    else
      return base::template halves_of_floats<W>(v);
  }
#endif

  // ---- arithmetic

  template <bool Left, class T, class V>
  LANEFOLD_ALWAYS_INLINE static V shifted(V x, unsigned count) {
    const __m128i n = _mm_cvtsi32_si128(static_cast<int>(count));
    if constexpr (std::is_same_v<T, std::int64_t> && !Left) {
      if constexpr (sizeof(V) == 64)
        return (V)_mm512_sra_epi64((__m512i)x, n);
      else if constexpr (sizeof(V) == 32)
        return (V)_mm256_sra_epi64((__m256i)x, n);
      else
        return (V)_mm_sra_epi64((__m128i)x, n);
    } else if constexpr (sizeof(V) != 64) {
      return base::shifted<Left, T>(x, count);
    } else if constexpr (Left) {
      return (V)(sizeof(T) == 4 ? _mm512_sll_epi32((__m512i)x, n) : _mm512_sll_epi64((__m512i)x, n));
    } else if constexpr (!std::is_signed_v<T>) {
      return (V)(sizeof(T) == 4 ? _mm512_srl_epi32((__m512i)x, n) : _mm512_srl_epi64((__m512i)x, n));
    } else {
      return (V)_mm512_sra_epi32((__m512i)x, n);
    }
  }

  template <class V>
  LANEFOLD_ALWAYS_INLINE static V even_products(V a, V b) {
    if constexpr (sizeof(V) == 64)
      return (V)_mm512_mul_epu32((__m512i)a, (__m512i)b);
    else
      return base::even_products(a, b);
  }

  template <class T, class V>
  LANEFOLD_ALWAYS_INLINE static V minimum(V a, V b) {
    if constexpr (sizeof(V) == 64 && std::is_same_v<T, float>)
      return (V)_mm512_min_ps((__m512)a, (__m512)b);
    else if constexpr (sizeof(V) == 64 && std::is_same_v<T, double>)
      return (V)_mm512_min_pd((__m512d)a, (__m512d)b);
    else
      return base::minimum<T>(a, b);
  }
  template <class T, class V>
  LANEFOLD_ALWAYS_INLINE static V maximum(V a, V b) {
    if constexpr (sizeof(V) == 64 && std::is_same_v<T, float>)
      return (V)_mm512_max_ps((__m512)a, (__m512)b);
    else if constexpr (sizeof(V) == 64 && std::is_same_v<T, double>)
      return (V)_mm512_max_pd((__m512d)a, (__m512d)b);
    else
      return base::maximum<T>(a, b);
  }

  template <class R>
  LANEFOLD_ALWAYS_INLINE static R fma(const R& a, const R& b, const R& c) { // which xsimd 8.1 does in two steps
    if constexpr (sizeof(R) != 64)
      return base::fma(a, b, c);
    else if constexpr (std::is_same_v<element_t<R>, float>)
      return R(_mm512_fmadd_ps(a, b, c));
    else
      return R(_mm512_fmadd_pd(a, b, c));
  }

  /// x * 2^n, n a whole real number.
  template <class R>
  LANEFOLD_ALWAYS_INLINE static R scaled(const R& x, const R& n) {
#define LANEFOLD_DETAIL_SCALE(prefix, vector)                                                                          \
  if constexpr (std::is_same_v<element_t<R>, float>)                                                                   \
    return R(prefix##_scalef_ps(x, n));                                                                                \
  else                                                                                                                 \
    return R(prefix##_scalef_pd(x, n))
    LANEFOLD_DETAIL_BY_SIZE(sizeof(R), LANEFOLD_DETAIL_SCALE)
#undef LANEFOLD_DETAIL_SCALE
  }

  /// Counts the bits above the highest that is set, in each lane.
  template <class U, class V>
  LANEFOLD_ALWAYS_INLINE static V leading_zeros(V x) {
#define LANEFOLD_DETAIL_COUNT(prefix, vector)                                                                          \
  return (V)(sizeof(U) == 4 ? prefix##_lzcnt_epi32((vector##i)x) : prefix##_lzcnt_epi64((vector##i)x))
    LANEFOLD_DETAIL_BY_SIZE(sizeof(V), LANEFOLD_DETAIL_COUNT)
#undef LANEFOLD_DETAIL_COUNT
  }

  template <class T, std::size_t G>
  LANEFOLD_ALWAYS_INLINE static chunk_t<T, G> truncated_quotients(const chunk_t<double, G>& q) {
    if constexpr (!std::is_signed_v<T>)
      return __builtin_convertvector(q, chunk_t<T, G>);
    else if constexpr (G == 8)
      return same_bits<chunk_t<T, G>>(_mm512_cvttpd_epi32(same_bits<__m512d>(q)));
    else
      return base::truncated_quotients<T, G>(q);
  }
  template <class T, std::size_t W>
  LANEFOLD_ALWAYS_INLINE static chunk_t<T, W> divide_small(const chunk_t<T, W>& a, const chunk_t<T, W>& b) {
    using doubles = chunk_t<double, W>;
    using integers = chunk_t<std::int64_t, W>;
    const doubles q = __builtin_convertvector((integers)a, doubles) / __builtin_convertvector((integers)b, doubles);
    return (chunk_t<T, W>)__builtin_convertvector(q, integers);
  }

  // |e| < 2^-13. Where x is 0 or infinite e is NaN, and the estimate is already right.
  template <class R>
  LANEFOLD_ALWAYS_INLINE static R rsqrt(const R& r) {
    const typename R::register_type x = r;
#define LANEFOLD_DETAIL_RSQRT(prefix, vector)                                                                          \
  if constexpr (std::is_same_v<element_t<R>, float>) {                                                                 \
    const vector y = prefix##_rsqrt14_ps(x);                                                                           \
    const vector e = prefix##_fnmadd_ps(prefix##_mul_ps(x, y), y, prefix##_set1_ps(1.0F));                             \
    const vector u = prefix##_mul_ps(e, prefix##_set1_ps(0.5F));                                                       \
    return R(prefix##_mask_fmadd_ps(y, prefix##_cmp_ps_mask(e, e, _CMP_ORD_Q), u, y));                                 \
  } else {                                                                                                             \
    const vector##d y = prefix##_rsqrt14_pd(x);                                                                        \
    const vector##d e = prefix##_fnmadd_pd(prefix##_mul_pd(x, y), y, prefix##_set1_pd(1.0));                           \
    const vector##d p = prefix##_fmadd_pd(e, prefix##_set1_pd(0.3125), prefix##_set1_pd(0.375));                       \
    const vector##d u = prefix##_mul_pd(e, prefix##_fmadd_pd(e, p, prefix##_set1_pd(0.5)));                            \
    return R(prefix##_mask_fmadd_pd(y, prefix##_cmp_pd_mask(e, e, _CMP_ORD_Q), u, y));                                 \
  }
    LANEFOLD_DETAIL_BY_SIZE(sizeof(R), LANEFOLD_DETAIL_RSQRT)
#undef LANEFOLD_DETAIL_RSQRT
  }

private:
#if !defined(__clang__)
  /// Integers to wider integers of 64 bytes in all.
  template <class To, class From, std::size_t W>
  LANEFOLD_ALWAYS_INLINE static chunk_t<To, W> widened_to_64(const chunk_t<From, W>& v) {
    constexpr bool is_signed = std::is_signed_v<From>;
#define LANEFOLD_DETAIL_WIDEN(from, to, arg)                                                                           \
  return same_bits<chunk_t<To, W>>(is_signed ? _mm512_cvtepi##from##_epi##to(arg) : _mm512_cvtepu##from##_epi##to(arg))
    if constexpr (sizeof(v) == 32) {
      const __m256i half = same_bits<__m256i>(v);
      if constexpr (sizeof(From) == 1)
        LANEFOLD_DETAIL_WIDEN(8, 16, half);
      else if constexpr (sizeof(From) == 2)
        LANEFOLD_DETAIL_WIDEN(16, 32, half);
      else
        LANEFOLD_DETAIL_WIDEN(32, 64, half);
    } else {
      const __m128i low = low_bytes(v);
      if constexpr (sizeof(From) == 1 && sizeof(To) == 4)
        LANEFOLD_DETAIL_WIDEN(8, 32, low);
      else if constexpr (sizeof(From) == 1)
        LANEFOLD_DETAIL_WIDEN(8, 64, low);
      else
        LANEFOLD_DETAIL_WIDEN(16, 64, low);
    }
#undef LANEFOLD_DETAIL_WIDEN
  }

  template <class To, class From, class V>
  LANEFOLD_ALWAYS_INLINE static auto narrowed_register(const V& v) {
#define LANEFOLD_DETAIL_NARROW(prefix, vector)                                                                         \
  if constexpr (sizeof(From) == 2)                                                                                     \
    return prefix##_cvtepi16_epi8(same_bits<vector##i>(v));                                                            \
  else if constexpr (sizeof(From) == 4 && sizeof(To) == 1)                                                             \
    return prefix##_cvtepi32_epi8(same_bits<vector##i>(v));                                                            \
  else if constexpr (sizeof(From) == 4)                                                                                \
    return prefix##_cvtepi32_epi16(same_bits<vector##i>(v));                                                           \
  else if constexpr (sizeof(To) == 1)                                                                                  \
    return prefix##_cvtepi64_epi8(same_bits<vector##i>(v));                                                            \
  else if constexpr (sizeof(To) == 2)                                                                                  \
    return prefix##_cvtepi64_epi16(same_bits<vector##i>(v));                                                           \
  else                                                                                                                 \
    return prefix##_cvtepi64_epi32(same_bits<vector##i>(v))
    LANEFOLD_DETAIL_BY_SIZE(sizeof(V), LANEFOLD_DETAIL_NARROW)
#undef LANEFOLD_DETAIL_NARROW
  }
  template <class To, class From, std::size_t W>
  LANEFOLD_ALWAYS_INLINE static chunk_t<To, W> narrowed(const chunk_t<From, W>& v) {
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
#endif
};

#undef LANEFOLD_DETAIL_BY_SIZE

} // namespace detail

LANEFOLD_END_NAMESPACE

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
