// SPDX-License-Identifier: Apache-2.0
/// libmvec's functions of registers under a mask, by the names by which g++ calls them from loops with conditions
/// (isa/number_functions.hpp, g++ 14 and later): by the vector ABI of x86-64, b is SSE, c AVX, d AVX2 and e AVX-512,
/// with so many numbers. Lanes that are masked out get a harmless number, for which libmvec takes no slow way. A source
/// file that is compiled for an instruction set calls those of that one. Weak: a later libmvec may have them. Not with
/// clang, which calls none, and would take arguments from memory.
#if defined(__x86_64__) && defined(__linux__) && !defined(__clang__)
#include <features.h>
#if defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 35)
#include <immintrin.h>

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wuninitialized" // explained in isa/avx512.hpp
#endif

// These choose x where the mask is set, and `other` elsewhere. A mask of SSE or AVX is a register of numbers, set where
// they are not 0.
#define LANEFOLD_CHOSEN_SSE(x, mask, other, kind)                                                                      \
  _mm_or_##kind(_mm_and_##kind(_mm_cmpneq_##kind(mask, _mm_setzero_##kind()), x),                                      \
                _mm_andnot_##kind(_mm_cmpneq_##kind(mask, _mm_setzero_##kind()), _mm_set1_##kind(other)))
#define LANEFOLD_CHOSEN_AVX(x, mask, other, kind)                                                                      \
  _mm256_blendv_##kind(_mm256_set1_##kind(other), x, _mm256_cmp_##kind(mask, _mm256_setzero_##kind(), _CMP_NEQ_UQ))
#define LANEFOLD_CHOSEN_b4(x, mask, other) LANEFOLD_CHOSEN_SSE(x, mask, other, ps)
#define LANEFOLD_CHOSEN_b2(x, mask, other) LANEFOLD_CHOSEN_SSE(x, mask, other, pd)
#define LANEFOLD_CHOSEN_c8(x, mask, other) LANEFOLD_CHOSEN_AVX(x, mask, other, ps)
#define LANEFOLD_CHOSEN_c4(x, mask, other) LANEFOLD_CHOSEN_AVX(x, mask, other, pd)
#define LANEFOLD_CHOSEN_d8 LANEFOLD_CHOSEN_c8
#define LANEFOLD_CHOSEN_d4 LANEFOLD_CHOSEN_c4
#define LANEFOLD_CHOSEN_e16(x, mask, other) _mm512_mask_mov_ps(_mm512_set1_ps(other), static_cast<__mmask16>(mask), x)
#define LANEFOLD_CHOSEN_e8(x, mask, other) _mm512_mask_mov_pd(_mm512_set1_pd(other), static_cast<__mmask8>(mask), x)

#define LANEFOLD_MASKED_1(name, set, isa, lanes, type, mask_type, other)                                               \
  extern "C" __attribute__((target(isa))) type _ZGV##set##N##lanes##v_##name(type x);                                  \
  extern "C" __attribute__((weak, target(isa))) type _ZGV##set##M##lanes##v_##name(type x, mask_type mask);            \
  type _ZGV##set##M##lanes##v_##name(type x, mask_type mask) {                                                         \
    return _ZGV##set##N##lanes##v_##name(LANEFOLD_CHOSEN_##set##lanes(x, mask, other));                                \
  }
#define LANEFOLD_MASKED_2(name, set, isa, lanes, type, mask_type, other)                                               \
  extern "C" __attribute__((target(isa))) type _ZGV##set##N##lanes##vv_##name(type x, type y);                         \
  extern "C" __attribute__((weak, target(isa))) type _ZGV##set##M##lanes##vv_##name(type x, type y, mask_type mask);   \
  type _ZGV##set##M##lanes##vv_##name(type x, type y, mask_type mask) {                                                \
    return _ZGV##set##N##lanes##vv_##name(LANEFOLD_CHOSEN_##set##lanes(x, mask, other),                                \
                                          LANEFOLD_CHOSEN_##set##lanes(y, mask, other));                               \
  }
#define LANEFOLD_MASKED_FLOATS(masked, name, other)                                                                    \
  masked(name, b, "sse2", 4, __m128, __m128, other) masked(name, c, "avx", 8, __m256, __m256, other)                   \
      masked(name, d, "avx2", 8, __m256, __m256, other) masked(name, e, "avx512f", 16, __m512, unsigned, other)
#define LANEFOLD_MASKED_DOUBLES(masked, name, other)                                                                   \
  masked(name, b, "sse2", 2, __m128d, __m128d, other) masked(name, c, "avx", 4, __m256d, __m256d, other)               \
      masked(name, d, "avx2", 4, __m256d, __m256d, other) masked(name, e, "avx512f", 8, __m512d, unsigned, other)
#define LANEFOLD_MASKED(masked, name, other)                                                                           \
  LANEFOLD_MASKED_FLOATS(masked, name##f, other) LANEFOLD_MASKED_DOUBLES(masked, name, other)

// clang-format off: one function a line
LANEFOLD_MASKED(LANEFOLD_MASKED_1, acos, 0.5F)
LANEFOLD_MASKED(LANEFOLD_MASKED_1, acosh, 2)
LANEFOLD_MASKED(LANEFOLD_MASKED_1, asin, 0.5F)
LANEFOLD_MASKED(LANEFOLD_MASKED_1, asinh, 0.5F)
LANEFOLD_MASKED(LANEFOLD_MASKED_1, atan, 0.5F)
LANEFOLD_MASKED(LANEFOLD_MASKED_2, atan2, 0.5F)
LANEFOLD_MASKED(LANEFOLD_MASKED_1, atanh, 0.5F)
LANEFOLD_MASKED_DOUBLES(LANEFOLD_MASKED_1, cbrt, 0.5F)
LANEFOLD_MASKED(LANEFOLD_MASKED_1, cos, 0.5F)
LANEFOLD_MASKED(LANEFOLD_MASKED_1, cosh, 0.5F)
LANEFOLD_MASKED(LANEFOLD_MASKED_1, erf, 0.5F)
LANEFOLD_MASKED(LANEFOLD_MASKED_1, erfc, 0.5F)
LANEFOLD_MASKED(LANEFOLD_MASKED_1, exp, 0.5F)
LANEFOLD_MASKED(LANEFOLD_MASKED_1, exp10, 0.5F)
LANEFOLD_MASKED(LANEFOLD_MASKED_1, exp2, 0.5F)
LANEFOLD_MASKED(LANEFOLD_MASKED_1, expm1, 0.5F)
LANEFOLD_MASKED(LANEFOLD_MASKED_2, hypot, 0.5F)
LANEFOLD_MASKED(LANEFOLD_MASKED_1, log, 0.5F)
LANEFOLD_MASKED(LANEFOLD_MASKED_1, log10, 0.5F)
LANEFOLD_MASKED(LANEFOLD_MASKED_1, log1p, 0.5F)
LANEFOLD_MASKED(LANEFOLD_MASKED_1, log2, 0.5F)
LANEFOLD_MASKED(LANEFOLD_MASKED_2, pow, 0.5F)
LANEFOLD_MASKED(LANEFOLD_MASKED_1, sin, 0.5F)
LANEFOLD_MASKED(LANEFOLD_MASKED_1, sinh, 0.5F)
LANEFOLD_MASKED(LANEFOLD_MASKED_1, tan, 0.5F)
LANEFOLD_MASKED(LANEFOLD_MASKED_1, tanh, 0.5F)
// clang-format on
#endif
#endif
#endif
