// SPDX-License-Identifier: Apache-2.0
/// Functions of registers of doubles that libmvec, the vector library of glibc, has better than xsimd: exponentials and
/// logarithms where there are no instructions between doubles and integers of 64 bits, which only registers of AVX-512
/// have, cube roots and powers. With SSE2 they take 0.3 to 0.5 of the time, with AVX2 0.3 to 0.5 (AMD Zen 5). Internal.
#pragma once

#include <lanefold/simd/isa/xsimd.hpp>

#if defined(__x86_64__) && defined(LANEFOLD_DETAIL_SSE2) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 35)
#define LANEFOLD_DETAIL_LIBMVEC_REGISTERS
#endif
#endif

LANEFOLD_BEGIN_NAMESPACE

namespace detail::libmvec {

#if defined(LANEFOLD_DETAIL_LIBMVEC_REGISTERS)
// By the vector ABI of x86-64, b is SSE, d AVX2 and e AVX-512, with so many doubles.
#define LANEFOLD_DETAIL_CALL(name, symbol, type)                                                                       \
  extern "C" type symbol(type);                                                                                        \
  LANEFOLD_ALWAYS_INLINE type called_##name(type x) { return symbol(x); }
#if defined(LANEFOLD_DETAIL_AVX2)
#define LANEFOLD_DETAIL_CALLS(name)                                                                                    \
  LANEFOLD_DETAIL_CALL(name, _ZGVbN2v_##name, __m128d)                                                                 \
  LANEFOLD_DETAIL_CALL(name, _ZGVdN4v_##name, __m256d)
#else
#define LANEFOLD_DETAIL_CALLS(name) LANEFOLD_DETAIL_CALL(name, _ZGVbN2v_##name, __m128d)
#endif
#define LANEFOLD_DETAIL_OF_DOUBLES(name, most)                                                                         \
  LANEFOLD_DETAIL_CALLS(name)                                                                                          \
  using xsimd::name;                                                                                                   \
  template <class A>                                                                                                   \
    requires(xsimd::batch<double, A>::size <= most)                                                                    \
  LANEFOLD_ALWAYS_INLINE xsimd::batch<double, A> name(const xsimd::batch<double, A>& x) {                              \
    return called_##name(x.data);                                                                                      \
  }
LANEFOLD_DETAIL_OF_DOUBLES(acos, 4)
LANEFOLD_DETAIL_OF_DOUBLES(cosh, 4)
LANEFOLD_DETAIL_OF_DOUBLES(exp, 4)
LANEFOLD_DETAIL_OF_DOUBLES(exp10, 4)
LANEFOLD_DETAIL_OF_DOUBLES(exp2, 4)
LANEFOLD_DETAIL_OF_DOUBLES(expm1, 4)
LANEFOLD_DETAIL_OF_DOUBLES(log, 4)
LANEFOLD_DETAIL_OF_DOUBLES(log10, 4)
LANEFOLD_DETAIL_OF_DOUBLES(log1p, 4)
LANEFOLD_DETAIL_OF_DOUBLES(log2, 4)
#if defined(LANEFOLD_DETAIL_AVX512)
LANEFOLD_DETAIL_CALL(cbrt, _ZGVeN8v_cbrt, __m512d)
#endif
LANEFOLD_DETAIL_OF_DOUBLES(cbrt, 8)

// Of powers xsimd's are not exact enough, so that these have a name of their own.
#define LANEFOLD_DETAIL_POWER(symbol, type)                                                                            \
  extern "C" type symbol(type, type);                                                                                  \
  LANEFOLD_ALWAYS_INLINE type called_pow(type x, type y) { return symbol(x, y); }
LANEFOLD_DETAIL_POWER(_ZGVbN2vv_pow, __m128d)
#if defined(LANEFOLD_DETAIL_AVX2)
LANEFOLD_DETAIL_POWER(_ZGVdN4vv_pow, __m256d)
#endif
#if defined(LANEFOLD_DETAIL_AVX512)
LANEFOLD_DETAIL_POWER(_ZGVeN8vv_pow, __m512d)
#endif
#undef LANEFOLD_DETAIL_POWER
template <class A>
LANEFOLD_ALWAYS_INLINE xsimd::batch<double, A> power(const xsimd::batch<double, A>& x,
                                                     const xsimd::batch<double, A>& y) {
  return called_pow(x.data, y.data);
}
#undef LANEFOLD_DETAIL_OF_DOUBLES
#undef LANEFOLD_DETAIL_CALLS
#undef LANEFOLD_DETAIL_CALL
#undef LANEFOLD_DETAIL_LIBMVEC_REGISTERS
#endif
using namespace functions_of_xsimd;

} // namespace detail::libmvec

LANEFOLD_END_NAMESPACE
