// SPDX-License-Identifier: Apache-2.0
/// Keeps small integers small where nobody can tell: C++ compares them, and computes `a += b`, in int, which are four
/// registers of lanes for one of bytes. Internal.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <lanefold/simd/detail/forward.hpp>
#include <lanefold/simd/detail/promotion.hpp>
#include <lanefold/simd/registers.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// Is an integer that C++ promotes to int.
template <class T>
concept SmallInteger = std::is_integral_v<T> && sizeof(T) < sizeof(int);

/// Is the type that C++ gives to an operation on two operands.
template <class T, class U>
using arithmetic_result = decltype(std::declval<T>() + std::declval<U>());

/// Is the type in which two lanes compare as in C++: their own if they have the same.
template <class T, class U>
using compared_type = std::conditional_t<std::is_same_v<T, U>, T, arithmetic_result<T, U>>;

/// Is true if comparing a T with a U compares their values: C++ makes no negative T large.
template <class T, class U>
concept ComparesByValue =
    SmallInteger<T> && std::is_integral_v<U> && (std::is_unsigned_v<T> || std::is_signed_v<arithmetic_result<T, U>>);

/// Returns whether x is the value of a T, as a comparison with a T sees it.
template <class T, class U>
constexpr bool is_value_of(U x) {
  using R = arithmetic_result<T, U>;
  return static_cast<R>(static_cast<T>(x)) == static_cast<R>(x);
}

} // namespace detail

/// A plain integer beside lanes of small ones: it is one of their values, or all lanes compare alike with it.
#define LANEFOLD_DETAIL_SMALL_COMPARISON(op)                                                                           \
  template <Element T, detail::PlainNumber U, std::size_t N, class Isa>                                                \
    requires detail::ComparesByValue<T, U>                                                                             \
  LANEFOLD_ALWAYS_INLINE mask<N, Isa> operator op(const varying<T, N, Isa>& a, U b) {                                  \
    using R = detail::arithmetic_result<T, U>;                                                                         \
    return detail::is_value_of<T>(b) ? a op varying<T, N, Isa>(static_cast<T>(b))                                      \
                                     : mask<N, Isa>(R(0) op static_cast<R>(b));                                        \
  }                                                                                                                    \
  template <Element T, detail::PlainNumber U, std::size_t N, class Isa>                                                \
    requires detail::ComparesByValue<T, U>                                                                             \
  LANEFOLD_ALWAYS_INLINE mask<N, Isa> operator op(U a, const varying<T, N, Isa>& b) {                                  \
    using R = detail::arithmetic_result<T, U>;                                                                         \
    return detail::is_value_of<T>(a) ? varying<T, N, Isa>(static_cast<T>(a)) op b                                      \
                                     : mask<N, Isa>(static_cast<R>(a) op R(0));                                        \
  }
LANEFOLD_DETAIL_SMALL_COMPARISON(==)
LANEFOLD_DETAIL_SMALL_COMPARISON(!=)
LANEFOLD_DETAIL_SMALL_COMPARISON(<)
LANEFOLD_DETAIL_SMALL_COMPARISON(<=)
LANEFOLD_DETAIL_SMALL_COMPARISON(>)
LANEFOLD_DETAIL_SMALL_COMPARISON(>=)
#undef LANEFOLD_DETAIL_SMALL_COMPARISON

LANEFOLD_END_NAMESPACE
