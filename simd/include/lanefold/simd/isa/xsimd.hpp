// SPDX-License-Identifier: Apache-2.0
/// xsimd as programs of users can compile it (with their warnings, and without optimisation), and which of its batches
/// is the register of an element type and an instruction set. Internal.
#pragma once

#include <cmath>
#include <cstddef>

#include <lanefold/simd/detail/vectors.hpp>
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

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// The register for `Bytes` bytes under `Isa`, or void where the instruction set has none of that size.
template <class Isa, std::size_t Bytes>
struct architecture {
  using type = void;
};
#if defined(LANEFOLD_DETAIL_SSE2)
template <>
struct architecture<isa::sse2, 16> {
  using type = xsimd::sse2;
};
#endif
#if defined(LANEFOLD_DETAIL_AVX2)
template <>
struct architecture<isa::avx2, 16> {
  using type = xsimd::sse4_2;
};
template <>
struct architecture<isa::avx2, 32> {
  using type = xsimd::fma3<xsimd::avx2>;
};
#endif
#if defined(LANEFOLD_DETAIL_AVX512)
template <>
struct architecture<isa::avx512, 16> : architecture<isa::avx2, 16> {};
template <>
struct architecture<isa::avx512, 32> : architecture<isa::avx2, 32> {};
template <>
struct architecture<isa::avx512, 64> {
  using type = xsimd::avx512bw;
};
#endif
#if defined(LANEFOLD_DETAIL_NEON)
template <>
struct architecture<isa::neon, 16> {
  using type = xsimd::neon64;
};
#endif

/// `Lanes` lanes of T as a register of Isa; one lane is a plain T.
template <class T, std::size_t Lanes, class Isa>
struct register_of {
#if defined(LANEFOLD_DETAIL_XSIMD)
  using type = xsimd::batch<canonical_t<T>, typename architecture<Isa, sizeof(T) * Lanes>::type>;
#endif
};
template <class T, class Isa>
struct register_of<T, 1, Isa> {
  using type = T;
};

template <class R>
struct register_traits {
  using element = R;
  static constexpr std::size_t lanes = 1;
  static constexpr bool is_vector = false;
};
#if defined(LANEFOLD_DETAIL_XSIMD)
template <class T, class A>
struct register_traits<xsimd::batch<T, A>> {
  using element = T;
  static constexpr std::size_t lanes = xsimd::batch<T, A>::size;
  static constexpr bool is_vector = true;
};
#endif

template <class R>
using element_t = typename register_traits<R>::element;
template <class R>
inline constexpr bool is_vector = register_traits<R>::is_vector;

/// The register as a vector of the compiler; a plain scalar is itself.
template <class R>
LANEFOLD_ALWAYS_INLINE auto to_vector(const R& r) {
  if constexpr (is_vector<R>)
    return (vector_t<typename R::value_type, R::size>)(r.data);
  else
    return r;
}

/// The register R made of a vector of the compiler with the same bits, or of a plain scalar.
template <class R, class V>
LANEFOLD_ALWAYS_INLINE R to_register(V v) {
  if constexpr (is_vector<R>)
    return R((typename R::register_type)v);
  else
    return static_cast<R>(v);
}

/// xsimd's functions of one register. isa/neon.hpp has some of them better; without xsimd they are names that nothing
/// calls.
namespace functions_of_xsimd {
#if defined(LANEFOLD_DETAIL_XSIMD)
using namespace xsimd;
#else
using namespace std;
template <class R>
R exp10(const R&) = delete;
#endif
void power(); ///< is of no registers: xsimd's powers are not exact enough
} // namespace functions_of_xsimd

} // namespace detail

LANEFOLD_END_NAMESPACE
