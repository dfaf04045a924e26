// SPDX-License-Identifier: Apache-2.0
/// 1 / sqrt(x) of one register: the estimate of the instruction set, refined. Internal.
///
/// With y the estimate and e = 1 - x * y * y, 1 / sqrt(x) is y / sqrt(1 - e) = y + y * e * (1/2 + e * (3/8 + e * (5/16
/// … Newton's iteration keeps the first term. Two more terms cost less than its second step.
#pragma once

#include <lanefold/simd/detail/math_register.hpp>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push // explained in math_register.hpp
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

#if defined(LANEFOLD_DETAIL_AVX512)

// |e| < 2^-13. Where x is 0 or infinite e is NaN, and the estimate is already right.
#define LANEFOLD_DETAIL_RSQRT(prefix, vector)                                                                          \
  LANEFOLD_ALWAYS_INLINE vector estimated_rsqrt(vector x) {                                                            \
    const vector y = prefix##_rsqrt14_ps(x);                                                                           \
    const vector e = prefix##_fnmadd_ps(prefix##_mul_ps(x, y), y, prefix##_set1_ps(1.0F));                             \
    const vector u = prefix##_mul_ps(e, prefix##_set1_ps(0.5F));                                                       \
    return prefix##_mask_fmadd_ps(y, prefix##_cmp_ps_mask(e, e, _CMP_ORD_Q), u, y);                                    \
  }                                                                                                                    \
  LANEFOLD_ALWAYS_INLINE vector##d estimated_rsqrt(vector##d x) {                                                      \
    const vector##d y = prefix##_rsqrt14_pd(x);                                                                        \
    const vector##d e = prefix##_fnmadd_pd(prefix##_mul_pd(x, y), y, prefix##_set1_pd(1.0));                           \
    const vector##d p = prefix##_fmadd_pd(e, prefix##_set1_pd(0.3125), prefix##_set1_pd(0.375));                       \
    const vector##d u = prefix##_mul_pd(e, prefix##_fmadd_pd(e, p, prefix##_set1_pd(0.5)));                            \
    return prefix##_mask_fmadd_pd(y, prefix##_cmp_pd_mask(e, e, _CMP_ORD_Q), u, y);                                    \
  }
LANEFOLD_DETAIL_RSQRT(_mm, __m128)
LANEFOLD_DETAIL_RSQRT(_mm256, __m256)
LANEFOLD_DETAIL_RSQRT(_mm512, __m512)
#undef LANEFOLD_DETAIL_RSQRT

#endif

#if defined(LANEFOLD_DETAIL_SSE2)

/// 1 / sqrt(x), or the refined estimate where all lanes are finite. The estimate takes denormals for 0.
/// One branch that is never taken in practice: 0, infinite, negative and NaN make the refined estimate NaN, denormals
/// make it infinite.
LANEFOLD_ALWAYS_INLINE __m128 ordinary_rsqrt(__m128 x, __m128 refined) {
  const __m128 finite = _mm_sub_ps(refined, refined); // or NaN
  if (_mm_movemask_ps(_mm_cmpunord_ps(finite, finite)) != 0) [[unlikely]]
    return _mm_div_ps(_mm_set1_ps(1.0F), _mm_sqrt_ps(x));
  return refined;
}

// The estimate has a relative error of 1.5 * 2^-12: one term is not enough.
LANEFOLD_ALWAYS_INLINE __m128 unfused_rsqrt(__m128 x) {
  const __m128 y = _mm_rsqrt_ps(x);
  const __m128 e = _mm_sub_ps(_mm_set1_ps(1.0F), _mm_mul_ps(_mm_mul_ps(x, y), y));
  const __m128 p = _mm_add_ps(_mm_mul_ps(e, _mm_set1_ps(0.375F)), _mm_set1_ps(0.5F));
  return ordinary_rsqrt(x, _mm_add_ps(y, _mm_mul_ps(y, _mm_mul_ps(e, p))));
}

#endif

#if defined(LANEFOLD_DETAIL_AVX2)

LANEFOLD_ALWAYS_INLINE __m256 ordinary_rsqrt(__m256 x, __m256 refined) {
  const __m256 finite = _mm256_sub_ps(refined, refined); // or NaN
  if (_mm256_movemask_ps(_mm256_cmp_ps(finite, finite, _CMP_UNORD_Q)) != 0) [[unlikely]]
    return _mm256_div_ps(_mm256_set1_ps(1.0F), _mm256_sqrt_ps(x));
  return refined;
}

#define LANEFOLD_DETAIL_RSQRT(prefix, vector)                                                                          \
  LANEFOLD_ALWAYS_INLINE vector fused_rsqrt(vector x) {                                                                \
    const vector y = prefix##_rsqrt_ps(x);                                                                             \
    const vector e = prefix##_fnmadd_ps(prefix##_mul_ps(x, y), y, prefix##_set1_ps(1.0F));                             \
    const vector p = prefix##_fmadd_ps(e, prefix##_set1_ps(0.375F), prefix##_set1_ps(0.5F));                           \
    return ordinary_rsqrt(x, prefix##_fmadd_ps(prefix##_mul_ps(e, p), y, y));                                          \
  }
LANEFOLD_DETAIL_RSQRT(_mm, __m128)
LANEFOLD_DETAIL_RSQRT(_mm256, __m256)
#undef LANEFOLD_DETAIL_RSQRT

#endif

struct register_rsqrt {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& x) const {
    using T = element_t<R>;
#if defined(LANEFOLD_DETAIL_AVX512)
    if constexpr (is_vector<R> && std::is_same_v<Isa, isa::avx512>)
      return R(estimated_rsqrt(typename R::register_type(x)));
    else
#endif
#if defined(LANEFOLD_DETAIL_AVX2)
        if constexpr (is_vector<R> && std::is_same_v<Isa, isa::avx2> && std::is_same_v<T, float>)
      return R(fused_rsqrt(typename R::register_type(x)));
    else
#endif
#if defined(LANEFOLD_DETAIL_SSE2)
        if constexpr (is_vector<R> && std::is_same_v<Isa, isa::sse2> && std::is_same_v<T, float>)
      return R(unfused_rsqrt(x));
    else
#endif
      return register_divide{}.template operator()<Isa>(R(T(1)), register_sqrt{}.template operator()<Isa>(x));
  }
};

} // namespace detail

LANEFOLD_END_NAMESPACE

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
