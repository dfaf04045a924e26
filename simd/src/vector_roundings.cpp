// SPDX-License-Identifier: Apache-2.0
/// floor, ceil and trunc of registers, under the names by which g++ calls them from loops (isa/number_functions.hpp):
/// by the vector ABI of x86-64, b is SSE, c AVX, d AVX2 and e AVX-512, with so many numbers. A source file that is
/// compiled for an instruction set calls those of that one. Weak: a later libmvec may have them. Not with clang, which
/// calls none, and would take arguments from memory.
#if defined(__x86_64__) && !defined(__clang__)
#include <immintrin.h>

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wuninitialized" // explained in isa/avx512.hpp
#endif

#define LANEFOLD_ROUNDING(name, set, isa, lanes, suffix, type, round, mode)                                            \
  extern "C" __attribute__((weak, target(isa))) type _ZGV##set##N##lanes##v_##name##suffix(type x);                    \
  type _ZGV##set##N##lanes##v_##name##suffix(type x) { return round(x, (mode) | _MM_FROUND_NO_EXC); }
#define LANEFOLD_ROUNDINGS(name, mode)                                                                                 \
  LANEFOLD_ROUNDING(name, b, "sse4.1", 4, f, __m128, _mm_round_ps, mode)                                               \
  LANEFOLD_ROUNDING(name, b, "sse4.1", 2, , __m128d, _mm_round_pd, mode)                                               \
  LANEFOLD_ROUNDING(name, c, "avx", 8, f, __m256, _mm256_round_ps, mode)                                               \
  LANEFOLD_ROUNDING(name, c, "avx", 4, , __m256d, _mm256_round_pd, mode)                                               \
  LANEFOLD_ROUNDING(name, d, "avx2", 8, f, __m256, _mm256_round_ps, mode)                                              \
  LANEFOLD_ROUNDING(name, d, "avx2", 4, , __m256d, _mm256_round_pd, mode)                                              \
  LANEFOLD_ROUNDING(name, e, "avx512f", 16, f, __m512, _mm512_roundscale_ps, mode)                                     \
  LANEFOLD_ROUNDING(name, e, "avx512f", 8, , __m512d, _mm512_roundscale_pd, mode)
LANEFOLD_ROUNDINGS(ceil, _MM_FROUND_TO_POS_INF)
LANEFOLD_ROUNDINGS(floor, _MM_FROUND_TO_NEG_INF)
LANEFOLD_ROUNDINGS(trunc, _MM_FROUND_TO_ZERO)
#endif
