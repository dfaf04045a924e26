// SPDX-License-Identifier: Apache-2.0
/// Overrides what AVX2 and FMA do better than SSE2: registers of 32 bytes, masked accesses, gathers, lookups. Internal.
#pragma once

#include <lanefold/simd/isa/sse2.hpp>

#if defined(LANEFOLD_DETAIL_AVX2)

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

template <>
struct instructions<isa::avx2> : instructions<isa::sse2> {
  using base = instructions<isa::sse2>;

  template <class T>
  static constexpr bool has_masked_access = sizeof(T) >= 4;
  static constexpr bool has_gather = true;
  static constexpr bool has_fma = true;
  static constexpr bool rounds_to_positive_zero = false;
  static constexpr bool has_slow_shuffles = false;
  static constexpr std::size_t most_lookup_registers = 4;
  template <class T>
  static constexpr std::size_t dividing_doubles = 4;
  static constexpr int exact_quotient_bits = 52;

  // ---- bits and memory

#if !defined(__clang__)
  template <class T, std::size_t W>
  LANEFOLD_ALWAYS_INLINE static lane_bits<W> bits_of(bool_vector<T, W> v) {
    if constexpr (sizeof(v) != 32)
      return base::bits_of<T, W>(v);
    else if constexpr (sizeof(T) == 8)
      return static_cast<lane_bits<W>>(_mm256_movemask_pd((__m256d)v));
    else if constexpr (sizeof(T) == 4)
      return static_cast<lane_bits<W>>(_mm256_movemask_ps((__m256)v));
    else if constexpr (sizeof(T) == 2)
      return static_cast<lane_bits<W>>(_mm_movemask_epi8(
          _mm_packs_epi16(_mm256_castsi256_si128((__m256i)v), _mm256_extracti128_si256((__m256i)v, 1))));
    else
      return static_cast<lane_bits<W>>(_mm256_movemask_epi8((__m256i)v));
  }
#endif

  /// The W lanes of T at p whose bit is set; the others are not accessed and are 0.
  template <class T, std::size_t W>
  LANEFOLD_ALWAYS_INLINE static auto masked_load(const T* p, lane_bits<W> b) {
    const auto m = access_mask<T, W>(b);
    if constexpr (sizeof(m) == 32 && sizeof(T) == 4)
      return _mm256_maskload_epi32(reinterpret_cast<const int*>(p), (__m256i)m);
    else if constexpr (sizeof(m) == 32)
      return _mm256_maskload_epi64(reinterpret_cast<const long long*>(p), (__m256i)m);
    else if constexpr (sizeof(T) == 4)
      return _mm_maskload_epi32(reinterpret_cast<const int*>(p), (__m128i)m);
    else
      return _mm_maskload_epi64(reinterpret_cast<const long long*>(p), (__m128i)m);
  }
  /// Stores the lanes of x whose bit is set; the others are not accessed.
  template <class T, std::size_t W, class V>
  LANEFOLD_ALWAYS_INLINE static void masked_store(T* p, const V& x, lane_bits<W> b) {
    const auto m = access_mask<T, W>(b);
    if constexpr (sizeof(m) == 32 && sizeof(T) == 4)
      _mm256_maskstore_epi32(reinterpret_cast<int*>(p), (__m256i)m, (__m256i)x);
    else if constexpr (sizeof(m) == 32)
      _mm256_maskstore_epi64(reinterpret_cast<long long*>(p), (__m256i)m, (__m256i)x);
    else if constexpr (sizeof(T) == 4)
      _mm_maskstore_epi32(reinterpret_cast<int*>(p), (__m128i)m, (__m128i)x);
    else
      _mm_maskstore_epi64(reinterpret_cast<long long*>(p), (__m128i)m, (__m128i)x);
  }

#define LANEFOLD_DETAIL_GATHER(bits, prefix, result_suffix, index)                                                     \
  do {                                                                                                                 \
    if constexpr (masked)                                                                                              \
      return same_bits<result>(bits##_mask_##prefix##gather_epi##result_suffix(                                        \
          same_bits<source>(result{}), address, same_bits<index>(i), same_bits<source>(m), sizeof(T)));                \
    else                                                                                                               \
      return same_bits<result>(bits##_##prefix##gather_epi##result_suffix(address, same_bits<index>(i), sizeof(T)));   \
  } while (false)

  /// {p[i0], p[i1], …}; with bits 0 where they are not set, and nothing is accessed there. Indices J of 4 and 8 bytes,
  /// signed.
  template <class T, class J, std::size_t G, class... Bits>
  LANEFOLD_ALWAYS_INLINE static chunk_t<T, G> gather(const void* p, const chunk_t<J, G>& i, Bits... b) {
    using result = chunk_t<T, G>;
    using source = vector_t<long long, sizeof(result) / sizeof(long long)>;
    using word = std::conditional_t<sizeof(T) == 4, int, long long>;
    constexpr bool masked = sizeof...(Bits) == 1;
    const auto* address = static_cast<const word*>(p);
    [[maybe_unused]] const auto m = [](auto... bits) LANEFOLD_INLINE_LAMBDA {
      if constexpr (masked)
        return access_mask<T, G>(bits...);
      else
        return result{};
    }(b...);
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

  // ---- lanes moved

  template <class T, std::size_t W, std::size_t First, std::size_t Count>
  LANEFOLD_ALWAYS_INLINE static chunk_t<T, Count> part(const chunk_t<T, W>& v) {
    if constexpr (sizeof(v) == 32 && Count * sizeof(T) == 16)
      return same_bits<chunk_t<T, Count>>(First == 0 ? _mm256_castsi256_si128(same_bits<__m256i>(v))
                                                     : _mm256_extracti128_si256(same_bits<__m256i>(v), First != 0));
    else
      return base::part<T, W, First, Count>(v);
  }
  template <class T, std::size_t W>
  LANEFOLD_ALWAYS_INLINE static chunk_t<T, 2 * W> pair(const chunk_t<T, W>& a, const chunk_t<T, W>& b) {
    if constexpr (sizeof(a) == 16)
      return same_bits<chunk_t<T, 2 * W>>(_mm256_set_m128i(same_bits<__m128i>(b), same_bits<__m128i>(a)));
    else
      return base::pair<T, W>(a, b);
  }
  template <class T, int S, class V>
  LANEFOLD_ALWAYS_INLINE static V up_in_blocks(V v) {
    if constexpr (sizeof(V) == 32)
      return (V)_mm256_slli_si256((__m256i)v, S * sizeof(T));
    else
      return base::up_in_blocks<T, S>(v);
  }

  /// Lane i gets lane index[i] of the table, modulo its lanes. U is the unsigned integer as wide as a lane; both are
  /// vectors of it.
  template <class U, class V>
  LANEFOLD_ALWAYS_INLINE static V lookup(V table, V index) {
    if constexpr (sizeof(V) == 16) {
      if constexpr (sizeof(U) == 8)
        return (V)_mm_permutevar_pd((__m128d)table, (__m128i)(index << 1)); // bit 1 selects
      else if constexpr (sizeof(U) == 4)
        return (V)_mm_permutevar_ps((__m128)table, (__m128i)index);
      else if constexpr (sizeof(U) == 2)
        return (V)_mm_shuffle_epi8((__m128i)table, (__m128i)((index & U(7)) * U(0x0202) + U(0x0100)));
      else
        return (V)_mm_shuffle_epi8((__m128i)table, (__m128i)(index & U(15)));
    } else if constexpr (sizeof(U) == 4) {
      return (V)_mm256_permutevar8x32_epi32((__m256i)table, (__m256i)index);
    } else if constexpr (sizeof(U) == 8) {
      const V pairs = (index & U(3)) * U(0x200000002) + (U(1) << 32);
      return (V)_mm256_permutevar8x32_epi32((__m256i)table, (__m256i)pairs);
    } else if constexpr (sizeof(U) == 2) {
      return (V)lookup_bytes((__m256i)table, (__m256i)((index & U(15)) * U(0x0202) + U(0x0100)));
    } else {
      return (V)lookup_bytes((__m256i)table, (__m256i)(index & U(31)));
    }
  }

  // ---- conversion

#if !defined(__clang__) // which needs no help
  template <class To, class From, std::size_t W>
  LANEFOLD_ALWAYS_INLINE static chunk_t<To, W> convert(const chunk_t<From, W>& v) {
    using result = chunk_t<To, W>;
    if constexpr (std::is_integral_v<To> && std::is_integral_v<From>) {
      if constexpr (sizeof(To) > sizeof(From))
        return widened<To, From, W>(v);
      else
        return narrowed<To, From, W>(v);
    } else if constexpr (std::is_same_v<From, float> && std::is_same_v<To, double> && W == 4) {
      return same_bits<result>(_mm256_cvtps_pd(same_bits<__m128>(v)));
    } else if constexpr (std::is_same_v<From, std::int32_t> && std::is_same_v<To, double> && W == 4) {
      return same_bits<result>(_mm256_cvtepi32_pd(same_bits<__m128i>(v)));
    } else {
      return base::convert<To, From, W>(v);
    }
  }
#endif

#if defined(__F16C__) // every processor with AVX2 has it, not every choice of flags
  template <std::size_t W>
  static constexpr bool converts_halves = W == 4 || W == 8;

  /// W halves, of which v has the bits, as floats.
  template <std::size_t W>
  LANEFOLD_ALWAYS_INLINE static chunk_t<float, W> floats_of_halves(const chunk_t<std::uint16_t, W>& v) {
    if constexpr (W == 8)
      return same_bits<chunk_t<float, W>>(_mm256_cvtph_ps(same_bits<__m128i>(v)));
    else
      return same_bits<chunk_t<float, W>>(_mm_cvtph_ps(_mm_cvtsi64_si128(same_bits<long long>(v))));
  }
  /// The bits of the halves next to W floats, ties to the even one.
  template <std::size_t W>
  LANEFOLD_ALWAYS_INLINE static chunk_t<std::uint16_t, W> halves_of_floats(const chunk_t<float, W>& v) {
    if constexpr (W == 8)
      return same_bits<chunk_t<std::uint16_t, W>>(_mm256_cvtps_ph(same_bits<__m256>(v), 0));
    else
      return same_bits<chunk_t<std::uint16_t, W>>(_mm_cvtsi128_si64(_mm_cvtps_ph(same_bits<__m128>(v), 0)));
  }
#endif

  // ---- arithmetic

  template <bool Left, class T, class V>
  LANEFOLD_ALWAYS_INLINE static V shifted(V x, unsigned count) {
    if constexpr (sizeof(V) == 32) {
      const __m256i v = (__m256i)x;
      const __m128i n = _mm_cvtsi32_si128(static_cast<int>(count));
      if constexpr (Left)
        return (V)(sizeof(T) == 4 ? _mm256_sll_epi32(v, n) : _mm256_sll_epi64(v, n));
      else if constexpr (!std::is_signed_v<T>)
        return (V)(sizeof(T) == 4 ? _mm256_srl_epi32(v, n) : _mm256_srl_epi64(v, n));
      else if constexpr (sizeof(T) == 4)
        return (V)_mm256_sra_epi32(v, n);
      else
        return with_sign((V)_mm256_srl_epi64(v, n), count);
    } else {
      return base::shifted<Left, T>(x, count);
    }
  }

  template <class V>
  LANEFOLD_ALWAYS_INLINE static V even_products(V a, V b) {
    if constexpr (sizeof(V) == 32)
      return (V)_mm256_mul_epu32((__m256i)a, (__m256i)b);
    else
      return base::even_products(a, b);
  }

  template <class T, class V>
  LANEFOLD_ALWAYS_INLINE static V minimum(V a, V b) {
    if constexpr (sizeof(V) == 32 && std::is_same_v<T, float>)
      return (V)_mm256_min_ps((__m256)a, (__m256)b);
    else if constexpr (sizeof(V) == 32 && std::is_same_v<T, double>)
      return (V)_mm256_min_pd((__m256d)a, (__m256d)b);
    else
      return base::minimum<T>(a, b);
  }
  template <class T, class V>
  LANEFOLD_ALWAYS_INLINE static V maximum(V a, V b) {
    if constexpr (sizeof(V) == 32 && std::is_same_v<T, float>)
      return (V)_mm256_max_ps((__m256)a, (__m256)b);
    else if constexpr (sizeof(V) == 32 && std::is_same_v<T, double>)
      return (V)_mm256_max_pd((__m256d)a, (__m256d)b);
    else
      return base::maximum<T>(a, b);
  }

  /// a * b + c, rounded once.
  template <class R>
  LANEFOLD_ALWAYS_INLINE static R fma(const R& a, const R& b, const R& c) {
    using vector = typename R::register_type;
    return R(fused(vector(a), vector(b), vector(c)));
  }

  template <class T, std::size_t G>
  LANEFOLD_ALWAYS_INLINE static chunk_t<T, G> truncated_quotients(const chunk_t<double, G>& q) {
    if constexpr (!std::is_signed_v<T>)
      return instructions::convert<T, std::uint64_t, G>(same_bits<chunk_t<std::uint64_t, G>>(truncated<G>(q) + 0x1p52));
    else if constexpr (G == 4)
      return same_bits<chunk_t<T, G>>(_mm256_cvttpd_epi32(same_bits<__m256d>(q)));
    else
      return base::truncated_quotients<T, G>(q);
  }

  /// Quotients of 64-bit integers that have no more than exact_quotient_bits bits, unsigned ones a bit less.
  template <class T, std::size_t W>
  LANEFOLD_ALWAYS_INLINE static chunk_t<T, W> divide_small(const chunk_t<T, W>& a, const chunk_t<T, W>& b) {
    // 2^52 + 2^51 plus an integer of 52 bits (signed): the integer stands in the lowest bits of the double.
    constexpr double magic = 0x1.8p52;
    constexpr auto magic_bits = static_cast<T>(0x4338000000000000);
    using doubles = chunk_t<double, W>;
    const doubles x = same_bits<doubles>(a + magic_bits) - magic, y = same_bits<doubles>(b + magic_bits) - magic;
    return same_bits<chunk_t<T, W>>(truncated<W>(x / y) + magic) - magic_bits;
  }

  template <class R>
  LANEFOLD_ALWAYS_INLINE static R rsqrt(const R& x) {
    return R(refined_rsqrt(typename R::register_type(x)));
  }

protected:
  /// Does the same as `vector_of` for instructions that read the highest bit of a lane only: clang 19 sees that they
  /// do, and then makes these bits one by one. The empty statement hides it.
  template <class T, std::size_t W>
  LANEFOLD_ALWAYS_INLINE static bool_vector<T, W> access_mask(lane_bits<W> b) {
    auto v = vector_of<T, W>(b);
#if defined(__clang__)
    asm("" : "+x"(v));
#endif
    return v;
  }

  /// The bytes of both halves: bit 4 of an index selects the half.
  LANEFOLD_ALWAYS_INLINE static __m256i lookup_bytes(__m256i table, __m256i index) {
    const __m256i low = _mm256_permute2x128_si256(table, table, 0x00);
    const __m256i high = _mm256_permute2x128_si256(table, table, 0x11);
    return _mm256_blendv_epi8(_mm256_shuffle_epi8(low, index), _mm256_shuffle_epi8(high, index),
                              _mm256_slli_epi16(index, 3));
  }

  /// The 16-byte register whose low bytes are those of v, which is smaller.
  template <class V>
  LANEFOLD_ALWAYS_INLINE static __m128i low_bytes(const V& v) {
    if constexpr (sizeof(V) == 16)
      return same_bits<__m128i>(v);
    else if constexpr (sizeof(V) == 8)
      return _mm_cvtsi64_si128(same_bits<long long>(v));
    else if constexpr (sizeof(V) == 4)
      return _mm_cvtsi32_si128(same_bits<int>(v));
    else
      return _mm_cvtsi32_si128(same_bits<std::uint16_t>(v));
  }
  /// The low bytes of a register as a smaller vector.
  template <class V>
  LANEFOLD_ALWAYS_INLINE static V from_low_bytes(__m128i r) {
    if constexpr (sizeof(V) == 16)
      return same_bits<V>(r);
    else if constexpr (sizeof(V) == 8)
      return same_bits<V>(_mm_cvtsi128_si64(r));
    else if constexpr (sizeof(V) == 4)
      return same_bits<V>(_mm_cvtsi128_si32(r));
    else
      return same_bits<V>(static_cast<std::uint16_t>(_mm_cvtsi128_si32(r)));
  }

#define LANEFOLD_DETAIL_WIDEN(prefix, from, arg)                                                                       \
  if constexpr (sizeof(To) == 2)                                                                                       \
    return same_bits<result>(prefix##_cvt##from##8_epi16(arg));                                                        \
  else if constexpr (sizeof(From) == 1 && sizeof(To) == 4)                                                             \
    return same_bits<result>(prefix##_cvt##from##8_epi32(arg));                                                        \
  else if constexpr (sizeof(From) == 1)                                                                                \
    return same_bits<result>(prefix##_cvt##from##8_epi64(arg));                                                        \
  else if constexpr (sizeof(From) == 2 && sizeof(To) == 4)                                                             \
    return same_bits<result>(prefix##_cvt##from##16_epi32(arg));                                                       \
  else if constexpr (sizeof(From) == 2)                                                                                \
    return same_bits<result>(prefix##_cvt##from##16_epi64(arg));                                                       \
  else                                                                                                                 \
    return same_bits<result>(prefix##_cvt##from##32_epi64(arg))

  /// Integers to wider integers.
  template <class To, class From, std::size_t W>
  LANEFOLD_ALWAYS_INLINE static chunk_t<To, W> widened(const chunk_t<From, W>& v) {
    using result = chunk_t<To, W>;
    if constexpr (sizeof(result) == 16) {
      const __m128i low = low_bytes(v);
      if constexpr (std::is_signed_v<From>) {
        LANEFOLD_DETAIL_WIDEN(_mm, epi, low);
      } else {
        LANEFOLD_DETAIL_WIDEN(_mm, epu, low);
      }
    } else if constexpr (sizeof(result) == 32) {
      const __m128i low = low_bytes(v);
      if constexpr (std::is_signed_v<From>) {
        LANEFOLD_DETAIL_WIDEN(_mm256, epi, low);
      } else {
        LANEFOLD_DETAIL_WIDEN(_mm256, epu, low);
      }
    } else {
      return __builtin_convertvector(v, result);
    }
  }
#undef LANEFOLD_DETAIL_WIDEN

  /// Integers to narrower integers, modulo 2^bits.
  template <class To, class From, std::size_t W>
  LANEFOLD_ALWAYS_INLINE static chunk_t<To, W> narrowed(const chunk_t<From, W>& v) {
    using half = typename sized_integer<sizeof(From) / 2, std::is_signed_v<To>>::type;
    if constexpr (sizeof(v) == 32) {
      // Within each 16 bytes by a byte shuffle, then the low 8 bytes of both.
      const __m256i r = same_bits<__m256i>(v);
      __m256i low;
      if constexpr (sizeof(From) == 8)
        low = _mm256_shuffle_epi32(r, 0x88);
      else if constexpr (sizeof(From) == 4)
        low = _mm256_shuffle_epi8(r, _mm256_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 0, 1, 4, 5, 8, 9, 12, 13, 0, 1, 4, 5, 8,
                                                      9, 12, 13, 0, 1, 4, 5, 8, 9, 12, 13));
      else
        low = _mm256_shuffle_epi8(r, _mm256_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, 0, 2, 4, 6, 8, 10, 12, 14, 0, 2, 4, 6,
                                                      8, 10, 12, 14, 0, 2, 4, 6, 8, 10, 12, 14));
      const auto step = same_bits<chunk_t<half, W>>(_mm256_castsi256_si128(_mm256_permute4x64_epi64(low, 0x08)));
      if constexpr (sizeof(half) == sizeof(To))
        return step;
      else
        return narrowed<To, half, W>(step);
    } else if constexpr (sizeof(v) == 16 && sizeof(From) < 8) {
      const __m128i r = same_bits<__m128i>(v);
      if constexpr (sizeof(From) == 4 && sizeof(To) == 2)
        return from_low_bytes<chunk_t<To, W>>(
            _mm_shuffle_epi8(r, _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 0, 1, 4, 5, 8, 9, 12, 13)));
      else if constexpr (sizeof(From) == 4)
        return from_low_bytes<chunk_t<To, W>>(
            _mm_shuffle_epi8(r, _mm_setr_epi8(0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12)));
      else
        return from_low_bytes<chunk_t<To, W>>(
            _mm_shuffle_epi8(r, _mm_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, 0, 2, 4, 6, 8, 10, 12, 14)));
    } else {
      return __builtin_convertvector(v, chunk_t<To, W>);
    }
  }

  LANEFOLD_ALWAYS_INLINE static __m128 fused(__m128 a, __m128 b, __m128 c) { return _mm_fmadd_ps(a, b, c); }
  LANEFOLD_ALWAYS_INLINE static __m128d fused(__m128d a, __m128d b, __m128d c) { return _mm_fmadd_pd(a, b, c); }
  LANEFOLD_ALWAYS_INLINE static __m256 fused(__m256 a, __m256 b, __m256 c) { return _mm256_fmadd_ps(a, b, c); }
  LANEFOLD_ALWAYS_INLINE static __m256d fused(__m256d a, __m256d b, __m256d c) { return _mm256_fmadd_pd(a, b, c); }

private:
  template <std::size_t W>
  LANEFOLD_ALWAYS_INLINE static chunk_t<double, W> truncated(const chunk_t<double, W>& x) {
    constexpr int to_zero = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
    if constexpr (W == 4)
      return same_bits<chunk_t<double, W>>(_mm256_round_pd(same_bits<__m256d>(x), to_zero));
    else
      return same_bits<chunk_t<double, W>>(_mm_round_pd(same_bits<__m128d>(x), to_zero));
  }

  using base::ordinary_rsqrt;
  LANEFOLD_ALWAYS_INLINE static __m256 ordinary_rsqrt(__m256 x, __m256 refined) {
    const __m256 finite = _mm256_sub_ps(refined, refined); // or NaN
    if (_mm256_movemask_ps(_mm256_cmp_ps(finite, finite, _CMP_UNORD_Q)) != 0) [[unlikely]]
      return _mm256_div_ps(_mm256_set1_ps(1.0F), _mm256_sqrt_ps(x));
    return refined;
  }
#define LANEFOLD_DETAIL_RSQRT(prefix, vector)                                                                          \
  LANEFOLD_ALWAYS_INLINE static vector refined_rsqrt(vector x) {                                                       \
    const vector y = prefix##_rsqrt_ps(x);                                                                             \
    const vector e = prefix##_fnmadd_ps(prefix##_mul_ps(x, y), y, prefix##_set1_ps(1.0F));                             \
    const vector p = prefix##_fmadd_ps(e, prefix##_set1_ps(0.375F), prefix##_set1_ps(0.5F));                           \
    return ordinary_rsqrt(x, prefix##_fmadd_ps(prefix##_mul_ps(e, p), y, y));                                          \
  }
  LANEFOLD_DETAIL_RSQRT(_mm, __m128)
  LANEFOLD_DETAIL_RSQRT(_mm256, __m256)
#undef LANEFOLD_DETAIL_RSQRT
};

} // namespace detail

LANEFOLD_END_NAMESPACE

#endif
