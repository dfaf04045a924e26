// SPDX-License-Identifier: Apache-2.0
/// Computes `a op= b` up to where it becomes a value of the type of a. Internal.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <lanefold/simd/varying.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

template <class T, std::size_t N, class Isa>
std::type_identity<T> element_of_lanes(const varying<T, N, Isa>&);

template <class X>
struct element_of_operand {
  using type = X;
};
template <varying_value X>
struct element_of_operand<X> : decltype(element_of_lanes(std::declval<const X&>())){};
template <class X>
using element_of_operand_t = typename element_of_operand<X>::type;

/// Op of two operands in lanes of a's type, if that gives the lowest bits of what C++ computes in a wider one, and
/// nobody sees the others. Unsigned, because sums of signed lanes must not overflow.
template <class Op, class T, std::size_t N, class Isa, class B>
LANEFOLD_ALWAYS_INLINE varying<T, N, Isa> lowest_bits(const varying<T, N, Isa>& a, const B& b) {
  using V = varying<std::make_unsigned_t<T>, N, Isa>;
  return varying<T, N, Isa>(binary<Op, V>(V(a), lanes_as<V>(b)));
}

/// Is true for the operands of `a op= b` that `lowest_bits` takes.
template <class A, class B>
concept SmallUpdate =
    is_varying_v<A> && SmallInteger<element_of_operand_t<A>> && std::is_integral_v<element_of_operand_t<B>>;

#define LANEFOLD_DETAIL_COMPOUND(name, op)                                                                             \
  struct name##_assigned {                                                                                             \
    template <class A, class B>                                                                                        \
    LANEFOLD_ALWAYS_INLINE auto operator()(const A& a, const B& b) const {                                             \
      if constexpr (SmallUpdate<A, B>) {                                                                               \
        return lowest_bits<name>(a, b);                                                                                \
      } else {                                                                                                         \
        return a op b;                                                                                                 \
      }                                                                                                                \
    }                                                                                                                  \
  };
LANEFOLD_DETAIL_COMPOUND(add, +)
LANEFOLD_DETAIL_COMPOUND(subtract, -)
LANEFOLD_DETAIL_COMPOUND(multiply, *)
LANEFOLD_DETAIL_COMPOUND(bitwise_and, &)
LANEFOLD_DETAIL_COMPOUND(bitwise_or, |)
LANEFOLD_DETAIL_COMPOUND(bitwise_xor, ^)
#undef LANEFOLD_DETAIL_COMPOUND

/// A number may divide small lanes as they are.
#define LANEFOLD_DETAIL_COMPOUND(name, op)                                                                             \
  struct name##_assigned {                                                                                             \
    template <class A, class B>                                                                                        \
    LANEFOLD_ALWAYS_INLINE auto operator()(const A& a, const B& b) const {                                             \
      if constexpr (SmallUpdate<A, B> && std::is_arithmetic_v<B>) {                                                    \
        using promoted = arithmetic_result<element_of_operand_t<A>, B>;                                                \
        return binary_by_uniform<name, varying<promoted, A::size(), typename A::isa>, A>(a, b);                        \
      } else {                                                                                                         \
        return a op b;                                                                                                 \
      }                                                                                                                \
    }                                                                                                                  \
  };
LANEFOLD_DETAIL_COMPOUND(divide, /)
LANEFOLD_DETAIL_COMPOUND(remainder, %)
#undef LANEFOLD_DETAIL_COMPOUND

#define LANEFOLD_DETAIL_COMPOUND(name, op)                                                                             \
  struct name##_assigned {                                                                                             \
    template <class A, class B>                                                                                        \
    LANEFOLD_ALWAYS_INLINE auto operator()(const A& a, const B& b) const {                                             \
      return a op b;                                                                                                   \
    }                                                                                                                  \
  };
LANEFOLD_DETAIL_COMPOUND(shift_left, <<)
LANEFOLD_DETAIL_COMPOUND(shift_right, >>)
#undef LANEFOLD_DETAIL_COMPOUND

} // namespace detail
LANEFOLD_END_NAMESPACE
