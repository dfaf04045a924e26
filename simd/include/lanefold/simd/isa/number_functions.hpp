// SPDX-License-Identifier: Apache-2.0
/// Elementary functions of numbers that compilers can take for several numbers at once. Internal.
///
/// Those of <cmath> may set errno, so that a loop that calls one stays scalar. Those below set none, and g++ is told
/// that libmvec, the vector library of glibc, has each of them for registers of numbers: loops over the work-items of
/// plain kernels become loops over registers, also where a kernel calls them under a condition. Alone they are those of
/// <cmath>, for registers within the errors that SYCL allows [sycl.4.17.5], measured for a 97th of all floats and
/// 400,000 registers of doubles with SSE, AVX2 and AVX-512: at most 3 ulp, but sin, cos, erf 4 and tan 4. What libmvec
/// has for floats with more than SYCL allows (log 3.9, log10 3.2, exp10 3.8, cbrt 2.9 ulp) is computed in double.
#pragma once

#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>

#include <lanefold/simd/detail/vectors.hpp>

// With -ffast-math glibc says the same.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC_PREREQ) &&                      \
    !defined(__FAST_MATH__)
#if __GLIBC_PREREQ(2, 35)
#define LANEFOLD_DETAIL_LIBMVEC_NUMBERS
#if __GNUC__ < 14
// The compiler's own names, since g++ 12 and 13 make conditions masks only around those.
#define LANEFOLD_DETAIL_LINKED(name) __builtin_##name
#define LANEFOLD_DETAIL_LINKS(name) __attribute__((const, simd("notinbranch")))
#else
// Names beside the compiler's, whose pass sccopy may crash if those are const (decision 079). These have forms with a
// mask, which are in vector_masks.cpp.
#define LANEFOLD_DETAIL_LINKED(name) lanefold_##name
#define LANEFOLD_DETAIL_LINKS(name) __asm__(#name) __attribute__((const, simd))
#endif
#define LANEFOLD_DETAIL_VECTORIZED_1(name)                                                                             \
  float LANEFOLD_DETAIL_LINKED(name##f)(float) noexcept LANEFOLD_DETAIL_LINKS(name##f);                                \
  double LANEFOLD_DETAIL_LINKED(name)(double) noexcept LANEFOLD_DETAIL_LINKS(name);
#define LANEFOLD_DETAIL_VECTORIZED_2(name)                                                                             \
  float LANEFOLD_DETAIL_LINKED(name##f)(float, float) noexcept LANEFOLD_DETAIL_LINKS(name##f);                         \
  double LANEFOLD_DETAIL_LINKED(name)(double, double) noexcept LANEFOLD_DETAIL_LINKS(name);
#define LANEFOLD_DETAIL_ROUNDING(name)                                                                                 \
  float __builtin_##name##f(float) noexcept __attribute__((const, simd("notinbranch")));                               \
  double __builtin_##name(double) noexcept __attribute__((const, simd("notinbranch")));
extern "C" {
LANEFOLD_DETAIL_VECTORIZED_1(acos)
LANEFOLD_DETAIL_VECTORIZED_1(acosh)
LANEFOLD_DETAIL_VECTORIZED_1(asin)
LANEFOLD_DETAIL_VECTORIZED_1(asinh)
LANEFOLD_DETAIL_VECTORIZED_1(atan)
LANEFOLD_DETAIL_VECTORIZED_2(atan2)
LANEFOLD_DETAIL_VECTORIZED_1(atanh)
double LANEFOLD_DETAIL_LINKED(cbrt)(double) noexcept LANEFOLD_DETAIL_LINKS(cbrt);
LANEFOLD_DETAIL_VECTORIZED_1(cos)
LANEFOLD_DETAIL_VECTORIZED_1(cosh)
LANEFOLD_DETAIL_VECTORIZED_1(erf)
LANEFOLD_DETAIL_VECTORIZED_1(erfc)
LANEFOLD_DETAIL_VECTORIZED_1(exp)
LANEFOLD_DETAIL_VECTORIZED_1(exp10)
LANEFOLD_DETAIL_VECTORIZED_1(exp2)
LANEFOLD_DETAIL_VECTORIZED_1(expm1)
LANEFOLD_DETAIL_VECTORIZED_2(hypot)
LANEFOLD_DETAIL_VECTORIZED_1(log)
LANEFOLD_DETAIL_VECTORIZED_1(log10)
LANEFOLD_DETAIL_VECTORIZED_1(log1p)
LANEFOLD_DETAIL_VECTORIZED_1(log2)
LANEFOLD_DETAIL_VECTORIZED_2(pow)
LANEFOLD_DETAIL_VECTORIZED_1(sin)
LANEFOLD_DETAIL_VECTORIZED_1(sinh)
LANEFOLD_DETAIL_VECTORIZED_1(tan)
LANEFOLD_DETAIL_VECTORIZED_1(tanh)
#if __GNUC__ < 14
float __builtin_sqrtf(float) noexcept __attribute__((const)); // an instruction
double __builtin_sqrt(double) noexcept __attribute__((const));
#endif
#if defined(__SSE4_1__) // in vector_roundings.cpp, since libmvec has none
LANEFOLD_DETAIL_ROUNDING(ceil)
LANEFOLD_DETAIL_ROUNDING(floor)
LANEFOLD_DETAIL_ROUNDING(trunc)
#endif
}
#undef LANEFOLD_DETAIL_LINKS
#undef LANEFOLD_DETAIL_ROUNDING
#undef LANEFOLD_DETAIL_VECTORIZED_1
#undef LANEFOLD_DETAIL_VECTORIZED_2
#endif
#endif

LANEFOLD_BEGIN_NAMESPACE
namespace detail::number_functions {

#if defined(LANEFOLD_DETAIL_LIBMVEC_NUMBERS)
#define LANEFOLD_DETAIL_OF_FLOATS(name, ...) LANEFOLD_DETAIL_LINKED(name##f)(__VA_ARGS__)
#define LANEFOLD_DETAIL_OF_DOUBLES(name, ...) LANEFOLD_DETAIL_LINKED(name)(__VA_ARGS__)
#define LANEFOLD_DETAIL_OF_WIDENED(name, x) static_cast<float>(LANEFOLD_DETAIL_LINKED(name)(static_cast<double>(x)))
#define LANEFOLD_DETAIL_OF_LOG(name, x)                                                                                \
  static_cast<float>(LANEFOLD_DETAIL_LINKED(log)(static_cast<double>(x)) / std::numbers::ln10) // 0.7 times glibc's time
#else
#define LANEFOLD_DETAIL_OF_FLOATS(name, ...) std::name(__VA_ARGS__)
#define LANEFOLD_DETAIL_OF_DOUBLES(name, ...) std::name(__VA_ARGS__)
#define LANEFOLD_DETAIL_OF_WIDENED(name, x) std::name(x)
#define LANEFOLD_DETAIL_OF_LOG(name, x) std::name(x)
#endif

/// Defines `name` for float, double and long double; of_float says how it is computed of floats.
#define LANEFOLD_DETAIL_NUMBER_FUNCTION_1(name, of_float)                                                              \
  template <class T>                                                                                                   \
  LANEFOLD_ALWAYS_INLINE T name(T x) {                                                                                 \
    if constexpr (std::is_same_v<T, float>)                                                                            \
      return of_float(name, x);                                                                                        \
    else if constexpr (std::is_same_v<T, double>)                                                                      \
      return LANEFOLD_DETAIL_OF_DOUBLES(name, x);                                                                      \
    else                                                                                                               \
      return std::name(x);                                                                                             \
  }
#define LANEFOLD_DETAIL_NUMBER_FUNCTION_2(name)                                                                        \
  template <class T>                                                                                                   \
  LANEFOLD_ALWAYS_INLINE T name(T x, T y) {                                                                            \
    if constexpr (std::is_same_v<T, float>)                                                                            \
      return LANEFOLD_DETAIL_OF_FLOATS(name, x, y);                                                                    \
    else if constexpr (std::is_same_v<T, double>)                                                                      \
      return LANEFOLD_DETAIL_OF_DOUBLES(name, x, y);                                                                   \
    else                                                                                                               \
      return std::name(x, y);                                                                                          \
  }

LANEFOLD_DETAIL_NUMBER_FUNCTION_1(acos, LANEFOLD_DETAIL_OF_FLOATS)
LANEFOLD_DETAIL_NUMBER_FUNCTION_1(acosh, LANEFOLD_DETAIL_OF_FLOATS)
LANEFOLD_DETAIL_NUMBER_FUNCTION_1(asin, LANEFOLD_DETAIL_OF_FLOATS)
LANEFOLD_DETAIL_NUMBER_FUNCTION_1(asinh, LANEFOLD_DETAIL_OF_FLOATS)
LANEFOLD_DETAIL_NUMBER_FUNCTION_1(atan, LANEFOLD_DETAIL_OF_FLOATS)
LANEFOLD_DETAIL_NUMBER_FUNCTION_2(atan2)
LANEFOLD_DETAIL_NUMBER_FUNCTION_1(atanh, LANEFOLD_DETAIL_OF_FLOATS)
LANEFOLD_DETAIL_NUMBER_FUNCTION_1(cosh, LANEFOLD_DETAIL_OF_FLOATS)
LANEFOLD_DETAIL_NUMBER_FUNCTION_1(erf, LANEFOLD_DETAIL_OF_FLOATS)
LANEFOLD_DETAIL_NUMBER_FUNCTION_1(erfc, LANEFOLD_DETAIL_OF_FLOATS)
LANEFOLD_DETAIL_NUMBER_FUNCTION_1(exp, LANEFOLD_DETAIL_OF_FLOATS)
LANEFOLD_DETAIL_NUMBER_FUNCTION_1(exp2, LANEFOLD_DETAIL_OF_FLOATS)
LANEFOLD_DETAIL_NUMBER_FUNCTION_1(expm1, LANEFOLD_DETAIL_OF_FLOATS)
LANEFOLD_DETAIL_NUMBER_FUNCTION_2(hypot)
LANEFOLD_DETAIL_NUMBER_FUNCTION_1(log, LANEFOLD_DETAIL_OF_WIDENED)
LANEFOLD_DETAIL_NUMBER_FUNCTION_1(log10, LANEFOLD_DETAIL_OF_LOG)
LANEFOLD_DETAIL_NUMBER_FUNCTION_1(log1p, LANEFOLD_DETAIL_OF_FLOATS)
LANEFOLD_DETAIL_NUMBER_FUNCTION_1(log2, LANEFOLD_DETAIL_OF_FLOATS)
LANEFOLD_DETAIL_NUMBER_FUNCTION_1(sin, LANEFOLD_DETAIL_OF_FLOATS)
LANEFOLD_DETAIL_NUMBER_FUNCTION_1(sinh, LANEFOLD_DETAIL_OF_FLOATS)
LANEFOLD_DETAIL_NUMBER_FUNCTION_1(tan, LANEFOLD_DETAIL_OF_FLOATS)
LANEFOLD_DETAIL_NUMBER_FUNCTION_1(tanh, LANEFOLD_DETAIL_OF_FLOATS)

/// The power. Of squares g++ makes a product, if the function is the compiler's own.
template <class T>
LANEFOLD_ALWAYS_INLINE T pow(T x, T y) {
#if defined(LANEFOLD_DETAIL_LIBMVEC_NUMBERS) && __GNUC__ >= 14
  if (__builtin_constant_p(y) && y == T(2))
    return x * x;
#endif
  if constexpr (std::is_same_v<T, float>)
    return LANEFOLD_DETAIL_OF_FLOATS(pow, x, y);
  else if constexpr (std::is_same_v<T, double>)
    return LANEFOLD_DETAIL_OF_DOUBLES(pow, x, y);
  else
    return std::pow(x, y);
}

/// Defines a rounding, which is an instruction.
#define LANEFOLD_DETAIL_NUMBER_ROUNDING(name)                                                                          \
  template <class T>                                                                                                   \
  LANEFOLD_ALWAYS_INLINE T name(T x) {                                                                                 \
    if constexpr (std::is_same_v<T, float>)                                                                            \
      return __builtin_##name##f(x);                                                                                   \
    else if constexpr (std::is_same_v<T, double>)                                                                      \
      return __builtin_##name(x);                                                                                      \
    else                                                                                                               \
      return std::name(x);                                                                                             \
  }
LANEFOLD_DETAIL_NUMBER_ROUNDING(ceil)
LANEFOLD_DETAIL_NUMBER_ROUNDING(floor)
LANEFOLD_DETAIL_NUMBER_ROUNDING(trunc)

#undef LANEFOLD_DETAIL_NUMBER_FUNCTION_1
#undef LANEFOLD_DETAIL_NUMBER_FUNCTION_2
#undef LANEFOLD_DETAIL_NUMBER_ROUNDING
#undef LANEFOLD_DETAIL_OF_DOUBLES
#undef LANEFOLD_DETAIL_OF_FLOATS
#undef LANEFOLD_DETAIL_OF_LOG
#undef LANEFOLD_DETAIL_OF_WIDENED

/// g++ makes one call of the sine and the cosine of the same number, and has none of these for registers: a number that
/// may differ, as -0 does, keeps them apart.
template <class T>
LANEFOLD_ALWAYS_INLINE T cos(T x) {
#if defined(LANEFOLD_DETAIL_LIBMVEC_NUMBERS)
  if constexpr (std::is_same_v<T, float>)
    return LANEFOLD_DETAIL_LINKED(cosf)(x + 0.0F);
  else if constexpr (std::is_same_v<T, double>)
    return LANEFOLD_DETAIL_LINKED(cos)(x + 0.0);
  else
    return std::cos(x);
#else
  return std::cos(x);
#endif
}

/// The cube root: of floats within the 2 ulp of SYCL, and for registers; what libmvec has of doubles is 2.5 ulp off.
template <class T>
LANEFOLD_ALWAYS_INLINE T cbrt(T x) {
#if defined(LANEFOLD_DETAIL_LIBMVEC_NUMBERS)
  if constexpr (std::is_same_v<T, float>)
    return static_cast<float>(LANEFOLD_DETAIL_LINKED(cbrt)(static_cast<double>(x)));
#endif
  return std::cbrt(x);
}

/// 10^x, which <cmath> has not. glibc's takes 7.2 ns of a double, 2^y 2.2.
template <class T>
LANEFOLD_ALWAYS_INLINE T exp10(T x) {
#if defined(LANEFOLD_DETAIL_LIBMVEC_NUMBERS)
  if constexpr (std::is_same_v<T, float>)
    return static_cast<float>(
        LANEFOLD_DETAIL_LINKED(exp2)(static_cast<double>(x) * (std::numbers::ln10 / std::numbers::ln2)));
  else if constexpr (std::is_same_v<T, double>)
    return LANEFOLD_DETAIL_LINKED(exp10)(x);
  else
    return ::exp10l(x);
#elif defined(__GLIBC__)
  if constexpr (std::is_same_v<T, float>)
    return ::exp10f(x);
  else if constexpr (std::is_same_v<T, double>)
    return ::exp10(x);
  else
    return ::exp10l(x);
#else
  return std::pow(T(10), x);
#endif
}

template <class T>
LANEFOLD_ALWAYS_INLINE T sqrt(T x) {
#if defined(LANEFOLD_DETAIL_LIBMVEC_NUMBERS) && __GNUC__ >= 14
  return x < 0 ? std::numeric_limits<T>::quiet_NaN() : std::sqrt(x); // which sets errno of negative numbers only
#elif defined(LANEFOLD_DETAIL_LIBMVEC_NUMBERS)
  if constexpr (std::is_same_v<T, float>)
    return __builtin_sqrtf(x);
  else if constexpr (std::is_same_v<T, double>)
    return __builtin_sqrt(x);
  else
    return std::sqrt(x);
#elif defined(__clang__)
  return __builtin_elementwise_sqrt(x);
#else
  return std::sqrt(x);
#endif
}

/// To the nearest whole number, halves away from zero. What g++ makes of std::round is a call, which keeps loops
/// scalar: here rint, and whole numbers, which raise no exceptions.
template <class T>
LANEFOLD_ALWAYS_INLINE T round(T x) {
#if defined(LANEFOLD_DETAIL_LIBMVEC_NUMBERS) && defined(__SSE4_1__)
  if constexpr (sizeof(T) <= sizeof(double)) {
    using bits = same_width<T, true>;
    constexpr T below_half = (1 - std::numeric_limits<T>::epsilon() / 2) / 2;
    const T size = std::fabs(x), nearest = std::rint(size);
    const bits up = -bits{std::bit_cast<bits>(size - nearest) > std::bit_cast<bits>(below_half)};
    return std::copysign(nearest + std::bit_cast<T>(up & std::bit_cast<bits>(T(1))), x);
  }
#endif
  return std::round(x);
}

} // namespace detail::number_functions
LANEFOLD_END_NAMESPACE
#undef LANEFOLD_DETAIL_LIBMVEC_NUMBERS
#undef LANEFOLD_DETAIL_LINKED
