// SPDX-License-Identifier: Apache-2.0
/// xsimd as programs of users can compile it: with their warnings, and without optimisation. Internal.
#pragma once

#include <lanefold/simd/isa.hpp>

#if defined(LANEFOLD_DETAIL_SSE2) || defined(LANEFOLD_DETAIL_NEON)
#define LANEFOLD_DETAIL_XSIMD 1

#if defined(__GNUC__) && !defined(__clang__)
// g++ 12 warns about the undefined operand that it passes itself in many 64-byte intrinsics, wherever xsimd uses them.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#if defined(LANEFOLD_DETAIL_AVX512) && !defined(__OPTIMIZE__)
// Without optimisation these two are macros that take vectors only, and xsimd 8.1 passes its batches.
#define LANEFOLD_DETAIL_BLEND_MACROS 1
#include <immintrin.h>
#pragma push_macro("_mm512_mask_blend_epi8")
#pragma push_macro("_mm512_mask_blend_epi16")
#undef _mm512_mask_blend_epi8
#undef _mm512_mask_blend_epi16
#define _mm512_mask_blend_epi8(bits, no, yes)                                                                          \
  ((__m512i)__builtin_ia32_blendmb_512_mask((__v64qi)(__m512i)(no), (__v64qi)(__m512i)(yes), (__mmask64)(bits)))
#define _mm512_mask_blend_epi16(bits, no, yes)                                                                         \
  ((__m512i)__builtin_ia32_blendmw_512_mask((__v32hi)(__m512i)(no), (__v32hi)(__m512i)(yes), (__mmask32)(bits)))
#endif
#endif

#include <xsimd/xsimd.hpp>

#if defined(LANEFOLD_DETAIL_BLEND_MACROS)
#undef LANEFOLD_DETAIL_BLEND_MACROS
#pragma pop_macro("_mm512_mask_blend_epi16")
#pragma pop_macro("_mm512_mask_blend_epi8")
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
