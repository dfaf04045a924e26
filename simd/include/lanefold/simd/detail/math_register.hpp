// SPDX-License-Identifier: Apache-2.0
/// Arithmetic on one register (or plain scalar): what the instruction sets have one or a few instructions for. Internal.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <lanefold/simd/detail/register_bits.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// Calls the intrinsic of the width of the register: prefix_mm{,256,512}_name_p{s,d}, arguments as vectors.
#define LANEFOLD_DETAIL_BY_TYPE(prefix, name, vector, ...)                                                             \
  if constexpr (std::is_same_v<T, float>)                                                                              \
    return to_register<R>(prefix##_##name##_ps(__VA_ARGS__));                                                          \
  else                                                                                                                 \
    return to_register<R>(prefix##_##name##_pd(__VA_ARGS__))

/// f of each lane, through memory: where an instruction set has nothing.
template <class R, class F, class... Rest>
LANEFOLD_ALWAYS_INLINE R each_lane(F f, const R& r, const Rest&... rest) {
  if constexpr (!register_traits<R>::is_vector) {
    return static_cast<R>(f(r, rest...));
  } else {
    auto v = to_vector(r);
    for (std::size_t i = 0; i < register_traits<R>::lanes; ++i)
      v[i] = f(static_cast<typename register_traits<R>::element>(v[i]), to_vector(rest)[i]...);
    return to_register<R>(v);
  }
}

/// a * b + c, rounded once.
struct register_fma {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& a, const R& b, const R& c) const {
    if constexpr (!register_traits<R>::is_vector)
      return std::fma(a, b, c);
#if defined(LANEFOLD_DETAIL_XSIMD)
    else if constexpr (!std::is_same_v<Isa, isa::sse2>)
      return xsimd::fma(a, b, c);
#endif
    else
      return each_lane([](auto x, auto y, auto z) LANEFOLD_INLINE_LAMBDA { return std::fma(x, y, z); }, a, b, c);
  }
};

struct register_sqrt {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& a) const {
    if constexpr (!register_traits<R>::is_vector)
      return std::sqrt(a);
#if defined(LANEFOLD_DETAIL_XSIMD)
    else
      return xsimd::sqrt(a);
#endif
  }
};

/// b < a ? b : a
struct register_min {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& a, const R& b) const {
    using T = typename register_traits<R>::element;
    if constexpr (!register_traits<R>::is_vector) {
      return b < a ? b : a;
    } else {
      const auto x = to_vector(a), y = to_vector(b);
#if defined(LANEFOLD_DETAIL_SSE2)
      // min(y, x) as the instruction defines it; the compilers do not make it of a comparison of vectors.
      if constexpr (std::is_floating_point_v<T>) {
        if constexpr (sizeof(x) == 16) {
          if constexpr (sizeof(T) == 4)
            return to_register<R>(_mm_min_ps((__m128)y, (__m128)x));
          else
            return to_register<R>(_mm_min_pd((__m128d)y, (__m128d)x));
        }
#if defined(LANEFOLD_DETAIL_AVX2)
        else if constexpr (sizeof(x) == 32) {
          if constexpr (sizeof(T) == 4)
            return to_register<R>(_mm256_min_ps((__m256)y, (__m256)x));
          else
            return to_register<R>(_mm256_min_pd((__m256d)y, (__m256d)x));
        }
#endif
#if defined(LANEFOLD_DETAIL_AVX512)
        else {
          if constexpr (sizeof(T) == 4)
            return to_register<R>(_mm512_min_ps((__m512)y, (__m512)x));
          else
            return to_register<R>(_mm512_min_pd((__m512d)y, (__m512d)x));
        }
#endif
      } else
#endif
        return to_register<R>(y < x ? y : x);
    }
  }
};

/// a < b ? b : a
struct register_max {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& a, const R& b) const {
    using T = typename register_traits<R>::element;
    if constexpr (!register_traits<R>::is_vector) {
      return a < b ? b : a;
    } else {
      const auto x = to_vector(a), y = to_vector(b);
#if defined(LANEFOLD_DETAIL_SSE2)
      if constexpr (std::is_floating_point_v<T>) {
        if constexpr (sizeof(x) == 16) {
          if constexpr (sizeof(T) == 4)
            return to_register<R>(_mm_max_ps((__m128)y, (__m128)x));
          else
            return to_register<R>(_mm_max_pd((__m128d)y, (__m128d)x));
        }
#if defined(LANEFOLD_DETAIL_AVX2)
        else if constexpr (sizeof(x) == 32) {
          if constexpr (sizeof(T) == 4)
            return to_register<R>(_mm256_max_ps((__m256)y, (__m256)x));
          else
            return to_register<R>(_mm256_max_pd((__m256d)y, (__m256d)x));
        }
#endif
#if defined(LANEFOLD_DETAIL_AVX512)
        else {
          if constexpr (sizeof(T) == 4)
            return to_register<R>(_mm512_max_ps((__m512)y, (__m512)x));
          else
            return to_register<R>(_mm512_max_pd((__m512d)y, (__m512d)x));
        }
#endif
      } else
#endif
        return to_register<R>(x < y ? y : x);
    }
  }
};

#undef LANEFOLD_DETAIL_BY_TYPE

} // namespace detail

LANEFOLD_END_NAMESPACE
