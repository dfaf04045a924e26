// SPDX-License-Identifier: Apache-2.0
/// Overrides what AVX-512 does by masks: comparisons and blends, accesses of all widths under a mask, gathers and
/// scatters. Internal.
#pragma once

#include <lanefold/simd/isa/avx2.hpp>

#if defined(LANEFOLD_DETAIL_AVX512)

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push // explained in avx512.hpp
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

// A statement with the prefixes of intrinsics and types for registers of so many bytes. Until the end of avx512.hpp.
#define LANEFOLD_DETAIL_BY_SIZE(bytes, statement)                                                                      \
  if constexpr ((bytes) == 64) {                                                                                       \
    statement(_mm512, __m512);                                                                                         \
  } else if constexpr ((bytes) == 32) {                                                                                \
    statement(_mm256, __m256);                                                                                         \
  } else {                                                                                                             \
    statement(_mm, __m128);                                                                                            \
  }

struct avx512_memory : instructions<isa::avx2> {
  static constexpr bool has_mask_registers = true;
  template <class T>
  static constexpr bool has_masked_access = true;
  static constexpr bool has_scatter = true;
  static constexpr bool has_compress = true;

  /// The bits of `a C b`, lane by lane.
  template <comparison C, class T, class V>
  LANEFOLD_ALWAYS_INLINE static auto compare(V a, V b) {
    using bits = lane_bits<sizeof(V) / sizeof(T)>;
    constexpr int real = C == comparison::equal        ? _CMP_EQ_OQ
                         : C == comparison::not_equal  ? _CMP_NEQ_UQ
                         : C == comparison::less       ? _CMP_LT_OQ
                         : C == comparison::less_equal ? _CMP_LE_OQ
                         : C == comparison::greater    ? _CMP_GT_OQ
                                                       : _CMP_GE_OQ;
    constexpr int whole = C == comparison::equal        ? 0
                          : C == comparison::not_equal  ? 4
                          : C == comparison::less       ? 1
                          : C == comparison::less_equal ? 2
                          : C == comparison::greater    ? 6
                                                        : 5;
#define LANEFOLD_DETAIL_COMPARE(prefix, cast)                                                                          \
  if constexpr (std::is_same_v<T, float>)                                                                              \
    return bits_of_comparison<bits>(prefix##_cmp_ps_mask((cast)a, (cast)b, real));                                     \
  else if constexpr (std::is_same_v<T, double>)                                                                        \
    return bits_of_comparison<bits>(prefix##_cmp_pd_mask((cast##d)a, (cast##d)b, real));                               \
  else if constexpr (std::is_same_v<T, std::int8_t>)                                                                   \
    return bits_of_comparison<bits>(prefix##_cmp_epi8_mask((cast##i)a, (cast##i)b, whole));                            \
  else if constexpr (std::is_same_v<T, std::int16_t>)                                                                  \
    return bits_of_comparison<bits>(prefix##_cmp_epi16_mask((cast##i)a, (cast##i)b, whole));                           \
  else if constexpr (std::is_same_v<T, std::int32_t>)                                                                  \
    return bits_of_comparison<bits>(prefix##_cmp_epi32_mask((cast##i)a, (cast##i)b, whole));                           \
  else if constexpr (std::is_same_v<T, std::int64_t>)                                                                  \
    return bits_of_comparison<bits>(prefix##_cmp_epi64_mask((cast##i)a, (cast##i)b, whole));                           \
  else if constexpr (std::is_same_v<T, std::uint8_t>)                                                                  \
    return bits_of_comparison<bits>(prefix##_cmp_epu8_mask((cast##i)a, (cast##i)b, whole));                            \
  else if constexpr (std::is_same_v<T, std::uint16_t>)                                                                 \
    return bits_of_comparison<bits>(prefix##_cmp_epu16_mask((cast##i)a, (cast##i)b, whole));                           \
  else if constexpr (std::is_same_v<T, std::uint32_t>)                                                                 \
    return bits_of_comparison<bits>(prefix##_cmp_epu32_mask((cast##i)a, (cast##i)b, whole));                           \
  else                                                                                                                 \
    return bits_of_comparison<bits>(prefix##_cmp_epu64_mask((cast##i)a, (cast##i)b, whole))
    LANEFOLD_DETAIL_BY_SIZE(sizeof(V), LANEFOLD_DETAIL_COMPARE)
#undef LANEFOLD_DETAIL_COMPARE
  }

  /// Lane by lane y where the bit is set, else n.
  template <class T, class V, class Bits>
  LANEFOLD_ALWAYS_INLINE static auto blend(Bits b, V y, V n) {
#define LANEFOLD_DETAIL_BLEND(prefix, cast)                                                                            \
  if constexpr (std::is_same_v<T, float>)                                                                              \
    return prefix##_mask_blend_ps(b, (cast)n, (cast)y);                                                                \
  else if constexpr (std::is_same_v<T, double>)                                                                        \
    return prefix##_mask_blend_pd(b, (cast##d)n, (cast##d)y);                                                          \
  else if constexpr (sizeof(T) == 1)                                                                                   \
    return prefix##_mask_blend_epi8(b, (cast##i)n, (cast##i)y);                                                        \
  else if constexpr (sizeof(T) == 2)                                                                                   \
    return prefix##_mask_blend_epi16(b, (cast##i)n, (cast##i)y);                                                       \
  else if constexpr (sizeof(T) == 4)                                                                                   \
    return prefix##_mask_blend_epi32(b, (cast##i)n, (cast##i)y);                                                       \
  else                                                                                                                 \
    return prefix##_mask_blend_epi64(b, (cast##i)n, (cast##i)y)
    LANEFOLD_DETAIL_BY_SIZE(sizeof(V), LANEFOLD_DETAIL_BLEND)
#undef LANEFOLD_DETAIL_BLEND
  }

  template <class Bits>
  LANEFOLD_ALWAYS_INLINE static Bits in_general_register(Bits b) {
#if !defined(__clang__)
    if (!__builtin_constant_p(b))
      asm("" : "+r"(b));
#endif
    return b;
  }

  template <class T, std::size_t W>
  LANEFOLD_ALWAYS_INLINE static auto masked_load(const T* p, lane_bits<W> b) {
#define LANEFOLD_DETAIL_LOAD(prefix, cast)                                                                             \
  if constexpr (std::is_same_v<T, float>)                                                                              \
    return prefix##_maskz_loadu_ps(b, p);                                                                              \
  else if constexpr (std::is_same_v<T, double>)                                                                        \
    return prefix##_maskz_loadu_pd(b, p);                                                                              \
  else if constexpr (sizeof(T) == 1)                                                                                   \
    return prefix##_maskz_loadu_epi8(b, p);                                                                            \
  else if constexpr (sizeof(T) == 2)                                                                                   \
    return prefix##_maskz_loadu_epi16(b, p);                                                                           \
  else if constexpr (sizeof(T) == 4)                                                                                   \
    return prefix##_maskz_loadu_epi32(b, p);                                                                           \
  else                                                                                                                 \
    return prefix##_maskz_loadu_epi64(b, p)
    LANEFOLD_DETAIL_BY_SIZE(sizeof(T) * W, LANEFOLD_DETAIL_LOAD)
#undef LANEFOLD_DETAIL_LOAD
  }

  template <class T, std::size_t W, class V>
  LANEFOLD_ALWAYS_INLINE static void masked_store(T* p, const V& v, lane_bits<W> b) {
    const auto x = own_register(v);
#define LANEFOLD_DETAIL_STORE(prefix, cast)                                                                            \
  if constexpr (std::is_same_v<T, float>)                                                                              \
    prefix##_mask_storeu_ps(p, b, (cast)x);                                                                            \
  else if constexpr (std::is_same_v<T, double>)                                                                        \
    prefix##_mask_storeu_pd(p, b, (cast##d)x);                                                                         \
  else if constexpr (sizeof(T) == 1)                                                                                   \
    prefix##_mask_storeu_epi8(p, b, (cast##i)x);                                                                       \
  else if constexpr (sizeof(T) == 2)                                                                                   \
    prefix##_mask_storeu_epi16(p, b, (cast##i)x);                                                                      \
  else if constexpr (sizeof(T) == 4)                                                                                   \
    prefix##_mask_storeu_epi32(p, b, (cast##i)x);                                                                      \
  else                                                                                                                 \
    prefix##_mask_storeu_epi64(p, b, (cast##i)x)
    LANEFOLD_DETAIL_BY_SIZE(sizeof(T) * W, LANEFOLD_DETAIL_STORE)
#undef LANEFOLD_DETAIL_STORE
  }

  /// Without bits all lanes are gathered.
  template <class T, class J, std::size_t G>
  LANEFOLD_ALWAYS_INLINE static chunk_t<T, G> gather(const void* p, const chunk_t<J, G>& i,
                                                     lane_bits<G> b = full_bits<G>) {
    using result = chunk_t<T, G>;
#define LANEFOLD_DETAIL_GATHER(zero, prefix, suffix, index)                                                            \
  return same_bits<result>(prefix##gather_epi##suffix(zero, b, same_bits<index>(i), p, sizeof(T)))
    if constexpr (sizeof(result) == 64 || sizeof(i) == 64) {
      if constexpr (sizeof(T) == 4 && sizeof(J) == 4)
        LANEFOLD_DETAIL_GATHER(_mm512_setzero_si512(), _mm512_mask_i32, 32, __m512i);
      else if constexpr (sizeof(T) == 8 && sizeof(J) == 4)
        LANEFOLD_DETAIL_GATHER(_mm512_setzero_si512(), _mm512_mask_i32, 64, __m256i);
      else if constexpr (sizeof(T) == 4)
        LANEFOLD_DETAIL_GATHER(_mm256_setzero_si256(), _mm512_mask_i64, 32, __m512i);
      else
        LANEFOLD_DETAIL_GATHER(_mm512_setzero_si512(), _mm512_mask_i64, 64, __m512i);
    } else if constexpr (sizeof(result) == 32) {
      if constexpr (sizeof(T) == 4)
        LANEFOLD_DETAIL_GATHER(_mm256_setzero_si256(), _mm256_mmask_i32, 32, __m256i);
      else if constexpr (sizeof(J) == 4)
        LANEFOLD_DETAIL_GATHER(_mm256_setzero_si256(), _mm256_mmask_i32, 64, __m128i);
      else
        LANEFOLD_DETAIL_GATHER(_mm256_setzero_si256(), _mm256_mmask_i64, 64, __m256i);
    } else {
      if constexpr (sizeof(T) == 4 && sizeof(J) == 4)
        LANEFOLD_DETAIL_GATHER(_mm_setzero_si128(), _mm_mmask_i32, 32, __m128i);
      else if constexpr (sizeof(T) == 4)
        LANEFOLD_DETAIL_GATHER(_mm_setzero_si128(), _mm256_mmask_i64, 32, __m256i);
      else
        LANEFOLD_DETAIL_GATHER(_mm_setzero_si128(), _mm_mmask_i64, 64, __m128i);
    }
#undef LANEFOLD_DETAIL_GATHER
  }

  /// Moves the lanes whose bit is set to the front, in their order; the others become 0.
  template <class T, std::size_t G>
  LANEFOLD_ALWAYS_INLINE static chunk_t<T, G> compress(const chunk_t<T, G>& x, lane_bits<G> b) {
#define LANEFOLD_DETAIL_COMPRESS(prefix, cast)                                                                         \
  if constexpr (sizeof(T) == 4)                                                                                        \
    return same_bits<chunk_t<T, G>>(prefix##_maskz_compress_epi32(b, same_bits<cast##i>(x)));                          \
  else                                                                                                                 \
    return same_bits<chunk_t<T, G>>(prefix##_maskz_compress_epi64(b, same_bits<cast##i>(x)))
    LANEFOLD_DETAIL_BY_SIZE(sizeof(x), LANEFOLD_DETAIL_COMPRESS)
#undef LANEFOLD_DETAIL_COMPRESS
  }
  /// Moves the first lanes, in their order, to those whose bit is set; the others become 0.
  template <class T, std::size_t G>
  LANEFOLD_ALWAYS_INLINE static chunk_t<T, G> expand(const chunk_t<T, G>& x, lane_bits<G> b){
#define LANEFOLD_DETAIL_EXPAND(prefix, cast)                                                                           \
  if constexpr (sizeof(T) == 4)                                                                                        \
    return same_bits<chunk_t<T, G>>(prefix##_maskz_expand_epi32(b, same_bits<cast##i>(x)));                            \
  else                                                                                                                 \
    return same_bits<chunk_t<T, G>>(prefix##_maskz_expand_epi64(b, same_bits<cast##i>(x)))
      LANEFOLD_DETAIL_BY_SIZE(sizeof(x), LANEFOLD_DETAIL_EXPAND)
#undef LANEFOLD_DETAIL_EXPAND
  }

  /// Moves the first bits, in their order, to the places that are set; there are no others.
  LANEFOLD_ALWAYS_INLINE static std::uint64_t deposit(std::uint64_t bits, std::uint64_t places) {
#ifdef __BMI2__
    return _pdep_u64(bits, places);
#else
    std::uint64_t result = 0;
    for (; places != 0; places &= places - 1, bits >>= 1) {
      result |= (bits & 1) != 0 ? places & -places : 0;
    }
    return result;
#endif
  }

  /// p[i0] = v0; p[i1] = v1; … in this order, where the bit is set.
  template <class T, class J, std::size_t G>
  LANEFOLD_ALWAYS_INLINE static void scatter(void* p, const chunk_t<J, G>& i, const chunk_t<T, G>& v,
                                             lane_bits<G> b = full_bits<G>) {
#define LANEFOLD_DETAIL_SCATTER(prefix, suffix, index, value)                                                          \
  prefix##scatter_epi##suffix(p, b, same_bits<index>(i), same_bits<value>(v), sizeof(T))
    if constexpr (sizeof(v) == 64 || sizeof(i) == 64) {
      if constexpr (sizeof(T) == 4 && sizeof(J) == 4)
        LANEFOLD_DETAIL_SCATTER(_mm512_mask_i32, 32, __m512i, __m512i);
      else if constexpr (sizeof(T) == 8 && sizeof(J) == 4)
        LANEFOLD_DETAIL_SCATTER(_mm512_mask_i32, 64, __m256i, __m512i);
      else if constexpr (sizeof(T) == 4)
        LANEFOLD_DETAIL_SCATTER(_mm512_mask_i64, 32, __m512i, __m256i);
      else
        LANEFOLD_DETAIL_SCATTER(_mm512_mask_i64, 64, __m512i, __m512i);
    } else if constexpr (sizeof(v) == 32) {
      if constexpr (sizeof(T) == 4)
        LANEFOLD_DETAIL_SCATTER(_mm256_mask_i32, 32, __m256i, __m256i);
      else if constexpr (sizeof(J) == 4)
        LANEFOLD_DETAIL_SCATTER(_mm256_mask_i32, 64, __m128i, __m256i);
      else
        LANEFOLD_DETAIL_SCATTER(_mm256_mask_i64, 64, __m256i, __m256i);
    } else {
      if constexpr (sizeof(T) == 4 && sizeof(J) == 4)
        LANEFOLD_DETAIL_SCATTER(_mm_mask_i32, 32, __m128i, __m128i);
      else if constexpr (sizeof(T) == 4)
        LANEFOLD_DETAIL_SCATTER(_mm256_mask_i64, 32, __m256i, __m128i);
      else
        LANEFOLD_DETAIL_SCATTER(_mm_mask_i64, 64, __m128i, __m128i);
    }
#undef LANEFOLD_DETAIL_SCATTER
  }

private:
  /// Returns the bits that a comparison left in a mask register. With g++ an instruction moves them that the compiler
  /// cannot see through: g++ 12 drops the extension of a comparison's result with zeros, and where it spills the mask
  /// register it then reads more bytes than it has stored (docs/decisions/013).
  template <class Bits, class Mask>
  LANEFOLD_ALWAYS_INLINE static Bits bits_of_comparison(Mask m) {
#if defined(__clang__)
    return static_cast<Bits>(m);
#else
    std::uint64_t b;
    if constexpr (sizeof(m) == 1)
      asm("kmovb\t{%1, %k0|%k0, %1}" : "=r"(b) : "k"(m));
    else if constexpr (sizeof(m) == 2)
      asm("kmovw\t{%1, %k0|%k0, %1}" : "=r"(b) : "k"(m));
    else if constexpr (sizeof(m) == 4)
      asm("kmovd\t{%1, %k0|%k0, %1}" : "=r"(b) : "k"(m));
    else
      asm("kmovq\t{%1, %0|%0, %1}" : "=r"(b) : "k"(m));
    if constexpr (sizeof(m) < sizeof(b)) {
      if (b >> (8 * sizeof(m)) != 0) { // the instruction sets them to 0: no second extension is needed
        __builtin_unreachable();
      }
    }
    return static_cast<Bits>(b);
#endif
  }

  /// Returns the same value, for a masked store. g++ 12 merges the extraction of a part of a register and its masked
  /// store into one `vextract… (mem){k}`, which, unlike masked moves, faults on lanes that are not set (Intel SDM,
  /// exception class E6NF): this function keeps the two apart.
  template <class V>
  LANEFOLD_ALWAYS_INLINE static V own_register(V x) {
#if !defined(__clang__)
    if constexpr (sizeof(V) < 64)
      asm("" : "+v"(x));
#endif
    return x;
  }
};

} // namespace detail

LANEFOLD_END_NAMESPACE

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
