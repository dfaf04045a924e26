// SPDX-License-Identifier: Apache-2.0
/// Function objects for reductions and scans. [sycl.4.17.2]
///
/// `plus<T>` takes two T and returns a T, `plus<>` takes whatever has the operator. Both take varyings too, lane by
/// lane: `plus<T>` converts them to T and returns a varying of T, without the promotion of small integers. The logical
/// ones return bool, and a mask of varyings or masks.
#pragma once

#include <functional>
#include <type_traits>

#include <lanefold/simd/arithmetic.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// Two operands of which at least one varies.
template <class A, class B>
concept VaryingOperands = Operand<A> && Operand<B> && !(std::is_arithmetic_v<A> && std::is_arithmetic_v<B>);

#define LANEFOLD_DETAIL_OPERATOR(name, op)                                                                             \
  struct register_##name {                                                                                             \
    template <class Isa, class R>                                                                                      \
    LANEFOLD_ALWAYS_INLINE R operator()(const R& a, const R& b) const {                                                \
      using T = element_t<R>;                                                                                          \
      if constexpr (is_vector<R> && std::is_integral_v<T> && sizeof(T) < sizeof(int)) {                                \
        using bits = vector_t<same_width<T>, register_traits<R>::lanes>; /* small integers wrap */                     \
        return to_register<R>(((bits)to_vector(a))op((bits)to_vector(b)));                                             \
      } else {                                                                                                         \
        return to_register<R>(to_vector(a) op to_vector(b));                                                           \
      }                                                                                                                \
    }                                                                                                                  \
  };                                                                                                                   \
  struct transparent_##name {                                                                                          \
    template <class A, class B>                                                                                        \
    LANEFOLD_ALWAYS_INLINE constexpr auto operator()(const A& a, const B& b) const {                                   \
      return a op b;                                                                                                   \
    }                                                                                                                  \
  };
LANEFOLD_DETAIL_OPERATOR(plus, +)
LANEFOLD_DETAIL_OPERATOR(multiplies, *)
LANEFOLD_DETAIL_OPERATOR(bit_and, &)
LANEFOLD_DETAIL_OPERATOR(bit_or, |)
LANEFOLD_DETAIL_OPERATOR(bit_xor, ^)
#undef LANEFOLD_DETAIL_OPERATOR

/// A class whose smaller and greater values are known to its own functions `min` and `max`: vectors, element by
/// element.
template <class A>
concept HasExtremes = std::is_class_v<A> && requires(const A& a) {
  requires !std::is_reference_v<decltype(min(a, a))>; // not those of the standard library
  requires !std::is_reference_v<decltype(max(a, a))>;
};

#define LANEFOLD_DETAIL_EXTREME(name, function, of_plain)                                                              \
  struct transparent_##name {                                                                                          \
    template <class A, class B>                                                                                        \
    LANEFOLD_ALWAYS_INLINE constexpr auto operator()(const A& a, const B& b) const {                                   \
      if constexpr (VaryingOperands<A, B>)                                                                             \
        return function(a, b);                                                                                         \
      else if constexpr (HasExtremes<A> && std::is_same_v<A, B>)                                                       \
        return function(a, b);                                                                                         \
      else                                                                                                             \
        return of_plain;                                                                                               \
    }                                                                                                                  \
  };
LANEFOLD_DETAIL_EXTREME(minimum, min, b < a ? b : a)
LANEFOLD_DETAIL_EXTREME(maximum, max, a < b ? b : a)
#undef LANEFOLD_DETAIL_EXTREME

/// Returns whether a value is not 0, lane by lane for varyings; returns anything but a number as it is.
template <class A>
LANEFOLD_ALWAYS_INLINE constexpr decltype(auto) as_condition(const A& a) {
  if constexpr (std::is_arithmetic_v<A>)
    return a != A(0);
  else if constexpr (Operand<A>)
    return operand(a) != element_of<A>(0);
  else
    return (a);
}

#define LANEFOLD_DETAIL_LOGICAL(name, op)                                                                              \
  struct transparent_##name {                                                                                          \
    template <class A, class B>                                                                                        \
    LANEFOLD_ALWAYS_INLINE constexpr auto operator()(const A& a, const B& b) const {                                   \
      return as_condition(a) op as_condition(b);                                                                       \
    }                                                                                                                  \
  };
LANEFOLD_DETAIL_LOGICAL(logical_and, &&)
LANEFOLD_DETAIL_LOGICAL(logical_or, ||)
#undef LANEFOLD_DETAIL_LOGICAL

using register_minimum = register_min;
using register_maximum = register_max;

} // namespace detail

#define LANEFOLD_DETAIL_FUNCTION_OBJECT(name)                                                                          \
  template <class T = void>                                                                                            \
  struct name {                                                                                                        \
    LANEFOLD_ALWAYS_INLINE constexpr T operator()(const T& a, const T& b) const {                                      \
      return static_cast<T>(detail::transparent_##name{}(a, b));                                                       \
    }                                                                                                                  \
    template <class A, class B>                                                                                        \
      requires detail::VaryingOperands<A, B>                                                                           \
    LANEFOLD_ALWAYS_INLINE auto operator()(const A& a, const B& b) const {                                             \
      return detail::apply<T>(detail::register_##name{}, a, b);                                                        \
    }                                                                                                                  \
  };                                                                                                                   \
  template <>                                                                                                          \
  struct name<void> : detail::transparent_##name {                                                                     \
    using is_transparent = void;                                                                                       \
  };

/// a + b
LANEFOLD_DETAIL_FUNCTION_OBJECT(plus)
/// a * b
LANEFOLD_DETAIL_FUNCTION_OBJECT(multiplies)
/// a & b
LANEFOLD_DETAIL_FUNCTION_OBJECT(bit_and)
/// a | b
LANEFOLD_DETAIL_FUNCTION_OBJECT(bit_or)
/// a ^ b
LANEFOLD_DETAIL_FUNCTION_OBJECT(bit_xor)
/// b < a ? b : a
LANEFOLD_DETAIL_FUNCTION_OBJECT(minimum)
/// a < b ? b : a
LANEFOLD_DETAIL_FUNCTION_OBJECT(maximum)
#undef LANEFOLD_DETAIL_FUNCTION_OBJECT

#define LANEFOLD_DETAIL_FUNCTION_OBJECT(name)                                                                          \
  template <class T = void>                                                                                            \
  struct name {                                                                                                        \
    LANEFOLD_ALWAYS_INLINE constexpr bool operator()(const T& a, const T& b) const {                                   \
      return static_cast<bool>(detail::transparent_##name{}(a, b));                                                    \
    }                                                                                                                  \
    template <class A, class B>                                                                                        \
      requires detail::VaryingOperands<A, B>                                                                           \
    LANEFOLD_ALWAYS_INLINE auto operator()(const A& a, const B& b) const {                                             \
      return detail::transparent_##name{}(a, b);                                                                       \
    }                                                                                                                  \
  };                                                                                                                   \
  template <>                                                                                                          \
  struct name<void> : detail::transparent_##name {                                                                     \
    using is_transparent = void;                                                                                       \
  };

/// a && b; both are evaluated.
LANEFOLD_DETAIL_FUNCTION_OBJECT(logical_and)
/// a || b; both are evaluated.
LANEFOLD_DETAIL_FUNCTION_OBJECT(logical_or)
#undef LANEFOLD_DETAIL_FUNCTION_OBJECT

/// Is true if op(a, b) is always op(b, a), so that reductions may pair lanes as is fastest. It is known of the function
/// objects here and of their relatives in <functional>; specialise it for operators of your own. Other operators get
/// their operands in the order of the lanes.
template <class Op>
inline constexpr bool is_commutative_v = false;
template <class Op>
inline constexpr bool is_commutative_v<const Op> = is_commutative_v<Op>;

#define LANEFOLD_DETAIL_COMMUTATIVE(op)                                                                                \
  template <class T>                                                                                                   \
  inline constexpr bool is_commutative_v<op<T>> = true;
LANEFOLD_DETAIL_COMMUTATIVE(plus)
LANEFOLD_DETAIL_COMMUTATIVE(multiplies)
LANEFOLD_DETAIL_COMMUTATIVE(bit_and)
LANEFOLD_DETAIL_COMMUTATIVE(bit_or)
LANEFOLD_DETAIL_COMMUTATIVE(bit_xor)
LANEFOLD_DETAIL_COMMUTATIVE(minimum)
LANEFOLD_DETAIL_COMMUTATIVE(maximum)
LANEFOLD_DETAIL_COMMUTATIVE(logical_and)
LANEFOLD_DETAIL_COMMUTATIVE(logical_or)
LANEFOLD_DETAIL_COMMUTATIVE(std::plus)
LANEFOLD_DETAIL_COMMUTATIVE(std::multiplies)
LANEFOLD_DETAIL_COMMUTATIVE(std::bit_and)
LANEFOLD_DETAIL_COMMUTATIVE(std::bit_or)
LANEFOLD_DETAIL_COMMUTATIVE(std::bit_xor)
LANEFOLD_DETAIL_COMMUTATIVE(std::logical_and)
LANEFOLD_DETAIL_COMMUTATIVE(std::logical_or)
#undef LANEFOLD_DETAIL_COMMUTATIVE

LANEFOLD_END_NAMESPACE
