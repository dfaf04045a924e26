// SPDX-License-Identifier: Apache-2.0
/// Declares what range and id have in common: one to six extents with element-wise arithmetic.
#pragma once

#include <lanefold/fwd.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Calls `f` with 0, 1, … as constants. What kernels compute is written with it and not as a loop: compilers unroll
/// loops after they have decided which objects need no memory, and one with an index that varies needs some.
template <int Dimensions, class F>
LANEFOLD_ALWAYS_INLINE constexpr void for_each_dimension(F&& f) {
  [&]<int... D>(std::integer_sequence<int, D...>)
      LANEFOLD_INLINE_LAMBDA { (f(D), ...); }(std::make_integer_sequence<int, Dimensions>());
}

/// Is an operand of range's and id's operators: a Derived, an object that converts to it (a range beside an id), or an
/// integer, which counts for every dimension. A floating-point number is none: `id<1> * 0.5f` is what it is for a plain
/// index.
template <class T, class Derived>
concept coordinates_operand = std::integral<T> || (std::is_class_v<T> && std::convertible_to<const T&, Derived>);

/// The operands of a binary operator of Derived. Both types are deduced, so that nothing else converts to a Derived.
template <class A, class B, class Derived>
concept coordinates_operands = (std::same_as<A, Derived> && coordinates_operand<B, Derived>) ||
                               (std::same_as<B, Derived> && coordinates_operand<A, Derived>);

/// Base of range<Dimensions> and id<Dimensions>. Element-wise operators have SYCL's meaning: the relational and logical
/// ones give 0 or 1 for each dimension; only == and != give a bool.
// [sycl.4.9.1]
template <class Derived, int Dimensions>
class coordinates {
  static_assert(Dimensions >= 1 && Dimensions <= most_dimensions, "lanefold: an index space has one to six dimensions");

public:
  static constexpr int dimensions = Dimensions;

  /// The value for one dimension. Precondition: 0 <= dimension < dimensions.
  constexpr std::size_t get(int dimension) const { return m_values[dimension]; }
  constexpr std::size_t& operator[](int dimension) { return m_values[dimension]; }
  constexpr std::size_t operator[](int dimension) const { return m_values[dimension]; }

  template <std::same_as<Derived> A, coordinates_operand<Derived> B>
    requires(Dimensions == 1 || !std::integral<B>)
  friend constexpr bool operator==(const A& a, const B& b) {
    bool equal = true;
    for_each_dimension<Dimensions>([&](int d)
                                       LANEFOLD_INLINE_LAMBDA { equal = equal && element(a, d) == element(b, d); });
    return equal;
  }

#define LANEFOLD_DETAIL_COORDINATES_OPERATOR(op)                                                                       \
  template <class A, class B>                                                                                          \
    requires coordinates_operands<A, B, Derived>                                                                       \
  friend constexpr Derived operator op(const A& a, const B& b) {                                                       \
    Derived result;                                                                                                    \
    for_each_dimension<Dimensions>(                                                                                    \
        [&](int d) LANEFOLD_INLINE_LAMBDA { result[d] = static_cast<std::size_t>(element(a, d) op element(b, d)); });  \
    return result;                                                                                                     \
  }

#define LANEFOLD_DETAIL_COORDINATES_ASSIGNMENT(op, op_assign)                                                          \
  LANEFOLD_DETAIL_COORDINATES_OPERATOR(op)                                                                             \
  template <coordinates_operand<Derived> T>                                                                            \
  friend constexpr Derived& operator op_assign(Derived & a, const T & b) {                                             \
    return a = a op b;                                                                                                 \
  }                                                                                                                    \
  friend constexpr Derived& operator op_assign(Derived & a, const Derived & b) { /* also for braces */                 \
    return a = a op b;                                                                                                 \
  }

  LANEFOLD_DETAIL_COORDINATES_ASSIGNMENT(+, +=)
  LANEFOLD_DETAIL_COORDINATES_ASSIGNMENT(-, -=)
  LANEFOLD_DETAIL_COORDINATES_ASSIGNMENT(*, *=)
  LANEFOLD_DETAIL_COORDINATES_ASSIGNMENT(/, /=)
  LANEFOLD_DETAIL_COORDINATES_ASSIGNMENT(%, %=)
  LANEFOLD_DETAIL_COORDINATES_ASSIGNMENT(<<, <<=)
  LANEFOLD_DETAIL_COORDINATES_ASSIGNMENT(>>, >>=)
  LANEFOLD_DETAIL_COORDINATES_ASSIGNMENT(&, &=)
  LANEFOLD_DETAIL_COORDINATES_ASSIGNMENT(|, |=)
  LANEFOLD_DETAIL_COORDINATES_ASSIGNMENT(^, ^=)
  LANEFOLD_DETAIL_COORDINATES_OPERATOR(&&)
  LANEFOLD_DETAIL_COORDINATES_OPERATOR(||)
  LANEFOLD_DETAIL_COORDINATES_OPERATOR(<)
  LANEFOLD_DETAIL_COORDINATES_OPERATOR(>)
  LANEFOLD_DETAIL_COORDINATES_OPERATOR(<=)
  LANEFOLD_DETAIL_COORDINATES_OPERATOR(>=)

#undef LANEFOLD_DETAIL_COORDINATES_ASSIGNMENT
#undef LANEFOLD_DETAIL_COORDINATES_OPERATOR

  friend constexpr Derived operator+(const Derived& a) { return a; }
  friend constexpr Derived operator-(const Derived& a) { return std::size_t{0} - a; }
  friend constexpr Derived& operator++(Derived& a) { return a += std::size_t{1}; }
  friend constexpr Derived& operator--(Derived& a) { return a -= std::size_t{1}; }
  friend constexpr Derived operator++(Derived& a, int) {
    const Derived before = a;
    ++a;
    return before;
  }
  friend constexpr Derived operator--(Derived& a, int) {
    const Derived before = a;
    --a;
    return before;
  }

protected:
  constexpr coordinates() = default;
  template <std::same_as<std::size_t>... Values>
    requires(sizeof...(Values) == Dimensions)
  constexpr explicit coordinates(Values... values) : m_values{values...} {}

private:
  template <std::integral T>
  static constexpr std::size_t element(T value, int) {
    return static_cast<std::size_t>(value);
  }
  static constexpr std::size_t element(const Derived& value, int dimension) { return value.get(dimension); }

  std::size_t m_values[std::size_t{Dimensions}] = {};
};

/// "(3, 0)", for messages.
template <class Coordinates>
std::string describe_id(const Coordinates& place) {
  std::string text = "(";
  text += std::to_string(place[0]);
  for (int d = 1; d < Coordinates::dimensions; ++d) {
    text += ", ";
    text += std::to_string(place[d]);
  }
  text += ")";
  return text;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
