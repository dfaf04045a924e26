// SPDX-License-Identifier: Apache-2.0
/// Arithmetic on a half for each work-item of a sub-group.
#pragma once

#include <lanefold/memory/half.hpp>
#include <lanefold/memory/varying_record.hpp>

#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

template <std::size_t N, class Isa>
void is_varying_half_test(const varying<half, N, Isa>&);
/// Is a varying of halves, or a variable or an element that is one.
template <class X>
concept VaryingHalf = requires(const X& x) { detail::is_varying_half_test(x); };
/// Are two halves of which at least one is varying, not both: those are any struct's (varying_record.hpp).
template <class A, class B>
concept VaryingHalfAndPlain =
    (VaryingHalf<A> && std::is_same_v<B, half>) || (std::is_same_v<A, half> && VaryingHalf<B>);
template <class A, class B>
concept VaryingHalves = VaryingHalfAndPlain<A, B> || (VaryingHalf<A> && VaryingHalf<B>);

} // namespace detail

// They work lane by lane, each as the operator of half: in float, rounded back.
#define LANEFOLD_DETAIL_HALF_OPERATOR(op, Operands)                                                                    \
  template <class A, class B>                                                                                          \
    requires detail::Operands<A, B>                                                                                    \
  LANEFOLD_ALWAYS_INLINE auto operator op(const A& a, const B& b) {                                                    \
    return lane_wise([](half x, half y) LANEFOLD_INLINE_LAMBDA { return x op y; }, a, b);                              \
  }
LANEFOLD_DETAIL_HALF_OPERATOR(+, VaryingHalfAndPlain)
LANEFOLD_DETAIL_HALF_OPERATOR(-, VaryingHalfAndPlain)
LANEFOLD_DETAIL_HALF_OPERATOR(*, VaryingHalfAndPlain)
LANEFOLD_DETAIL_HALF_OPERATOR(==, VaryingHalfAndPlain)
LANEFOLD_DETAIL_HALF_OPERATOR(!=, VaryingHalfAndPlain)
LANEFOLD_DETAIL_HALF_OPERATOR(/, VaryingHalves)
LANEFOLD_DETAIL_HALF_OPERATOR(<, VaryingHalves)
LANEFOLD_DETAIL_HALF_OPERATOR(<=, VaryingHalves)
LANEFOLD_DETAIL_HALF_OPERATOR(>, VaryingHalves)
LANEFOLD_DETAIL_HALF_OPERATOR(>=, VaryingHalves)
#undef LANEFOLD_DETAIL_HALF_OPERATOR
template <std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE varying<half, N, Isa> operator-(const varying<half, N, Isa>& x) {
  return lane_wise([](half y) LANEFOLD_INLINE_LAMBDA { return -y; }, x);
}

/// Converted to U, as a half converts, and numbers to half.
template <class U>
LANEFOLD_ALWAYS_INLINE constexpr U convert(half x) {
  return static_cast<U>(static_cast<float>(x));
}
template <class U, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE varying<U, N, Isa> convert(const varying<half, N, Isa>& x) {
  return lane_wise([](half y) LANEFOLD_INLINE_LAMBDA { return static_cast<U>(static_cast<float>(y)); }, x);
}
template <class U, class T, std::size_t N, class Isa>
  requires(std::is_same_v<U, half> && std::is_arithmetic_v<T>)
LANEFOLD_ALWAYS_INLINE varying<half, N, Isa> convert(const varying<T, N, Isa>& x) {
  return lane_wise([](T y) LANEFOLD_INLINE_LAMBDA { return half(y); }, x);
}

LANEFOLD_END_NAMESPACE
