// SPDX-License-Identifier: Apache-2.0
/// The relational functions of SYCL 2020. [sycl.4.17.9]
///
/// They take numbers, half, vec, swizzles, marray, varyings and varying vectors. Their answer is a bool for numbers, a
/// mask for varyings, an marray of bools for marray, and for vectors integers of the size of the elements: -1 where it
/// holds, else 0. Comparisons with NaN do not hold, but for isnotequal and isunordered.
#pragma once

#include <lanefold/memory/detail/function_overloads.hpp>
#include <lanefold/simd/arithmetic.hpp>

#include <bit>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// F::of of two real numbers, in the type that they have in common, or of two varyings.
template <class F>
struct relational_function {
  template <class X, class Y>
  LANEFOLD_ALWAYS_INLINE auto operator()(const X& x, const Y& y) const {
    if constexpr (MathObjects<X, Y>) {
      return relation(*this, x, y);
    } else {
      using V = with_lanes_t<common_real_t<X, Y>, X, Y>;
      return F::of(V(operand_as<V>(x)), V(operand_as<V>(y)));
    }
  }
};

} // namespace detail

#define LANEFOLD_DETAIL_RELATION(name, ...)                                                                            \
  namespace detail {                                                                                                   \
  struct relational_##name {                                                                                           \
    template <class V>                                                                                                 \
    LANEFOLD_ALWAYS_INLINE static auto of(const V& a, const V& b) {                                                    \
      return __VA_ARGS__;                                                                                              \
    }                                                                                                                  \
  };                                                                                                                   \
  }                                                                                                                    \
  LANEFOLD_DETAIL_MATH(2, relational, name)
LANEFOLD_DETAIL_RELATION(isequal, a == b)
LANEFOLD_DETAIL_RELATION(isnotequal, a != b)
LANEFOLD_DETAIL_RELATION(isgreater, a > b)
LANEFOLD_DETAIL_RELATION(isgreaterequal, a >= b)
LANEFOLD_DETAIL_RELATION(isless, a < b)
LANEFOLD_DETAIL_RELATION(islessequal, a <= b)
LANEFOLD_DETAIL_RELATION(islessgreater, a<b || a> b)
LANEFOLD_DETAIL_RELATION(isordered, a == a && b == b) ///< neither is NaN
LANEFOLD_DETAIL_RELATION(isunordered, a != a || b != b)
#undef LANEFOLD_DETAIL_RELATION

LANEFOLD_DETAIL_ELEMENTWISE(1, relation, isfinite)
LANEFOLD_DETAIL_ELEMENTWISE(1, relation, isinf)
LANEFOLD_DETAIL_ELEMENTWISE(1, relation, isnan)
LANEFOLD_DETAIL_ELEMENTWISE(1, relation, signbit)

namespace detail {

struct is_normal {
  template <class X>
  LANEFOLD_ALWAYS_INLINE auto operator()(const X& x) const {
    if constexpr (is_half<X>) { // not as of float, which holds denormals of half as normal numbers
      const auto size = fabs(halves_as_floats(math_object(x)));
      return size >= 0x1p-14F && size <= 65504.F;
    } else if constexpr (MathObject<X>) {
      return relation(*this, x);
    } else {
      return lanefold::isnormal(x);
    }
  }
};

} // namespace detail

template <detail::deduced = detail::deduced{}, class X>
  requires detail::NotOperands<X>
LANEFOLD_ALWAYS_INLINE auto isnormal(const X& x) {
  return detail::is_normal{}(detail::converted(x));
}
template <class X>
  requires detail::WithElements<X>
LANEFOLD_ALWAYS_INLINE auto isnormal(const X& x) {
  return detail::is_normal{}(x);
}

namespace detail {

template <class X>
struct vote_result {
  using type = bool;
};
template <MathObject X>
  requires(shape_of<X>::rank == 2 && !std::is_same_v<typename shape_of<X>::flag, bool>)
struct vote_result<X> {
  using type = int;
};
template <class X>
using vote_type = typename vote_result<X>::type;

} // namespace detail

/// Return whether the highest bit of an element of a vector (or of an integer) is set, or an element of an marray of
/// bools: of any, of all. The answer is uniform: a bool, for vectors an int.
template <class X>
  requires(detail::MathObject<X> || (std::is_integral_v<X> && !std::is_same_v<X, bool>))
LANEFOLD_ALWAYS_INLINE constexpr detail::vote_type<X> any(const X& x) {
  if constexpr (detail::MathObject<X>) {
    const auto& v = detail::math_argument(x);
    bool found = false;
    for (int i = 0; i < detail::shape_of<X>::size; ++i) {
      found = found || lanefold::any(detail::math_element<void>(v, i));
    }
    return found;
  } else {
    return static_cast<std::make_signed_t<X>>(x) < 0;
  }
}
template <class X>
  requires(detail::MathObject<X> || (std::is_integral_v<X> && !std::is_same_v<X, bool>))
LANEFOLD_ALWAYS_INLINE constexpr detail::vote_type<X> all(const X& x) {
  if constexpr (detail::MathObject<X>) {
    const auto& v = detail::math_argument(x);
    bool holds = true;
    for (int i = 0; i < detail::shape_of<X>::size; ++i) {
      holds = holds && lanefold::all(detail::math_element<void>(v, i));
    }
    return holds;
  } else {
    return static_cast<std::make_signed_t<X>>(x) < 0;
  }
}

namespace detail {

/// The bits of b where those of c are set, those of a elsewhere.
template <class T>
constexpr T selected_bits(T a, T b, T c) {
  using U = typename sized_integer<sizeof(T), false>::type;
  const U mask = std::bit_cast<U>(c);
  return std::bit_cast<T>(static_cast<U>((std::bit_cast<U>(a) & static_cast<U>(~mask)) | (std::bit_cast<U>(b) & mask)));
}
struct bitselect_function {
  template <class A, class B, class C>
  LANEFOLD_ALWAYS_INLINE auto operator()(const A& a, const B& b, const C& c) const {
    if constexpr (std::is_same_v<A, half> && std::is_same_v<B, half> && std::is_same_v<C, half>) {
      return selected_bits(a, b, c);
    } else if constexpr (is_half<A> && is_half<B> && is_half<C>) {
      return lane_wise(selected_bits<half>, a, b, c);
    } else if constexpr (MathObjects<A, B, C>) {
      return elementwise(*this, a, b, c);
    } else {
      using T = common_element_t<A, B, C>;
      using V = with_lanes_t<T, A, B, C>;
      return lane_by_lane<T>([](T x, T y, T z) { return selected_bits(x, y, z); }, V(operand_as<V>(a)),
                             V(operand_as<V>(b)), V(operand_as<V>(c)));
    }
  }
};

} // namespace detail

/// The bits of b where those of c are set, those of a elsewhere.
template <class A, class B, class C>
  requires detail::MathArguments<A, B, C>
LANEFOLD_ALWAYS_INLINE auto bitselect(const A& a, const B& b, const C& c) {
  return detail::bitselect_function{}(a, b, c);
}

/// SYCL's order of arguments: c ? b : a. For numbers c is a bool, or (but for half and bfloat16) a
/// number, which is true unless it is 0, for varyings a mask, for vectors one of integers of the same size, whose
/// highest bits count, for marray one of bools; for both c may also be one bool for all elements. (With a bool or a
/// mask as *first* argument it is select(condition, a, b) of select.hpp: also where all three are bools or masks.)
template <class A, class B, class C>
  requires(detail::Operand<A> && detail::Operand<B> && !std::is_same_v<A, bool> &&
           (std::is_same_v<C, bool> || (std::is_arithmetic_v<A> && std::is_arithmetic_v<B> && std::is_arithmetic_v<C>)))
LANEFOLD_ALWAYS_INLINE auto select(const A& a, const B& b, const C& c) {
  return lanefold::select(c != C(0), b, a);
}
template <detail::Operand A, detail::Operand B, std::size_t N, class Isa>
  requires(!std::is_same_v<A, bool>)
LANEFOLD_ALWAYS_INLINE auto select(const A& a, const B& b, const mask<N, Isa>& c) {
  return lanefold::select(c, b, a);
}
template <detail::CompositeElement T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE varying<T, N, Isa> select(const varying<T, N, Isa>& a, const varying<T, N, Isa>& b,
                                                 const mask<N, Isa>& c) {
  return b.blended(c, a);
}
template <class A, class B, class C>
  requires(detail::MathObjects<A, B> && (detail::MathObject<C> || std::is_same_v<C, bool>))
LANEFOLD_ALWAYS_INLINE auto select(const A& a, const B& b, const C& c) {
  if constexpr (detail::SmallRealOperands<A, B>) {
    using V = typename detail::small_real_pair<A, B>::type;
    return c ? V(b) : V(a);
  } else if constexpr (detail::shape_of<A, B>::rank == 1) {
    return c ? half(b) : half(a);
  } else {
    using E = typename detail::shape_of<A, B>::element;
    return detail::elementwise_as_given(
        [](const auto& x, const auto& y, const auto& flag) LANEFOLD_INLINE_LAMBDA {
          if constexpr (std::is_same_v<std::remove_cvref_t<decltype(flag)>, bool>) {
            return static_cast<E>(flag ? y : x);
          } else if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(flag)>>) {
            return static_cast<E>(lanefold::any(flag) ? y : x);
          } else if constexpr (!requires { typename std::remove_cvref_t<decltype(flag)>::value_type; }) {
            return lanefold::select(flag < 0, y, x);
          } else {
            using signed_flag = std::make_signed_t<typename std::remove_cvref_t<decltype(flag)>::value_type>;
            return lanefold::select(lanefold::convert<signed_flag>(flag) < signed_flag(0), y, x);
          }
        },
        a, b, c);
  }
}

LANEFOLD_END_NAMESPACE
