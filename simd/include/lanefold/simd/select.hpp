// SPDX-License-Identifier: Apache-2.0
/// The conditional operator `c ? a : b` for conditions that vary, and conditions as numbers.
#pragma once

#include <cstddef>
#include <type_traits>

#include <lanefold/simd/detail/math_operand.hpp>
#include <lanefold/simd/mask.hpp>
#include <lanefold/simd/varying.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// A mask, what is derived from one, or a bool.
template <class X>
concept condition_value = is_mask_v<X> || std::is_same_v<X, bool>;

template <std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE const mask<N, Isa>& mask_as(const mask<N, Isa>& m) {
  return m;
}
template <std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE mask<N, Isa> mask_as(bool b) {
  return mask<N, Isa>(b);
}

} // namespace detail

/// `a` in the lanes where `condition` is set, `b` in the others. Both are evaluated. Varying; any mix of varyings and
/// plain values, converted to the type that they have in common.
template <std::size_t N, class Isa, detail::Operand A, detail::Operand B>
  requires(!(std::is_same_v<A, bool> && std::is_same_v<B, bool>))
LANEFOLD_ALWAYS_INLINE auto select(const mask<N, Isa>& condition, const A& a, const B& b) {
  using V = varying<detail::common_element_t<A, B>, N, Isa>;
  using reg = typename V::register_type;
  const V& yes = detail::operand_as<V>(a);
  const V& no = detail::operand_as<V>(b);
  return detail::varying_access::make<V>(V::registers_type::map(
      [](auto bits, const reg& x, const reg& y) LANEFOLD_INLINE_LAMBDA { return detail::blend<Isa>(bits, x, y); },
      detail::split<V::register_lanes>(condition), detail::varying_access::registers(yes),
      detail::varying_access::registers(no)));
}

/// Does the same as the `select` above for masks; `a` and `b` are masks or bools.
template <std::size_t N, class Isa, detail::condition_value A, detail::condition_value B>
LANEFOLD_ALWAYS_INLINE mask<N, Isa> select(const mask<N, Isa>& condition, const A& a, const B& b) {
  return (condition & detail::mask_as<N, Isa>(a)) | (~condition & detail::mask_as<N, Isa>(b));
}

/// `condition ? a : b` for a uniform condition, so that a kernel may say `select` in every strategy. Plain if both are
/// plain, else varying.
template <class Bool, detail::Operand A, detail::Operand B>
  requires std::is_same_v<Bool, bool>
LANEFOLD_ALWAYS_INLINE constexpr auto select(Bool condition, const A& a, const B& b) {
  using V = detail::with_lanes_t<detail::common_element_t<A, B>, A, B>;
  if constexpr (std::is_arithmetic_v<V>)
    return condition ? static_cast<V>(a) : static_cast<V>(b);
  else
    return condition ? V(detail::operand_as<V>(a)) : V(detail::operand_as<V>(b));
}
template <class Bool, std::size_t N, class Isa>
  requires std::is_same_v<Bool, bool>
LANEFOLD_ALWAYS_INLINE mask<N, Isa> select(Bool condition, const mask<N, Isa>& a, const mask<N, Isa>& b) {
  return condition ? a : b;
}

/// Returns 1 where the mask is set, 0 elsewhere, as `static_cast<U>` of a bool is.
template <class U, std::size_t N, class Isa>
  requires std::is_arithmetic_v<U>
LANEFOLD_ALWAYS_INLINE varying<U, N, Isa> convert(const mask<N, Isa>& m) {
  return varying<U, N, Isa>(m);
}

// Sums, differences and products take a mask for the int that C++ makes of a bool: `count += x[i] > 2`.
#define LANEFOLD_DETAIL_MASK_AS_NUMBER(op)                                                                             \
  template <detail::Operand A, std::size_t N, class Isa>                                                               \
  LANEFOLD_ALWAYS_INLINE auto operator op(const A& a, const mask<N, Isa>& b) {                                         \
    return a op convert<int>(b);                                                                                       \
  }                                                                                                                    \
  template <detail::Operand B, std::size_t N, class Isa>                                                               \
  LANEFOLD_ALWAYS_INLINE auto operator op(const mask<N, Isa>& a, const B& b) {                                         \
    return convert<int>(a) op b;                                                                                       \
  }                                                                                                                    \
  template <std::size_t N, class Isa>                                                                                  \
  LANEFOLD_ALWAYS_INLINE auto operator op(const mask<N, Isa>& a, const mask<N, Isa>& b) {                              \
    return convert<int>(a) op convert<int>(b);                                                                         \
  }
LANEFOLD_DETAIL_MASK_AS_NUMBER(+)
LANEFOLD_DETAIL_MASK_AS_NUMBER(-)
LANEFOLD_DETAIL_MASK_AS_NUMBER(*)
#undef LANEFOLD_DETAIL_MASK_AS_NUMBER

LANEFOLD_END_NAMESPACE
