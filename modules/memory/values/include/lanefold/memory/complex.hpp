// SPDX-License-Identifier: Apache-2.0
/// Complex numbers that kernels may use, of half too (sycl_ext_oneapi_complex). Their functions are those of
/// std::complex, computed in float for half and rounded once.
#pragma once

#include <lanefold/memory/half.hpp>

#include <complex>
#include <concepts>
#include <istream>
#include <ostream>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Is the type that functions of complex numbers of T are computed in.
template <class T>
using wide_complex = std::complex<std::conditional_t<std::same_as<T, half>, float, T>>;

/// Is the type of the parts of a complex number that is made of a real number of this type.
template <class X>
using real_of_complex = std::conditional_t<std::is_integral_v<X>, double, X>;
/// Is the one of two types that holds the numbers of both.
template <class T, class U>
using wider_complex = std::conditional_t<(sizeof(U) > sizeof(T)), U, T>;

} // namespace detail

namespace ext::oneapi::experimental {

/// Is true for the numbers that a complex may be made of: half, float and double.
template <class T>
struct is_gencomplex : std::false_type {};
template <class T>
inline constexpr bool is_gencomplex_v = is_gencomplex<T>::value;

/// A complex number of two T: half, float or double.
template <class T>
class complex {
  static_assert(std::same_as<T, half> || std::same_as<T, float> || std::same_as<T, double>,
                "lanefold: a complex is made of half, float or double");
  using wide = lanefold::detail::wide_complex<T>;

public:
  using value_type = T;

  constexpr complex(T real = T(0.f), T imag = T(0.f)) : m_real(real), m_imag(imag) {}
  template <class U>
    requires(!std::same_as<U, T>)
  constexpr explicit(sizeof(U) > sizeof(T)) complex(const complex<U>& z)
      : m_real(static_cast<T>(z.real())), m_imag(static_cast<T>(z.imag())) {}
  template <class U>
  constexpr complex(const std::complex<U>& z) : m_real(static_cast<T>(z.real())), m_imag(static_cast<T>(z.imag())) {}

  template <class U>
  constexpr operator std::complex<U>() const {
    return {static_cast<U>(m_real), static_cast<U>(m_imag)};
  }

  constexpr T real() const { return m_real; }
  constexpr T imag() const { return m_imag; }
  constexpr void real(T value) { m_real = value; }
  constexpr void imag(T value) { m_imag = value; }

  constexpr complex& operator=(T real) { return *this = complex(real); }
  template <class U>
  constexpr complex& operator=(const complex<U>& z) {
    return *this = complex(static_cast<T>(z.real()), static_cast<T>(z.imag()));
  }

#define LANEFOLD_DETAIL_COMPLEX_OPERATOR(op)                                                                           \
  friend complex operator op(const complex& a, const complex& b) { return wide(a) op wide(b); }                        \
  friend complex operator op(const complex& a, T b) { return wide(a) op typename wide::value_type(b); }                \
  friend complex operator op(T a, const complex& b) { return typename wide::value_type(a) op wide(b); }                \
  template <class U>                                                                                                   \
  complex& operator op##=(const complex<U>& z) {                                                                       \
    return *this = *this op complex(static_cast<T>(z.real()), static_cast<T>(z.imag()));                               \
  }                                                                                                                    \
  complex& operator op##=(T value) { return *this = *this op value; }
  LANEFOLD_DETAIL_COMPLEX_OPERATOR(+)
  LANEFOLD_DETAIL_COMPLEX_OPERATOR(-)
  LANEFOLD_DETAIL_COMPLEX_OPERATOR(*)
  LANEFOLD_DETAIL_COMPLEX_OPERATOR(/)
#undef LANEFOLD_DETAIL_COMPLEX_OPERATOR
  friend constexpr complex operator+(const complex& z) { return z; }
  friend constexpr complex operator-(const complex& z) { return {T(-z.m_real), T(-z.m_imag)}; }
  friend constexpr bool operator==(const complex& a, const complex& b) {
    return a.m_real == b.m_real && a.m_imag == b.m_imag;
  }
  friend constexpr bool operator==(const complex& a, T b) { return a == complex(b); }

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, const complex& z) {
    return out << wide(z);
  }
  template <class Char, class Traits>
  friend std::basic_istream<Char, Traits>& operator>>(std::basic_istream<Char, Traits>& in, complex& z) {
    wide read(z);
    in >> read;
    z = read;
    return in;
  }

private:
  T m_real;
  T m_imag;
};

template <>
struct is_gencomplex<complex<half>> : std::true_type {};
template <>
struct is_gencomplex<complex<float>> : std::true_type {};
template <>
struct is_gencomplex<complex<double>> : std::true_type {};

// Functions of one complex number, with a complex result.
#define LANEFOLD_DETAIL_COMPLEX_FUNCTION(function)                                                                     \
  template <class T>                                                                                                   \
  complex<T> function(const complex<T>& z) {                                                                           \
    return std::function(lanefold::detail::wide_complex<T>(z));                                                        \
  }
LANEFOLD_DETAIL_COMPLEX_FUNCTION(acos)
LANEFOLD_DETAIL_COMPLEX_FUNCTION(acosh)
LANEFOLD_DETAIL_COMPLEX_FUNCTION(asin)
LANEFOLD_DETAIL_COMPLEX_FUNCTION(asinh)
LANEFOLD_DETAIL_COMPLEX_FUNCTION(atan)
LANEFOLD_DETAIL_COMPLEX_FUNCTION(atanh)
LANEFOLD_DETAIL_COMPLEX_FUNCTION(conj)
LANEFOLD_DETAIL_COMPLEX_FUNCTION(cos)
LANEFOLD_DETAIL_COMPLEX_FUNCTION(cosh)
LANEFOLD_DETAIL_COMPLEX_FUNCTION(exp)
LANEFOLD_DETAIL_COMPLEX_FUNCTION(log)
LANEFOLD_DETAIL_COMPLEX_FUNCTION(log10)
LANEFOLD_DETAIL_COMPLEX_FUNCTION(proj)
LANEFOLD_DETAIL_COMPLEX_FUNCTION(sin)
LANEFOLD_DETAIL_COMPLEX_FUNCTION(sinh)
LANEFOLD_DETAIL_COMPLEX_FUNCTION(sqrt)
LANEFOLD_DETAIL_COMPLEX_FUNCTION(tan)
LANEFOLD_DETAIL_COMPLEX_FUNCTION(tanh)
#undef LANEFOLD_DETAIL_COMPLEX_FUNCTION

// Functions of one complex number, with a real result.
#define LANEFOLD_DETAIL_COMPLEX_FUNCTION(function)                                                                     \
  template <class T>                                                                                                   \
  T function(const complex<T>& z) {                                                                                    \
    return T(std::function(lanefold::detail::wide_complex<T>(z)));                                                     \
  }
LANEFOLD_DETAIL_COMPLEX_FUNCTION(abs)
LANEFOLD_DETAIL_COMPLEX_FUNCTION(arg)
LANEFOLD_DETAIL_COMPLEX_FUNCTION(imag)
LANEFOLD_DETAIL_COMPLEX_FUNCTION(norm)
LANEFOLD_DETAIL_COMPLEX_FUNCTION(real)
#undef LANEFOLD_DETAIL_COMPLEX_FUNCTION

// The same functions of a real number; whole numbers count as double.
#define LANEFOLD_DETAIL_COMPLEX_FUNCTION(function)                                                                     \
  template <class X>                                                                                                   \
    requires std::is_arithmetic_v<X>                                                                                   \
  auto function(X x) {                                                                                                 \
    using real_type = lanefold::detail::real_of_complex<X>;                                                            \
    return function(complex<real_type>(static_cast<real_type>(x)));                                                    \
  }
LANEFOLD_DETAIL_COMPLEX_FUNCTION(arg)
LANEFOLD_DETAIL_COMPLEX_FUNCTION(conj)
LANEFOLD_DETAIL_COMPLEX_FUNCTION(imag)
LANEFOLD_DETAIL_COMPLEX_FUNCTION(norm)
LANEFOLD_DETAIL_COMPLEX_FUNCTION(proj)
LANEFOLD_DETAIL_COMPLEX_FUNCTION(real)
#undef LANEFOLD_DETAIL_COMPLEX_FUNCTION

/// The power, in the wider of both types; one of the two may be a real number, whole ones count as double.
template <class T, class U>
auto pow(const complex<T>& a, const complex<U>& b) {
  using result = lanefold::detail::wider_complex<T, U>;
  using wide = lanefold::detail::wide_complex<result>;
  return complex<result>(std::pow(wide(a), wide(b)));
}
template <class T, class X>
  requires(std::is_arithmetic_v<X> || std::same_as<X, half>)
auto pow(const complex<T>& a, X b) {
  using real_type = lanefold::detail::real_of_complex<X>;
  return pow(a, complex<real_type>(static_cast<real_type>(b)));
}
template <class X, class T>
  requires(std::is_arithmetic_v<X> || std::same_as<X, half>)
auto pow(X a, const complex<T>& b) {
  using real_type = lanefold::detail::real_of_complex<X>;
  return pow(complex<real_type>(static_cast<real_type>(a)), b);
}

/// The complex number of that length, 0 or more, and that angle in radians.
template <class T>
complex<T> polar(T length, std::type_identity_t<T> angle = T(0.f)) {
  using real_type = typename lanefold::detail::wide_complex<T>::value_type;
  return std::polar(real_type(length), real_type(angle));
}

} // namespace ext::oneapi::experimental
LANEFOLD_END_NAMESPACE
