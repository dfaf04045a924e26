// SPDX-License-Identifier: Apache-2.0
/// Between registers and the bits of their lanes: comparison, blend, masked load and store of one register.
/// AVX-512 has instructions for each; elsewhere bits become a vector of all-ones and zeros and back. Internal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <lanefold/simd/registers.hpp>

#if defined(LANEFOLD_DETAIL_SSE2)
#include <immintrin.h>
#endif

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

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

/// The signed integer vector with lanes as wide as those of T.
template <class T, std::size_t W>
using bool_vector = vector_t<typename sized_integer<sizeof(T), true>::type, W>;

#if defined(__clang__)

template <std::size_t W>
struct bit_vector {
  typedef bool type __attribute__((ext_vector_type(W)));
};

/// Bit i = lane i of a vector of all-ones and zeros.
template <class T, std::size_t W>
LANEFOLD_ALWAYS_INLINE lane_bits<W> bits_of(bool_vector<T, W> v) {
  using bits = typename bit_vector<W>::type;
  if constexpr (W < 8) {
    using wide = typename bit_vector<8>::type;
    const bits b = __builtin_convertvector(v, bits);
    if constexpr (W == 2) {
      const wide w = __builtin_shufflevector(b, bits{}, 0, 1, 2, 2, 2, 2, 2, 2);
      return __builtin_bit_cast(lane_bits<W>, w);
    } else {
      const wide w = __builtin_shufflevector(b, bits{}, 0, 1, 2, 3, 4, 4, 4, 4);
      return __builtin_bit_cast(lane_bits<W>, w);
    }
  } else {
    return __builtin_bit_cast(lane_bits<W>, __builtin_convertvector(v, bits));
  }
}

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

template <class T, std::size_t W>
LANEFOLD_ALWAYS_INLINE lane_bits<W> bits_of(bool_vector<T, W> v) {
#if defined(LANEFOLD_DETAIL_SSE2)
  if constexpr (sizeof(v) == 16) {
    if constexpr (sizeof(T) == 8)
      return static_cast<lane_bits<W>>(_mm_movemask_pd((__m128d)v));
    else if constexpr (sizeof(T) == 4)
      return static_cast<lane_bits<W>>(_mm_movemask_ps((__m128)v));
    else if constexpr (sizeof(T) == 2)
      return static_cast<lane_bits<W>>(_mm_movemask_epi8(_mm_packs_epi16((__m128i)v, _mm_setzero_si128())));
    else
      return static_cast<lane_bits<W>>(_mm_movemask_epi8((__m128i)v));
  }
#if defined(LANEFOLD_DETAIL_AVX2)
  else if constexpr (sizeof(v) == 32) {
    if constexpr (sizeof(T) == 8)
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
  else
#endif
  {
    lane_bits<W> b = 0;
    for (std::size_t i = 0; i < W; ++i)
      b = static_cast<lane_bits<W>>(b | (static_cast<lane_bits<W>>(v[i] & 1) << i));
    return b;
  }
}

template <class S, std::size_t W, std::size_t... I>
LANEFOLD_ALWAYS_INLINE vector_t<S, W> spread_bits(lane_bits<W> b, std::index_sequence<I...>) {
  if constexpr (sizeof(S) == 1) {
    vector_t<std::uint64_t, W / 8> w;
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

template <class T, std::size_t W>
LANEFOLD_ALWAYS_INLINE bool_vector<T, W> vector_of(lane_bits<W> b) {
  return spread_bits<typename sized_integer<sizeof(T), true>::type, W>(b, std::make_index_sequence<W>{});
}

#endif

/// Does the same as `vector_of` for instructions that read the highest bit of a lane only: clang 19 sees that they do,
/// and then makes these bits one by one. The empty statement hides it.
template <class T, std::size_t W>
LANEFOLD_ALWAYS_INLINE bool_vector<T, W> access_mask(lane_bits<W> b) {
  auto v = vector_of<T, W>(b);
#if defined(__clang__) && defined(LANEFOLD_DETAIL_AVX2)
  asm("" : "+x"(v));
#endif
  return v;
}

#if defined(LANEFOLD_DETAIL_AVX512)
/// Returns the bits that a comparison left in a mask register. With g++ an instruction moves them that the compiler
/// cannot see through: g++ 12 drops the extension of a comparison's result with zeros, and where it spills the mask
/// register it then reads more bytes than it has stored (docs/decisions/013).
template <class Bits, class Mask>
LANEFOLD_ALWAYS_INLINE Bits bits_of_comparison(Mask m) {
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
#endif

/// The bits of `a C b`, lane by lane, for two registers (or plain scalars) of element type T.
template <class Isa, comparison C, class R>
LANEFOLD_ALWAYS_INLINE auto compare(const R& ra, const R& rb) {
  using traits = register_traits<R>;
  using T = typename traits::element;
  using bits = lane_bits<traits::lanes>;
  if constexpr (!traits::is_vector) {
    return static_cast<bits>(compare_values<C>(ra, rb));
  } else {
    const auto a = to_vector(ra), b = to_vector(rb);
#if defined(LANEFOLD_DETAIL_AVX512)
    if constexpr (std::is_same_v<Isa, isa::avx512>) {
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
      if constexpr (sizeof(a) == 64) {
        LANEFOLD_DETAIL_COMPARE(_mm512, __m512);
      } else if constexpr (sizeof(a) == 32) {
        LANEFOLD_DETAIL_COMPARE(_mm256, __m256);
      } else {
        LANEFOLD_DETAIL_COMPARE(_mm, __m128);
      }
#undef LANEFOLD_DETAIL_COMPARE
    } else
#endif
    {
      return bits_of<T, traits::lanes>((bool_vector<T, traits::lanes>)compare_values<C>(a, b));
    }
  }
}

/// Lane by lane `yes` where the bit is set, else `no`.
template <class Isa, class R, class Bits>
LANEFOLD_ALWAYS_INLINE R blend(Bits b, const R& yes, const R& no) {
  using traits = register_traits<R>;
  using T = typename traits::element;
  if constexpr (!traits::is_vector) {
    return b != 0 ? yes : no;
  } else {
    const auto y = to_vector(yes), n = to_vector(no);
#if defined(LANEFOLD_DETAIL_AVX512)
    if constexpr (std::is_same_v<Isa, isa::avx512>) {
#define LANEFOLD_DETAIL_BLEND(prefix, cast)                                                                            \
  if constexpr (std::is_same_v<T, float>)                                                                              \
    return to_register<R>(prefix##_mask_blend_ps(b, (cast)n, (cast)y));                                                \
  else if constexpr (std::is_same_v<T, double>)                                                                        \
    return to_register<R>(prefix##_mask_blend_pd(b, (cast##d)n, (cast##d)y));                                          \
  else if constexpr (sizeof(T) == 1)                                                                                   \
    return to_register<R>(prefix##_mask_blend_epi8(b, (cast##i)n, (cast##i)y));                                        \
  else if constexpr (sizeof(T) == 2)                                                                                   \
    return to_register<R>(prefix##_mask_blend_epi16(b, (cast##i)n, (cast##i)y));                                       \
  else if constexpr (sizeof(T) == 4)                                                                                   \
    return to_register<R>(prefix##_mask_blend_epi32(b, (cast##i)n, (cast##i)y));                                       \
  else                                                                                                                 \
    return to_register<R>(prefix##_mask_blend_epi64(b, (cast##i)n, (cast##i)y))
      if constexpr (sizeof(y) == 64) {
        LANEFOLD_DETAIL_BLEND(_mm512, __m512);
      } else if constexpr (sizeof(y) == 32) {
        LANEFOLD_DETAIL_BLEND(_mm256, __m256);
      } else {
        LANEFOLD_DETAIL_BLEND(_mm, __m128);
      }
#undef LANEFOLD_DETAIL_BLEND
    } else
#endif
    {
      return to_register<R>(vector_of<T, traits::lanes>(b) ? y : n);
    }
  }
}

/// A vector at any address that is aligned for T. Standard element types keep T's aliasing (g++ then knows that a store
/// of floats does not change pointers); the others may alias anything.
template <class T, std::size_t W>
struct memory_vector {
  typedef T type __attribute__((vector_size(sizeof(T) * W), aligned(alignof(T))));
};

template <class T>
inline constexpr bool vector_element = std::is_same_v<T, canonical_t<T>>;

template <class R, class T>
LANEFOLD_ALWAYS_INLINE R load_register(const T* p) {
  if constexpr (!register_traits<R>::is_vector) {
    return *p;
  } else {
    using vector = typename memory_vector<canonical_t<T>, register_traits<R>::lanes>::type;
    if constexpr (vector_element<T>) {
      return to_register<R>(*reinterpret_cast<const vector*>(p));
    } else {
      R r;
      __builtin_memcpy(&r.data, p, sizeof(r.data));
      return r;
    }
  }
}

template <class R, class T>
LANEFOLD_ALWAYS_INLINE void store_register(const R& r, T* p) {
  if constexpr (!register_traits<R>::is_vector) {
    *p = r;
  } else {
    using vector = typename memory_vector<canonical_t<T>, register_traits<R>::lanes>::type;
    if constexpr (vector_element<T>)
      *reinterpret_cast<vector*>(p) = (vector)r.data;
    else
      __builtin_memcpy(p, &r.data, sizeof(r.data));
  }
}

/// f(i) for every set bit, from the lowest.
template <class Bits, class F>
LANEFOLD_ALWAYS_INLINE void for_bits(Bits b, F f) {
  for (; b != 0; b = static_cast<Bits>(b & (b - 1)))
    f(static_cast<std::size_t>(std::countr_zero(b)));
}

/// The lanes whose bit is set; the others are not accessed and are 0.
template <class Isa, class R, class T, class Bits>
LANEFOLD_ALWAYS_INLINE R load_register(const T* p, Bits b) {
  using traits = register_traits<R>;
  if constexpr (!traits::is_vector) {
    return b != 0 ? *p : T{};
  } else {
    [[maybe_unused]] constexpr std::size_t bytes = sizeof(T) * traits::lanes;
#if defined(LANEFOLD_DETAIL_AVX512)
    if constexpr (std::is_same_v<Isa, isa::avx512>) {
#define LANEFOLD_DETAIL_LOAD(prefix)                                                                                   \
  if constexpr (std::is_same_v<T, float>)                                                                              \
    return to_register<R>(prefix##_maskz_loadu_ps(b, p));                                                              \
  else if constexpr (std::is_same_v<T, double>)                                                                        \
    return to_register<R>(prefix##_maskz_loadu_pd(b, p));                                                              \
  else if constexpr (sizeof(T) == 1)                                                                                   \
    return to_register<R>(prefix##_maskz_loadu_epi8(b, p));                                                            \
  else if constexpr (sizeof(T) == 2)                                                                                   \
    return to_register<R>(prefix##_maskz_loadu_epi16(b, p));                                                           \
  else if constexpr (sizeof(T) == 4)                                                                                   \
    return to_register<R>(prefix##_maskz_loadu_epi32(b, p));                                                           \
  else                                                                                                                 \
    return to_register<R>(prefix##_maskz_loadu_epi64(b, p))
      if constexpr (bytes == 64) {
        LANEFOLD_DETAIL_LOAD(_mm512);
      } else if constexpr (bytes == 32) {
        LANEFOLD_DETAIL_LOAD(_mm256);
      } else {
        LANEFOLD_DETAIL_LOAD(_mm);
      }
#undef LANEFOLD_DETAIL_LOAD
    } else
#endif
#if defined(LANEFOLD_DETAIL_AVX2)
        if constexpr (std::is_same_v<Isa, isa::avx2> && sizeof(T) >= 4) {
      const auto m = access_mask<T, traits::lanes>(b);
      if constexpr (bytes == 32) {
        if constexpr (sizeof(T) == 4)
          return to_register<R>(_mm256_maskload_epi32(reinterpret_cast<const int*>(p), (__m256i)m));
        else
          return to_register<R>(_mm256_maskload_epi64(reinterpret_cast<const long long*>(p), (__m256i)m));
      } else {
        if constexpr (sizeof(T) == 4)
          return to_register<R>(_mm_maskload_epi32(reinterpret_cast<const int*>(p), (__m128i)m));
        else
          return to_register<R>(_mm_maskload_epi64(reinterpret_cast<const long long*>(p), (__m128i)m));
      }
    } else
#endif
    {
      if (b == full_bits<traits::lanes>)
        return load_register<R>(p);
      T lanes[traits::lanes] = {};
      for_bits(b, [&](std::size_t i) { lanes[i] = p[i]; });
      return load_register<R>(lanes);
    }
  }
}

#if defined(LANEFOLD_DETAIL_AVX512)
/// Returns the same value, for a masked store. g++ 12 merges the extraction of a part of a register and its masked
/// store into one `vextract… (mem){k}`, which, unlike masked moves, faults on lanes that are not set (Intel SDM,
/// exception class E6NF): this function keeps the two apart.
template <class V>
LANEFOLD_ALWAYS_INLINE V own_register(V x) {
#if !defined(__clang__)
  if constexpr (sizeof(V) < 64)
    asm("" : "+v"(x));
#endif
  return x;
}
#endif

template <class Isa, class R, class T, class Bits>
LANEFOLD_ALWAYS_INLINE void store_register(const R& r, T* p, Bits b) {
  using traits = register_traits<R>;
  if constexpr (!traits::is_vector) {
    if (b != 0)
      *p = r;
  } else {
    [[maybe_unused]] constexpr std::size_t bytes = sizeof(T) * traits::lanes;
#if defined(LANEFOLD_DETAIL_AVX512)
    if constexpr (std::is_same_v<Isa, isa::avx512>) {
      const auto x = own_register(r.data);
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
      if constexpr (bytes == 64) {
        LANEFOLD_DETAIL_STORE(_mm512, __m512);
      } else if constexpr (bytes == 32) {
        LANEFOLD_DETAIL_STORE(_mm256, __m256);
      } else {
        LANEFOLD_DETAIL_STORE(_mm, __m128);
      }
#undef LANEFOLD_DETAIL_STORE
    } else
#endif
#if defined(LANEFOLD_DETAIL_AVX2)
        if constexpr (std::is_same_v<Isa, isa::avx2> && sizeof(T) >= 4) {
      const auto m = access_mask<T, traits::lanes>(b);
      if constexpr (bytes == 32) {
        if constexpr (sizeof(T) == 4)
          _mm256_maskstore_epi32(reinterpret_cast<int*>(p), (__m256i)m, (__m256i)r.data);
        else
          _mm256_maskstore_epi64(reinterpret_cast<long long*>(p), (__m256i)m, (__m256i)r.data);
      } else {
        if constexpr (sizeof(T) == 4)
          _mm_maskstore_epi32(reinterpret_cast<int*>(p), (__m128i)m, (__m128i)r.data);
        else
          _mm_maskstore_epi64(reinterpret_cast<long long*>(p), (__m128i)m, (__m128i)r.data);
      }
    } else
#endif
    {
      if (b == full_bits<traits::lanes>) {
        store_register(r, p);
      } else {
        T lanes[traits::lanes];
        store_register(r, lanes);
        for_bits(b, [&](std::size_t i) { p[i] = lanes[i]; });
      }
    }
  }
}

} // namespace detail

LANEFOLD_END_NAMESPACE
