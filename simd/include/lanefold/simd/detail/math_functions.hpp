// SPDX-License-Identifier: Apache-2.0
/// Elementary functions of one register: those of xsimd where they are right, otherwise <cmath> lane by lane. Internal.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <type_traits>

#include <lanefold/simd/detail/math_operand.hpp>
#include <lanefold/simd/detail/math_register.hpp>
#include <lanefold/simd/isa/number_functions.hpp>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push // explained in isa/avx512.hpp
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// Makes F a function that is called: hundreds of instructions should not be in a kernel once for each register.
template <class F>
struct called {
  template <class Isa, class R, class... Rest>
  __attribute__((noinline)) R operator()(const R& a, const Rest&... rest) const {
    return F{}.template operator()<Isa>(a, rest...);
  }
};

/// Does the same as `apply`: inline for up to two registers, by a call for each register for more.
template <class T, class F, class... X>
LANEFOLD_ALWAYS_INLINE auto apply_function(const X&... x) {
  using V = with_lanes_t<T, X...>;
  if constexpr (std::is_arithmetic_v<V>)
    return apply<T>(F{}, x...);
  else if constexpr (V::register_lanes > 1 && V::registers_type::size > 2)
    return apply<T>(called<F>{}, x...);
  else
    return apply<T>(F{}, x...);
}

/// A function of <cmath>, lane by lane.
#define LANEFOLD_DETAIL_BY_LANE(name, function)                                                                        \
  struct register_##name {                                                                                             \
    template <class Isa, class R, class... Rest>                                                                       \
    LANEFOLD_ALWAYS_INLINE R operator()(const R& r, const Rest&... rest) const {                                       \
      return each_lane([](auto... x) { return function(x...); }, r, rest...);                                          \
    }                                                                                                                  \
  };

/// A function of xsimd for registers, of <cmath> for plain values.
#define LANEFOLD_DETAIL_BY_REGISTER(name, of_register, function)                                                       \
  struct register_##name {                                                                                             \
    template <class Isa, class R, class... Rest>                                                                       \
    LANEFOLD_ALWAYS_INLINE R operator()(const R& r, const Rest&... rest) const {                                       \
      if constexpr (is_vector<R>)                                                                                      \
        return of_register(r, rest...);                                                                                \
      else                                                                                                             \
        return function(r, rest...);                                                                                   \
    }                                                                                                                  \
  };

/// A function of xsimd, unless one lane is hard for it (`hard<Isa>(register)`), then <cmath> for all lanes.
#define LANEFOLD_DETAIL_GUARDED(name, of_register, function, hard)                                                     \
  struct register_##name {                                                                                             \
    template <class Isa, class R>                                                                                      \
    LANEFOLD_ALWAYS_INLINE R operator()(const R& r) const {                                                            \
      if constexpr (is_vector<R>) {                                                                                    \
        if (!hard<Isa>(r)) [[likely]]                                                                                  \
          return of_register(r);                                                                                       \
      }                                                                                                                \
      return each_lane([](auto x) { return function(x); }, r);                                                         \
    }                                                                                                                  \
  };

/// Returns whether a lane has a magnitude between two limits.
template <class Isa, class R>
LANEFOLD_ALWAYS_INLINE bool any_between(const R& r, element_t<R> low, element_t<R> high) {
  const R magnitude = register_abs{}.template operator()<Isa>(r);
  return (compare<Isa, comparison::greater>(magnitude, R(low)) & compare<Isa, comparison::less>(magnitude, R(high))) !=
         0;
}

/// log |gamma(x)| of <cmath>, which keeps the sign in a global variable.
template <class T>
LANEFOLD_ALWAYS_INLINE T log_gamma(T x) {
#if defined(__GLIBC__)
  int sign;
  if constexpr (std::is_same_v<T, float>)
    return ::lgammaf_r(x, &sign);
  else if constexpr (std::is_same_v<T, double>)
    return ::lgamma_r(x, &sign);
  else
    return ::lgammal_r(x, &sign);
#else
  return std::lgamma(x);
#endif
}

// These return whether a lane is where the results of xsimd leave the range of normal numbers, too early or without
// denormals.
template <class Isa, class R>
LANEFOLD_ALWAYS_INLINE bool hard_exp(const R& r) {
  return sizeof(element_t<R>) == 4 ? any_between<Isa>(r, 87, 104) : any_between<Isa>(r, 708, 746);
}
template <class Isa, class R>
LANEFOLD_ALWAYS_INLINE bool hard_exp2(const R& r) {
  return sizeof(element_t<R>) == 4 ? any_between<Isa>(r, 125, 150) : any_between<Isa>(r, 1021, 1075);
}
template <class Isa, class R>
LANEFOLD_ALWAYS_INLINE bool hard_exp10(const R& r) {
  return sizeof(element_t<R>) == 4 ? any_between<Isa>(r, 37, 46) : any_between<Isa>(r, 307, 324);
}
/// Denormals.
template <class Isa, class R>
LANEFOLD_ALWAYS_INLINE bool hard_log(const R& r) {
  return any_between<Isa>(r, 0, std::numeric_limits<element_t<R>>::min());
}

/// Doubles up to 20 pi next to a multiple of pi / 2 that is not 0: the 99 bits of pi / 2 that xsimd subtracts are too
/// few where nearly nothing is left (25,000 ulp for the cosine of 45.553093477052).
template <class Isa, class R>
LANEFOLD_ALWAYS_INLINE bool hard_angle([[maybe_unused]] const R& r) {
  if constexpr (sizeof(element_t<R>) == 4) {
    return false;
  } else {
    const R size = register_abs{}.template operator()<Isa>(r);
    const R quarters = register_rint{}.template operator()<Isa>(size * R(2 / std::numbers::pi));
    const R rest = register_abs{}.template operator()<Isa>(size - quarters * R(std::numbers::pi / 2));
    return (compare<Isa, comparison::less>(rest, R(1e-9)) & compare<Isa, comparison::greater>(size, R(0.5)) &
            compare<Isa, comparison::less>(size, R(65.0))) != 0;
  }
}

LANEFOLD_DETAIL_GUARDED(exp, register_functions::exp, number_functions::exp, hard_exp)
LANEFOLD_DETAIL_GUARDED(exp2, register_functions::exp2, number_functions::exp2, hard_exp2)
LANEFOLD_DETAIL_GUARDED(exp10, register_functions::exp10, number_functions::exp10, hard_exp10)
LANEFOLD_DETAIL_GUARDED(positive_expm1, register_functions::expm1, number_functions::expm1, hard_exp)
LANEFOLD_DETAIL_GUARDED(log, register_functions::log, number_functions::log, hard_log)
LANEFOLD_DETAIL_GUARDED(log2, register_functions::log2, number_functions::log2, hard_log)
LANEFOLD_DETAIL_GUARDED(log10, register_functions::log10, number_functions::log10, hard_log)
LANEFOLD_DETAIL_GUARDED(approximate_cbrt, register_functions::cbrt, number_functions::cbrt, hard_log)
LANEFOLD_DETAIL_BY_REGISTER(positive_log1p, register_functions::log1p, number_functions::log1p)
LANEFOLD_DETAIL_GUARDED(sin, register_functions::sin, number_functions::sin, hard_angle)
LANEFOLD_DETAIL_GUARDED(cos, register_functions::cos, number_functions::cos, hard_angle)
LANEFOLD_DETAIL_GUARDED(tan, register_functions::tan, number_functions::tan, hard_angle)
LANEFOLD_DETAIL_BY_REGISTER(asin, register_functions::asin, number_functions::asin)
LANEFOLD_DETAIL_BY_REGISTER(acos, register_functions::acos, number_functions::acos)
LANEFOLD_DETAIL_BY_REGISTER(atan, register_functions::atan, number_functions::atan)
LANEFOLD_DETAIL_BY_REGISTER(any_atan2, register_functions::atan2, number_functions::atan2)
LANEFOLD_DETAIL_BY_REGISTER(sinh, register_functions::sinh, number_functions::sinh)
LANEFOLD_DETAIL_BY_REGISTER(cosh, register_functions::cosh, number_functions::cosh)
LANEFOLD_DETAIL_BY_REGISTER(tanh, register_functions::tanh, number_functions::tanh)
LANEFOLD_DETAIL_BY_REGISTER(asinh, register_functions::asinh, number_functions::asinh)
LANEFOLD_DETAIL_BY_REGISTER(atanh, register_functions::atanh, number_functions::atanh)
LANEFOLD_DETAIL_BY_REGISTER(any_acosh, register_functions::acosh, number_functions::acosh)
LANEFOLD_DETAIL_BY_REGISTER(float_erf, register_functions::erf, number_functions::erf)
LANEFOLD_DETAIL_BY_LANE(double_erf, number_functions::erf)
LANEFOLD_DETAIL_BY_LANE(tgamma, std::tgamma)
LANEFOLD_DETAIL_BY_LANE(lgamma, log_gamma)

#undef LANEFOLD_DETAIL_BY_LANE
#undef LANEFOLD_DETAIL_BY_REGISTER
#undef LANEFOLD_DETAIL_GUARDED

/// F with the sign of its operand, for a -0 that F loses.
template <class F>
struct with_sign_of_operand {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& x) const {
    return register_copysign{}.template operator()<Isa>(F{}.template operator()<Isa>(x), x);
  }
};
using register_expm1 = with_sign_of_operand<register_positive_expm1>;
using register_log1p = with_sign_of_operand<register_positive_log1p>;

struct register_acosh {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& x) const {
    using T = element_t<R>;
    const auto of = to_vector(x), result = to_vector(register_any_acosh{}.template operator()<Isa>(x));
    return to_register<R>(of < T(1) ? of - of + std::numeric_limits<T>::quiet_NaN() : result);
  }
};

/// Of doubles, xsimd's root and that of <cmath> are 2.5 ulp off: one step of Newton's makes it 0.7. The root is rounded
/// to 23 bits first, which makes its square exact and the step good to twice as many bits (FreeBSD's s_cbrt.c).
struct register_cbrt {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& x) const {
    const R root = register_approximate_cbrt{}.template operator()<Isa>(x);
    if constexpr (is_vector<R> && sizeof(element_t<R>) == 8) {
      using bits = vector_t<std::uint64_t, register_traits<R>::lanes>;
      const R t = to_register<R>(((bits)to_vector(root) + 0x80000000U) & 0xffffffffc0000000U);
      const auto corrected = to_vector(t + t * ((x / (t * t) - t) / (t + t + x / (t * t))));
      const auto y = to_vector(root);
      return to_register<R>(y != 0.0 && y - y == 0.0 ? corrected : y); // not of 0, infinity, NaN
    } else {
      return root;
    }
  }
};

struct register_erf {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& x) const {
    using F = std::conditional_t<sizeof(element_t<R>) == 4, register_float_erf, register_double_erf>;
    return F{}.template operator()<Isa>(x);
  }
};

/// Of two zeros or two infinities xsimd divides one by the other: there the signs decide.
struct register_atan2 {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& y, const R& x) const {
    if constexpr (is_vector<R>) {
      using T = element_t<R>;
      const auto sign = [](const R& r) LANEFOLD_INLINE_LAMBDA {
        return to_vector(register_copysign{}.template operator()<Isa>(R(T(1)), r));
      };
      const auto u = to_vector(y), v = to_vector(x), a = to_vector(register_abs{}.template operator()<Isa>(y));
      const auto alike = a == to_vector(register_abs{}.template operator()<Isa>(x));
      const auto infinite = a == to_vector(R(std::numeric_limits<T>::infinity()));
      return register_any_atan2{}.template operator()<Isa>(
          to_register<R>(alike && infinite ? sign(y) : u),
          to_register<R>(alike && (infinite || a == T(0)) ? sign(x) : v));
    } else {
      return number_functions::atan2(y, x);
    }
  }
};

/// sqrt(x^2 + y^2) as m * sqrt(1 + (n / m)^2), m the greater magnitude.
struct register_hypot {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& x, const R& y) const {
    if constexpr (is_vector<R>) {
      using T = element_t<R>;
      const R a = register_abs{}.template operator()<Isa>(x), b = register_abs{}.template operator()<Isa>(y);
      const R m = register_max{}.template operator()<Isa>(a, b), n = register_min{}.template operator()<Isa>(a, b);
      const R ratio = register_divide{}.template operator()<Isa>(n, m);
      const R sum = register_mad{}.template operator()<Isa>(ratio, ratio, R(T(1)));
      const auto root = to_vector(m * register_sqrt{}.template operator()<Isa>(sum));
      const auto u = to_vector(a), v = to_vector(b), infinite = to_vector(R(std::numeric_limits<T>::infinity()));
      const auto number = to_vector(n) == T(0) ? to_vector(m) : root; // unless one is infinite or NaN
      return to_register<R>(u == infinite || v == infinite ? infinite : u == u && v == v ? number : u + v);
    } else {
      return number_functions::hypot(x, y);
    }
  }
};

/// x - trunc(x / y) * y in one rounding is the remainder, or the remainder minus y if the quotient was rounded up, as
/// long as the quotient is exact as a whole number.
struct register_fmod {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& x, const R& y) const {
    if constexpr (is_vector<R> && has_fma<Isa>) {
      using T = element_t<R>;
      constexpr T most = T(std::uint64_t{1} << (std::numeric_limits<T>::digits - 1));
      const R quotient = register_trunc{}.template operator()<Isa>(register_divide{}.template operator()<Isa>(x, y));
      const R size = register_abs{}.template operator()<Isa>(y);
      const auto easy = compare<Isa, comparison::less>(register_abs{}.template operator()<Isa>(quotient), R(most)) &
                        compare<Isa, comparison::less>(size, R(std::numeric_limits<T>::infinity()));
      if (easy == full_bits<register_traits<R>::lanes>) [[likely]] {
        const auto rest = to_vector(register_fma{}.template operator()<Isa>(-quotient, y, x));
        const auto back = rest + to_vector(register_copysign{}.template operator()<Isa>(size, x));
        const R result = to_register<R>((to_vector(x) < T(0) ? rest > T(0) : rest < T(0)) ? back : rest);
        return register_copysign{}.template operator()<Isa>(result, x);
      }
    }
    return each_lane([](auto a, auto b) { return std::fmod(a, b); }, x, y);
  }
};

/// A register of floats as doubles, and back.
template <class Isa, class R>
LANEFOLD_ALWAYS_INLINE auto as_doubles(const R& r) {
  constexpr std::size_t lanes = register_traits<R>::lanes;
  return varying<double, lanes, Isa>(varying_access::make<varying<float, lanes, Isa>>({leaf<0, R>{r}}));
}
template <class R, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE R as_floats(const varying<double, N, Isa>& v) {
  return varying_access::registers(varying<float, N, Isa>(v)).template get<0>();
}

/// exp(y log x), of floats in double; of doubles that of libmvec, where it is there, else lane by lane.
struct register_pow {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& x, const R& y) const {
    if constexpr (is_vector<R> && sizeof(element_t<R>) == 4) {
      const R infinity(std::numeric_limits<float>::infinity());
      const auto easy = compare<Isa, comparison::greater>(x, R(0.0F)) & compare<Isa, comparison::less>(x, infinity) &
                        compare<Isa, comparison::less>(register_abs{}.template operator()<Isa>(y), infinity);
      if (easy == full_bits<register_traits<R>::lanes>) [[likely]] {
        const auto power = as_doubles<Isa>(y) * apply<double>(register_log{}, as_doubles<Isa>(x));
        const auto in_range = apply<double>(register_min{}, apply<double>(register_max{}, power, -200.0), 200.0);
        return as_floats<R>(apply<double>(register_exp{}, in_range));
      }
    }
    if constexpr (requires { register_functions::power(x, y); })
      return register_functions::power(x, y);
    else
      return each_lane([](auto a, auto b) { return number_functions::pow(a, b); }, x, y);
  }
};

/// erfc of floats in double, for x beyond 9, where it is denormal or 0: t exp(-x^2 + P(t)) with t = 1 / (1 + x / 2). P
/// interpolates in Chebyshev's points, up to x = 11.
struct register_erfc_of_any {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& x) const {
    constexpr double coefficients[] = {-1.4189509527491939, 4.534733428825322,   -8.1270057488328522,
                                       8.8272026316945986,  -5.986349508524401,  2.7953899596889844,
                                       -1.1252100600927888, 0.14999215088455956, 0.044132527037828724,
                                       0.37927535028023412, 0.99972530068794252, -1.2655042651202022};
    using doubles = decltype(as_doubles<Isa>(x));
    const auto magnitude = as_doubles<Isa>(register_abs{}.template operator()<Isa>(x));
    const doubles size = apply<double>(register_min{}, magnitude, 11.0);
    const doubles t = 1.0 / (1.0 + 0.5 * size);
    doubles sum(0.19256918649487978);
    for (const double c : coefficients) {
      assign(sum, apply<double>(register_mad{}, sum, t, c));
    }
    const R tail = as_floats<R>(t * apply<double>(register_exp{}, sum - size * size));
    return to_register<R>(to_vector(x) < 0.0F ? to_vector(R(2.0F) - tail) : to_vector(tail));
  }
};

/// Of floats x >= 0: t exp(-x^2) Q(t) with t = 1 / (1 + x / 3); Q interpolates in Chebyshev's points, up to x = 9.5,
/// and is exact to 4e-9. What x^2 loses by rounding is put back: exp(-x^2) is steep. Of doubles lane by lane, because
/// xsimd's loses digits.
struct register_erfc {
  template <class Isa, class R>
  LANEFOLD_ALWAYS_INLINE R operator()(const R& x) const {
    if constexpr (is_vector<R> && sizeof(element_t<R>) == 4 && has_fma<Isa>) {
      const auto fma = [](const R& a, const R& b, const R& c)
                           LANEFOLD_INLINE_LAMBDA { return register_fma{}.template operator()<Isa>(a, b, c); };
      const R size = register_abs{}.template operator()<Isa>(x);
      if (compare<Isa, comparison::greater>(size, R(9.0F)) != 0) [[unlikely]] {
        return called<register_erfc_of_any>{}.template operator()<Isa>(x);
      }
      constexpr float coefficients[] = {0.0188461169F, -0.142730872F, -0.145156552F, 0.225221652F, 0.795240964F,
                                        1.17322627F,   1.1448917F,    0.818264812F,  0.441576059F};
      const R third = size * R(1.0F / 3), t = register_divide{}.template operator()<Isa>(R(1.0F), R(1.0F) + third);
      const R from_middle = fma(-third, t, R(0.38F)); // t - 0.62, exact for small x
      R sum(0.0571758187F);
      for (const float c : coefficients) {
        sum = fma(sum, from_middle, R(c));
      }
      const R square = size * size, lost = fma(size, size, -square);
      const R power = register_exp{}.template operator()<Isa>(-square);
      const R tail = fma(-power, lost, power) * t * sum;
      return to_register<R>(to_vector(x) < 0.0F ? to_vector(R(2.0F) - tail) : to_vector(tail));
    } else {
      return each_lane([](auto a) { return number_functions::erfc(a); }, x);
    }
  }
};

} // namespace detail

LANEFOLD_END_NAMESPACE

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
