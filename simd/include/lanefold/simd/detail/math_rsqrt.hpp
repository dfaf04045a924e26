// SPDX-License-Identifier: Apache-2.0
/// 1 / sqrt(x) of one register by the estimate of the instruction set and Newton's iteration. Internal.
#pragma once

#include <lanefold/simd/detail/math_register.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

#if defined(LANEFOLD_DETAIL_AVX512)

/// y0 is an estimate of 1 / sqrt(x) with a relative error of 2^-14, e = 1 - x * y0 * y0. With float one step of Newton's
/// iteration, y0 * (1 + e / 2); with double two more terms of the same series, which is cheaper than a second step:
/// y0 * (1 + e * (1/2 + e * (3/8 + e * 5/16))). Where x is 0 or infinite e is NaN and the estimate is the result.
#define LANEFOLD_DETAIL_RSQRT(prefix, bits, register_ps, register_pd)                                                  \
  LANEFOLD_ALWAYS_INLINE register_ps refined_rsqrt(register_ps x) {                                                    \
    const register_ps y = prefix##_rsqrt14_ps_(x);                                                                     \
    const register_ps e = prefix##_fnmadd_ps(prefix##_mul_ps(x, y), y, prefix##_set1_ps(1.0F));                        \
    const register_ps u = prefix##_mul_ps(e, prefix##_set1_ps(0.5F));                                                  \
    return prefix##_mask_fmadd_ps(y, prefix##_cmp_ps_mask(e, e, _CMP_ORD_Q), u, y);                                    \
  }                                                                                                                    \
  LANEFOLD_ALWAYS_INLINE register_pd refined_rsqrt(register_pd x) {                                                    \
    const register_pd y = prefix##_rsqrt14_pd_(x);                                                                     \
    const register_pd e = prefix##_fnmadd_pd(prefix##_mul_pd(x, y), y, prefix##_set1_pd(1.0));                         \
    const register_pd p = prefix##_fmadd_pd(e, prefix##_set1_pd(0.3125), prefix##_set1_pd(0.375));                     \
    const register_pd u = prefix##_mul_pd(e, prefix##_fmadd_pd(e, p, prefix##_set1_pd(0.5)));                          \
    return prefix##_mask_fmadd_pd(y, prefix##_cmp_pd_mask(e, e, _CMP_ORD_Q), u, y);                                    \
  }
#define _mm_rsqrt14_ps_ _mm_rsqrt14_ps
#undef _mm_rsqrt14_ps_
#undef LANEFOLD_DETAIL_RSQRT

#endif

} // namespace detail

LANEFOLD_END_NAMESPACE
