// SPDX-License-Identifier: Apache-2.0
/// The values that an operator leaves its other operand unchanged by. [sycl.4.17.2.2]
#pragma once

#include <lanefold/memory/vec.hpp>
#include <lanefold/simd/functional.hpp>

#include <complex>
#include <concepts>
#include <limits>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The identity of an operator template on T: no member `value` where there is none.
template <template <class> class Op, class T>
struct identity_of {};

template <class T>
concept Number = std::is_arithmetic_v<T>;
template <class T>
concept Arithmetic = Number<T> || std::is_same_v<T, half>;

#define LANEFOLD_DETAIL_IDENTITY(op, Concept, expression)                                                              \
  template <Concept T>                                                                                                 \
  struct identity_of<op, T> {                                                                                          \
    static constexpr T value = expression;                                                                             \
  };
LANEFOLD_DETAIL_IDENTITY(plus, Arithmetic, T(0))
LANEFOLD_DETAIL_IDENTITY(multiplies, Arithmetic, T(1))
LANEFOLD_DETAIL_IDENTITY(bit_and, std::integral, static_cast<T>(~T(0)))
LANEFOLD_DETAIL_IDENTITY(bit_or, std::integral, T(0))
LANEFOLD_DETAIL_IDENTITY(bit_xor, std::integral, T(0))
LANEFOLD_DETAIL_IDENTITY(logical_and, Arithmetic, T(1))
LANEFOLD_DETAIL_IDENTITY(logical_or, Arithmetic, T(0))
LANEFOLD_DETAIL_IDENTITY(minimum, Number,
                         (std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                               : std::numeric_limits<T>::max()))
LANEFOLD_DETAIL_IDENTITY(maximum, Number,
                         (std::numeric_limits<T>::has_infinity ? static_cast<T>(-std::numeric_limits<T>::infinity())
                                                               : std::numeric_limits<T>::lowest()))
#undef LANEFOLD_DETAIL_IDENTITY

/// bool has no ~ that stays a bool.
template <>
struct identity_of<bit_and, bool> {
  static constexpr bool value = true;
};

template <>
struct identity_of<minimum, half> {
  static constexpr half value{std::numeric_limits<float>::infinity()};
};
template <>
struct identity_of<maximum, half> {
  static constexpr half value{-std::numeric_limits<float>::infinity()};
};

/// Complex numbers, as sycl_ext_oneapi_complex_algorithms has them.
template <class T>
struct identity_of<plus, std::complex<T>> {
  static constexpr std::complex<T> value{};
};
template <class T>
struct identity_of<multiplies, std::complex<T>> {
  static constexpr std::complex<T> value{T(1)};
};

/// Vectors: that of each element, for operators that work element by element.
template <template <class> class Op, class T, int N>
  requires requires { identity_of<Op, T>::value; }
struct identity_of<Op, vec<T, N>> {
  static constexpr vec<T, N> value{identity_of<Op, T>::value};
};
template <class T, int N>
struct identity_of<logical_and, vec<T, N>> {};
template <class T, int N>
struct identity_of<logical_or, vec<T, N>> {};

template <class Op, class T>
struct identity_for {};
#define LANEFOLD_DETAIL_IDENTITY_FOR(op, name)                                                                         \
  template <class T>                                                                                                   \
  struct identity_for<op<T>, T> : identity_of<name, T> {};                                                             \
  template <class T>                                                                                                   \
  struct identity_for<op<void>, T> : identity_of<name, T> {};
LANEFOLD_DETAIL_IDENTITY_FOR(plus, plus)
LANEFOLD_DETAIL_IDENTITY_FOR(multiplies, multiplies)
LANEFOLD_DETAIL_IDENTITY_FOR(bit_and, bit_and)
LANEFOLD_DETAIL_IDENTITY_FOR(bit_or, bit_or)
LANEFOLD_DETAIL_IDENTITY_FOR(bit_xor, bit_xor)
LANEFOLD_DETAIL_IDENTITY_FOR(logical_and, logical_and)
LANEFOLD_DETAIL_IDENTITY_FOR(logical_or, logical_or)
LANEFOLD_DETAIL_IDENTITY_FOR(minimum, minimum)
LANEFOLD_DETAIL_IDENTITY_FOR(maximum, maximum)
LANEFOLD_DETAIL_IDENTITY_FOR(std::plus, plus)
LANEFOLD_DETAIL_IDENTITY_FOR(std::multiplies, multiplies)
LANEFOLD_DETAIL_IDENTITY_FOR(std::bit_and, bit_and)
LANEFOLD_DETAIL_IDENTITY_FOR(std::bit_or, bit_or)
LANEFOLD_DETAIL_IDENTITY_FOR(std::bit_xor, bit_xor)
LANEFOLD_DETAIL_IDENTITY_FOR(std::logical_and, logical_and)
LANEFOLD_DETAIL_IDENTITY_FOR(std::logical_or, logical_or)
#undef LANEFOLD_DETAIL_IDENTITY_FOR

} // namespace detail

/// `value`: op(value, x) and op(x, value) are x, for the function objects of SYCL (typed or transparent, and those of
/// <functional>) on arithmetic types and, but for the logical ones, vectors of them; and for sums and products of
/// std::complex. For operators and types of your
/// own specialise it: `template <> struct lanefold::known_identity<my_op, my_type> { static constexpr my_type value{…};
/// };`
// [sycl.4.17.2.2]
template <class BinaryOperation, class AccumulatorT>
struct known_identity : detail::identity_for<std::remove_cv_t<BinaryOperation>, std::remove_cv_t<AccumulatorT>> {};

template <class BinaryOperation, class AccumulatorT>
inline constexpr AccumulatorT known_identity_v = known_identity<BinaryOperation, AccumulatorT>::value;

/// Is true if `known_identity` knows one.
template <class BinaryOperation, class AccumulatorT>
    struct has_known_identity : std::bool_constant < requires {
  known_identity<BinaryOperation, AccumulatorT>::value;
}>{};

template <class BinaryOperation, class AccumulatorT>
inline constexpr bool has_known_identity_v = has_known_identity<BinaryOperation, AccumulatorT>::value;

LANEFOLD_END_NAMESPACE
