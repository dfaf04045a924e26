// SPDX-License-Identifier: Apache-2.0
/// Operators for the tests of reductions and scans: for plain values and varyings alike.
#pragma once

#include "math_testing.hpp"

#include <lanefold/simd/horizontal.hpp>

#include <functional>

namespace math_testing {

/// b: the last one stays. Not commutative.
struct right {
  template <class A>
  A operator()(const A&, const A& b) const {
    return b;
  }
};

/// a: the first one stays. Not commutative.
struct left {
  template <class A>
  A operator()(const A& a, const A&) const {
    return a;
  }
};

/// The last one that is not 0. Not commutative.
struct last_nonzero {
  template <class A>
  A operator()(const A& a, const A& b) const {
    if constexpr (std::is_arithmetic_v<A>) {
      return b != A(0) ? b : a;
    } else {
      A last(a);
      lf::detail::assign(last, b, b != typename A::value_type(0));
      return last;
    }
  }
};

/// x -> p * x + q as one unsigned integer, p in the upper half of the bits and q in the lower; first a, then b.
/// Associative, not commutative.
template <class T>
struct composition {
  static constexpr int half = 4 * sizeof(T);
  static constexpr T low = static_cast<T>((T(1) << half) - 1);
  template <class A>
  A operator()(const A& a, const A& b) const {
    const auto p = (a >> half) * (b >> half), q = (b >> half) * (a & low) + b;
    return static_cast<A>((p << half) | (q & low));
  }
};

/// Takes plain values only.
template <class T>
struct plain_right {
  T operator()(T, T b) const { return b; }
};

/// Small whole numbers, so that sums are exact in any order.
template <class T>
T small_value() {
  return static_cast<T>(static_cast<int>(engine()() % 7) - (std::is_signed_v<T> ? 3 : 0));
}

/// Some of them 0, otherwise any bits; of real numbers small whole ones.
template <class T>
T sparse_value() {
  if (engine()() % 4 != 0)
    return T(0);
  if constexpr (std::is_floating_point_v<T>)
    return small_value<T>();
  else
    return static_cast<T>(engine()());
}

/// Powers of two with a sign, so that products are exact.
template <class T>
T factor() {
  static constexpr int of[] = {1, -1, 1, 1, 2, -1, 1, 1};
  return static_cast<T>(of[engine()() % 8]);
}

/// Op as C++ applies it to two T, and back to T.
template <class T, class Op>
T as_plain(T a, T b) {
  return static_cast<T>(Op{}(a, b));
}

/// check(op, name, function that makes operands of T) for operators of each kind: commutative and not.
template <class T, class F>
void for_some_operators(F check) {
  check(lf::plus<>{}, "plus<>", small_value<T>);
  check(right{}, "right", small_value<T>);
  if constexpr (std::is_unsigned_v<T>)
    check(composition<T>{}, "composition", [] { return static_cast<T>(engine()()); });
}

/// Calls check in the same way for all operators that go with T.
template <class T, class F>
void for_operators(F check) {
  for_some_operators<T>(check);
  check(std::plus<T>{}, "std::plus<T>", small_value<T>);
  check(lf::multiplies<T>{}, "multiplies<T>", factor<T>);
  check(lf::minimum<>{}, "minimum<>", small_value<T>);
  check(lf::maximum<T>{}, "maximum<T>", small_value<T>);
  check(lf::logical_and<>{}, "logical_and<>", factor<T>);
  check(lf::logical_or<T>{}, "logical_or<T>", sparse_value<T>);
  check(left{}, "left", small_value<T>);
  check(last_nonzero{}, "last_nonzero", sparse_value<T>);
  check(plain_right<T>{}, "plain_right", small_value<T>);
  if constexpr (std::is_integral_v<T>) {
    check(lf::bit_and<>{}, "bit_and<>", [] { return static_cast<T>(engine()() | engine()() | engine()()); });
    check(lf::bit_or<T>{}, "bit_or<T>", sparse_value<T>);
    check(lf::bit_xor<>{}, "bit_xor<>", [] { return static_cast<T>(engine()()); });
  }
}

} // namespace math_testing
