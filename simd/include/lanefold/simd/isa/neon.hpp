// SPDX-License-Identifier: Apache-2.0
/// The functions of one register that AArch64 has an instruction for, under the names that xsimd gives them. xsimd 8.1
/// takes the square root of floats from an estimate (two units in the last place, infinity becomes NaN) and loses the
/// sign of -0 in roundings. Internal.
#pragma once

#include <lanefold/simd/isa.hpp>

#if defined(LANEFOLD_DETAIL_NEON)
#include <arm_neon.h>

LANEFOLD_BEGIN_NAMESPACE

namespace detail::neon {

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

} // namespace detail::neon

LANEFOLD_END_NAMESPACE

#endif
