// SPDX-License-Identifier: Apache-2.0
/// NEON has fused operations; and here are the functions of one register that xsimd 8.1 has for AArch64, but not well
/// enough, under the names that it gives them. It takes the square roots and quotients of floats from estimates (two
/// units in the last place, infinity becomes NaN), within its own functions too, and loses the sign of -0 in roundings.
/// Internal.
#pragma once

#include <lanefold/simd/isa/generic.hpp>
#include <lanefold/simd/isa/xsimd.hpp>

#if defined(LANEFOLD_DETAIL_NEON)
#include <arm_neon.h>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

template <>
struct instructions<isa::neon> : instructions<isa::generic> {
  static constexpr bool has_fma = true;

  /// a * b + c, rounded once.
  template <class R>
  LANEFOLD_ALWAYS_INLINE static R fma(const R& a, const R& b, const R& c) {
    return xsimd::fma(a, b, c);
  }
};

namespace neon {

using namespace functions_of_xsimd;

#define LANEFOLD_DETAIL_NEON_FUNCTION(name, instruction)                                                               \
  LANEFOLD_ALWAYS_INLINE float32x4_t name##_of(float32x4_t v) { return instruction##_f32(v); }                         \
  LANEFOLD_ALWAYS_INLINE float64x2_t name##_of(float64x2_t v) { return instruction##_f64(v); }                         \
  template <class R>                                                                                                   \
  LANEFOLD_ALWAYS_INLINE R name(const R& r) {                                                                          \
    return R(name##_of(typename R::register_type(r)));                                                                 \
  }
LANEFOLD_DETAIL_NEON_FUNCTION(sqrt, vsqrtq)
LANEFOLD_DETAIL_NEON_FUNCTION(floor, vrndmq)
LANEFOLD_DETAIL_NEON_FUNCTION(ceil, vrndpq)
LANEFOLD_DETAIL_NEON_FUNCTION(trunc, vrndq)
LANEFOLD_DETAIL_NEON_FUNCTION(nearbyint, vrndiq)
#undef LANEFOLD_DETAIL_NEON_FUNCTION

// Floats as doubles: the instructions divide these exactly, and their square roots are exact.
#define LANEFOLD_DETAIL_NEON_BY_DOUBLES(name)                                                                          \
  template <class A, class... More>                                                                                    \
  LANEFOLD_ALWAYS_INLINE xsimd::batch<double, A> name(const xsimd::batch<double, A>& x, const More&... y) {            \
    return xsimd::name(x, y...);                                                                                       \
  }                                                                                                                    \
  template <class A, class... More>                                                                                    \
  LANEFOLD_ALWAYS_INLINE xsimd::batch<float, A> name(const xsimd::batch<float, A>& x, const More&... y) {              \
    using doubles = xsimd::batch<double, A>;                                                                           \
    const doubles low =                                                                                                \
        xsimd::name(doubles(vcvt_f64_f32(vget_low_f32(x))), doubles(vcvt_f64_f32(vget_low_f32(y)))...);                \
    const doubles high = xsimd::name(doubles(vcvt_high_f64_f32(x)), doubles(vcvt_high_f64_f32(y))...);                 \
    return xsimd::batch<float, A>(vcvt_high_f32_f64(vcvt_f32_f64(low), high));                                         \
  }
LANEFOLD_DETAIL_NEON_BY_DOUBLES(acos)
LANEFOLD_DETAIL_NEON_BY_DOUBLES(asin)
LANEFOLD_DETAIL_NEON_BY_DOUBLES(atan2)
LANEFOLD_DETAIL_NEON_BY_DOUBLES(cbrt)
#undef LANEFOLD_DETAIL_NEON_BY_DOUBLES

} // namespace neon

} // namespace detail

LANEFOLD_END_NAMESPACE

#endif
