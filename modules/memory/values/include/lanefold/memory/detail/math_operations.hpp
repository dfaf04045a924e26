// SPDX-License-Identifier: Apache-2.0
/// Mathematical functions that <cmath> and varyings do not have: each computes with plain values V, or with varyings of
/// the same type. Internal.
#pragma once

#include <lanefold/memory/detail/elementwise.hpp>
#include <lanefold/simd/math.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

template <class V>
using number_of = typename value_traits<V>::element;

#define LANEFOLD_DETAIL_REAL_1(name)                                                                                   \
  struct real_##name {                                                                                                 \
    template <class V>                                                                                                 \
    LANEFOLD_ALWAYS_INLINE static auto of(const V& x);                                                                 \
  };                                                                                                                   \
  template <class V>                                                                                                   \
  LANEFOLD_ALWAYS_INLINE auto real_##name::of(const V& x)
#define LANEFOLD_DETAIL_REAL_2(name)                                                                                   \
  struct real_##name {                                                                                                 \
    template <class V>                                                                                                 \
    LANEFOLD_ALWAYS_INLINE static auto of(const V& x, const V& y);                                                     \
  };                                                                                                                   \
  template <class V>                                                                                                   \
  LANEFOLD_ALWAYS_INLINE auto real_##name::of(const V& x, const V& y)

/// sin(pi x) for x within [-1, 1], from the half of that where it is small.
template <class V>
LANEFOLD_ALWAYS_INLINE V sine_of_half_turns(const V& x) {
  using T = number_of<V>;
  const V size = fabs(x);
  return copysign(sin(V(std::numbers::pi_v<T> * select(size > T(0.5), T(1) - size, size))), x);
}
/// x in half turns within [-1, 1].
template <class V>
LANEFOLD_ALWAYS_INLINE V within_a_turn(const V& x) {
  return V(x - 2 * rint(x / 2));
}

LANEFOLD_DETAIL_REAL_1(sinpi) {
  const V sine = sine_of_half_turns(within_a_turn(x));
  return V(select(sine == 0, copysign(V(0), x), sine));
}
LANEFOLD_DETAIL_REAL_1(cospi) {
  using T = number_of<V>;
  return sine_of_half_turns(V(T(0.5) - fabs(within_a_turn(x))));
}
LANEFOLD_DETAIL_REAL_1(tanpi) { return V(real_sinpi::of(x) / real_cospi::of(x)); }

template <class V>
LANEFOLD_ALWAYS_INLINE V by_pi(const V& x) {
  return V(x * std::numbers::inv_pi_v<number_of<V>>);
}
LANEFOLD_DETAIL_REAL_1(asinpi) { return by_pi(V(asin(x))); }
LANEFOLD_DETAIL_REAL_1(acospi) { return by_pi(V(acos(x))); }
LANEFOLD_DETAIL_REAL_1(atanpi) { return by_pi(V(atan(x))); }
LANEFOLD_DETAIL_REAL_2(atan2pi) { return by_pi(V(atan2(x, y))); }

LANEFOLD_DETAIL_REAL_2(fdim) {
  const V zero_or_nan(select(x <= y, V(0), V(x + y)));
  return V(select(x > y, V(x - y), zero_or_nan));
}
LANEFOLD_DETAIL_REAL_2(maxmag) {
  const V a = fabs(x), b = fabs(y);
  return V(select(a > b, x, select(b > a, y, fmax(x, y))));
}
LANEFOLD_DETAIL_REAL_2(minmag) {
  const V a = fabs(x), b = fabs(y);
  return V(select(a < b, x, select(b < a, y, fmin(x, y))));
}

/// pow without the cases in which the exponent is 0 or the base 1 whatever the other is.
LANEFOLD_DETAIL_REAL_2(powr) {
  using T = number_of<V>;
  constexpr T infinity = std::numeric_limits<T>::infinity();
  const auto undefined = x < 0 || (y == 0 && (x == 0 || x == infinity)) || (x == 1 && fabs(y) == infinity);
  return V(select(undefined || x != x || y != y, V(std::numeric_limits<T>::quiet_NaN()), V(pow(fabs(x), y))));
}

LANEFOLD_DETAIL_REAL_1(fract) {
  using T = number_of<V>;
  constexpr T below_one = 1 - std::numeric_limits<T>::epsilon() / 2;
  const V rest(x - floor(x));
  const V limited(select(rest > below_one, V(below_one), rest));
  return V(select(x == 0 || fabs(x) == std::numeric_limits<T>::infinity(), copysign(V(0), x), limited));
}
LANEFOLD_DETAIL_REAL_1(modf) {
  using T = number_of<V>;
  const V rest(select(fabs(x) == std::numeric_limits<T>::infinity(), V(0), V(x - trunc(x))));
  return V(copysign(rest, x));
}

#define LANEFOLD_DETAIL_LANE_BY_LANE_1(name, R, ...)                                                                   \
  LANEFOLD_DETAIL_REAL_1(name) {                                                                                       \
    using T = number_of<V>;                                                                                            \
    return lane_by_lane<R>([](T a) -> R { return __VA_ARGS__; }, x);                                                   \
  }
#define LANEFOLD_DETAIL_LANE_BY_LANE_2(name, R, ...)                                                                   \
  LANEFOLD_DETAIL_REAL_2(name) {                                                                                       \
    using T = number_of<V>;                                                                                            \
    return lane_by_lane<R>([](T a, T b) -> R { return __VA_ARGS__; }, x, y);                                           \
  }

template <class T>
T mantissa(T x) {
  int exponent;
  return std::frexp(x, &exponent);
}
template <class T>
int exponent(T x) {
  int result = 0;
  if (std::isfinite(x)) {
    std::frexp(x, &result);
  }
  return result;
}
/// The sign of gamma(x); 0 at its poles below 0, 1 at infinity and for NaN.
template <class T>
int gamma_sign(T x) {
  if (x > 0 || x != x) {
    return 1;
  }
  const T below = std::floor(x);
  if (x == below) {
    return x == 0 ? (std::signbit(x) ? -1 : 1) : 0;
  }
  return std::fmod(below, T(2)) == 0 ? 1 : -1;
}
/// The seven lowest bits of the whole number nearest to x / y, with the sign of the quotient. (std::remquo promises
/// three.)
template <class T>
int quotient(T x, T y) {
  if (!std::isfinite(x) || !std::isfinite(y) || y == 0) {
    return 0;
  }
  const T modulus = 128 * y, rest = std::isfinite(modulus) ? std::fmod(x, modulus) : x;
  const int magnitude = static_cast<int>(std::rint(std::fabs((rest - std::remainder(x, y)) / y))) % 128;
  return std::signbit(x) == std::signbit(y) ? magnitude : -magnitude;
}

LANEFOLD_DETAIL_LANE_BY_LANE_1(logb, T, std::logb(a))
LANEFOLD_DETAIL_LANE_BY_LANE_1(ilogb, int, std::ilogb(a))
LANEFOLD_DETAIL_LANE_BY_LANE_1(frexp, T, mantissa(a))
LANEFOLD_DETAIL_LANE_BY_LANE_1(frexp_exponent, int, exponent(a))
LANEFOLD_DETAIL_LANE_BY_LANE_1(gamma_sign, int, gamma_sign(a))
LANEFOLD_DETAIL_LANE_BY_LANE_2(remainder, T, std::remainder(a, b))
LANEFOLD_DETAIL_LANE_BY_LANE_2(quotient, int, quotient(a, b))
LANEFOLD_DETAIL_LANE_BY_LANE_2(nextafter, T, std::nextafter(a, b))

#undef LANEFOLD_DETAIL_REAL_1
#undef LANEFOLD_DETAIL_REAL_2
#undef LANEFOLD_DETAIL_LANE_BY_LANE_1
#undef LANEFOLD_DETAIL_LANE_BY_LANE_2

struct exact_nextafter : real_nextafter {
  using real_nextafter::of;
  static half of(half x, half y) {
    if (x != x || y != y) {
      return std::numeric_limits<half>::quiet_NaN();
    }
    return x == y ? y : next_half(x, y > x);
  }
};

/// The type in which powers with whole exponents are computed, which has to hold all of these.
template <class T>
using power_type = std::common_type_t<T, double>;
/// The type in which roots are computed, with twice the bits.
template <class T>
using root_type = std::conditional_t<std::is_same_v<T, float>, double, long double>;

struct real_and_int_pown {
  template <class T>
  static T of(T x, int n) {
    return static_cast<T>(number_functions::pow(static_cast<power_type<T>>(x), static_cast<power_type<T>>(n)));
  }
};
struct real_and_int_rootn {
  template <class T>
  static T of(T x, int n) {
    if (n == 0 || (x < 0 && n % 2 == 0)) {
      return std::numeric_limits<T>::quiet_NaN();
    }
    using P = root_type<T>;
    const T root = static_cast<T>(std::pow(static_cast<P>(std::fabs(x)), P(1) / static_cast<P>(n)));
    return n % 2 == 0 ? root : std::copysign(root, x);
  }
};

/// F::of of a real number and an int, lane by lane. A plain real number as the second argument is converted, as it is
/// for SYCL's functions of plain numbers.
template <class F>
struct real_and_int_function {
  template <class X, class N>
  LANEFOLD_ALWAYS_INLINE auto operator()(const X& x, const N& n) const {
    if constexpr (MathObjects<X, N>) {
      return elementwise_as_given(*this, x, n);
    } else if constexpr (std::is_floating_point_v<N>) {
      return (*this)(x, static_cast<int>(n));
    } else {
      using T = common_real_t<X>;
      static_assert(std::is_integral_v<element_of<N>>, "lanefold: the second argument is a whole number");
      using V = with_lanes_t<T, X, N>;
      using W = with_lanes_t<int, X, N>;
      return lane_by_lane<T>([](T a, int b) { return F::of(a, b); }, V(operand_as<V>(x)), W(operand_as<W>(n)));
    }
  }
};

} // namespace detail
LANEFOLD_END_NAMESPACE
