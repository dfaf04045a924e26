// SPDX-License-Identifier: Apache-2.0
/// The mathematical functions of SYCL 2020. [sycl.4.17.5]
///
/// They take numbers, half, vec, swizzles, marray, varyings and varying vectors, element by element; a number beside
/// something with elements counts as each of them, converted to their type. Integers count as double. The names of
/// <cmath> mean what they mean there; the errors in units of the last place (ulp) are those of math.hpp for varyings
/// and of <cmath> for everything else, or what is named. half computes as float. Results that go through a pointer take
/// a plain pointer, a multi_ptr, or for varyings the address of a variable (`it.var(…)`).
#pragma once

#include <lanefold/memory/detail/function_overloads.hpp>
#include <lanefold/memory/detail/math_operations.hpp>
#include <lanefold/simd/math.hpp>

LANEFOLD_BEGIN_NAMESPACE

LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, acos)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, acosh)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, asin)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, asinh)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, atan)
LANEFOLD_DETAIL_ELEMENTWISE(2, elementwise, atan2)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, atanh)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, cbrt)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, ceil)
LANEFOLD_DETAIL_ELEMENTWISE(2, elementwise, copysign)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, cos)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, cosh)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, erf)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, erfc)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, exp)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, exp10)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, exp2)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, expm1)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, fabs)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, floor)
LANEFOLD_DETAIL_ELEMENTWISE(3, elementwise, fma)
LANEFOLD_DETAIL_ELEMENTWISE(2, elementwise, fmax)
LANEFOLD_DETAIL_ELEMENTWISE(2, elementwise, fmin)
LANEFOLD_DETAIL_ELEMENTWISE(2, elementwise, fmod)
LANEFOLD_DETAIL_ELEMENTWISE(2, elementwise, hypot)
LANEFOLD_DETAIL_ELEMENTWISE(2, elementwise_as_given, ldexp)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, lgamma)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, log)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, log10)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, log1p)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, log2)
LANEFOLD_DETAIL_ELEMENTWISE(3, elementwise, mad)
LANEFOLD_DETAIL_ELEMENTWISE(2, elementwise, pow)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, rint)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, round)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, rsqrt)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, sin)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, sinh)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise_sqrt, sqrt)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, tan)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, tanh)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, tgamma)
LANEFOLD_DETAIL_ELEMENTWISE(1, elementwise, trunc)

LANEFOLD_DETAIL_MATH(1, real, sinpi)      ///< sin(pi x); 4 ulp
LANEFOLD_DETAIL_MATH(1, real, cospi)      ///< cos(pi x); 4 ulp
LANEFOLD_DETAIL_MATH(1, real, tanpi)      ///< tan(pi x); 6 ulp
LANEFOLD_DETAIL_MATH(1, real, asinpi)     ///< asin(x) / pi; 5 ulp
LANEFOLD_DETAIL_MATH(1, real, acospi)     ///< acos(x) / pi; 5 ulp
LANEFOLD_DETAIL_MATH(1, real, atanpi)     ///< atan(x) / pi; 5 ulp
LANEFOLD_DETAIL_MATH(2, real, atan2pi)    ///< atan2(y, x) / pi; 6 ulp
LANEFOLD_DETAIL_MATH(2, real, fdim)       ///< x - y where x is greater, else 0
LANEFOLD_DETAIL_MATH(1, real, logb)       ///< the exponent of x
LANEFOLD_DETAIL_MATH(2, real, maxmag)     ///< the one of the greater magnitude, else fmax(x, y)
LANEFOLD_DETAIL_MATH(2, real, minmag)     ///< the one of the smaller magnitude, else fmin(x, y)
LANEFOLD_DETAIL_MATH(2, real, powr)       ///< x^y for x not below 0, NaN below; 1 ulp
LANEFOLD_DETAIL_MATH(2, real, remainder)  ///< x - n y, n the whole number nearest to x / y
LANEFOLD_DETAIL_MATH(2, exact, nextafter) ///< the number next to x in the direction of y

LANEFOLD_DETAIL_MATH(1, real, ilogb)         ///< the exponent of x as an int; of 0 and NaN FP_ILOGB0 and FP_ILOGBNAN
LANEFOLD_DETAIL_MATH(2, real_and_int, pown)  ///< x^n for integers n; 1 ulp
LANEFOLD_DETAIL_MATH(2, real_and_int, rootn) ///< the n-th root of x; 1 ulp; NaN of a negative x for an even n

/// x - floor(x), below 1; the floor goes to *whole.
template <class X, class P>
  requires detail::MathArguments<X>
LANEFOLD_ALWAYS_INLINE auto fract(const X& x, P whole) {
  *whole = lanefold::floor(x);
  return detail::real_function<detail::real_fract>{}(x);
}
/// The part of x behind the point; that before it goes to *whole. Both have the sign of x.
template <class X, class P>
  requires detail::MathArguments<X>
LANEFOLD_ALWAYS_INLINE auto modf(const X& x, P whole) {
  *whole = lanefold::trunc(x);
  return detail::real_function<detail::real_modf>{}(x);
}
/// x as m * 2^e with m from 0.5 to 1 (0, infinity and NaN as they are); the int e goes to *exponent.
template <class X, class P>
  requires detail::MathArguments<X>
LANEFOLD_ALWAYS_INLINE auto frexp(const X& x, P exponent) {
  *exponent = detail::real_function<detail::real_frexp_exponent>{}(x);
  return detail::real_function<detail::real_frexp>{}(x);
}
/// sin(x); cos(x) goes to *cosine.
template <class X, class P>
  requires detail::MathArguments<X>
LANEFOLD_ALWAYS_INLINE auto sincos(const X& x, P cosine) {
  *cosine = lanefold::cos(x);
  return lanefold::sin(x);
}
/// log |gamma(x)|; the sign of gamma(x) goes to *sign, an int: 0 where gamma(x) is none.
template <class X, class P>
  requires detail::MathArguments<X>
LANEFOLD_ALWAYS_INLINE auto lgamma_r(const X& x, P sign) {
  *sign = detail::real_function<detail::real_gamma_sign>{}(x);
  return lanefold::lgamma(x);
}
/// remainder(x, y); the seven lowest bits of the whole quotient, with its sign, go to *quotient, an int.
template <class X, class Y, class P>
  requires detail::MathArguments<X, Y>
LANEFOLD_ALWAYS_INLINE auto remquo(const X& x, const Y& y, P quotient) {
  *quotient = detail::real_function<detail::real_quotient>{}(x, y);
  return lanefold::remainder(x, y);
}

// Of numbers SYCL names the type of the pointer alone: sincos<float*>(x, &cosine).
#define LANEFOLD_DETAIL_POINTER_NAMED(T)                                                                               \
  template <class P>                                                                                                   \
  LANEFOLD_ALWAYS_INLINE T fract(T x, P whole) {                                                                       \
    return lanefold::fract<T, P>(x, whole);                                                                            \
  }                                                                                                                    \
  template <class P>                                                                                                   \
  LANEFOLD_ALWAYS_INLINE T modf(T x, P whole) {                                                                        \
    return lanefold::modf<T, P>(x, whole);                                                                             \
  }                                                                                                                    \
  template <class P>                                                                                                   \
  LANEFOLD_ALWAYS_INLINE T frexp(T x, P exponent) {                                                                    \
    return lanefold::frexp<T, P>(x, exponent);                                                                         \
  }                                                                                                                    \
  template <class P>                                                                                                   \
  LANEFOLD_ALWAYS_INLINE T sincos(T x, P cosine) {                                                                     \
    return lanefold::sincos<T, P>(x, cosine);                                                                          \
  }                                                                                                                    \
  template <class P>                                                                                                   \
  LANEFOLD_ALWAYS_INLINE T lgamma_r(T x, P sign) {                                                                     \
    return lanefold::lgamma_r<T, P>(x, sign);                                                                          \
  }                                                                                                                    \
  template <class P>                                                                                                   \
  LANEFOLD_ALWAYS_INLINE T remquo(T x, T y, P quotient) {                                                              \
    return lanefold::remquo<T, T, P>(x, y, quotient);                                                                  \
  }
LANEFOLD_DETAIL_POINTER_NAMED(float)
LANEFOLD_DETAIL_POINTER_NAMED(double)
LANEFOLD_DETAIL_POINTER_NAMED(half)
#undef LANEFOLD_DETAIL_POINTER_NAMED

namespace detail {

/// Is an integer without sign for each lane.
template <class X>
concept VaryingCode = Operand<X> && !std::is_arithmetic_v<X> && std::is_unsigned_v<common_element_t<X>>;

} // namespace detail

/// A quiet NaN with the bits of `code`, of the size of that: of unsigned short a half, of unsigned a float, of 64 bits
/// a double; of vectors a vector, of a varying a varying.
template <class X>
  requires(std::is_unsigned_v<X> || detail::MathObjects<X> || detail::Convertible<X> || detail::VaryingCode<X>)
LANEFOLD_ALWAYS_INLINE auto nan(const X& code) {
  if constexpr (detail::MathObject<X>) {
    return detail::elementwise([](const auto& c) LANEFOLD_INLINE_LAMBDA { return lanefold::nan(c); }, code);
  } else if constexpr (detail::Convertible<X>) {
    return lanefold::nan(detail::converted(code));
  } else if constexpr (detail::VaryingCode<X>) {
    using U = detail::common_element_t<X>;
    using V = detail::with_lanes_t<U, X>;
    return detail::lane_by_lane<decltype(lanefold::nan(U()))>([](U c) { return lanefold::nan(c); },
                                                              V(detail::operand_as<V>(code)));
  } else if constexpr (sizeof(X) == 2) {
    return detail::half_of_bits(0x7e00U | code);
  } else if constexpr (sizeof(X) == 4) {
    return std::bit_cast<float>(0x7fc00000U | static_cast<std::uint32_t>(code));
  } else {
    static_assert(sizeof(X) == 8, "lanefold: nan takes 16, 32 or 64 bits without sign");
    return std::bit_cast<double>(std::uint64_t{0x7ff8} << 48 | static_cast<std::uint64_t>(code));
  }
}

namespace detail {

struct real_divide {
  template <class V>
  LANEFOLD_ALWAYS_INLINE static V of(const V& x, const V& y) {
    return V(x / y);
  }
};
struct real_recip {
  template <class V>
  LANEFOLD_ALWAYS_INLINE static V of(const V& x) {
    return V(1 / x);
  }
};

} // namespace detail

#define LANEFOLD_DETAIL_FAST_FUNCTIONS                                                                                 \
  using lanefold::cos;                                                                                                 \
  using lanefold::exp;                                                                                                 \
  using lanefold::exp10;                                                                                               \
  using lanefold::exp2;                                                                                                \
  using lanefold::log;                                                                                                 \
  using lanefold::log10;                                                                                               \
  using lanefold::log2;                                                                                                \
  using lanefold::powr;                                                                                                \
  using lanefold::rsqrt;                                                                                               \
  using lanefold::sin;                                                                                                 \
  using lanefold::sqrt;                                                                                                \
  using lanefold::tan;                                                                                                 \
  LANEFOLD_DETAIL_MATH(2, real, divide)                                                                                \
  LANEFOLD_DETAIL_MATH(1, real, recip)

/// Functions that may be less exact than those above, which they are here: varyings have no faster ones.
// [sycl.4.17.5]
namespace native {
LANEFOLD_DETAIL_FAST_FUNCTIONS
} // namespace native
namespace half_precision {
LANEFOLD_DETAIL_FAST_FUNCTIONS
} // namespace half_precision
#undef LANEFOLD_DETAIL_FAST_FUNCTIONS

LANEFOLD_END_NAMESPACE
