// SPDX-License-Identifier: Apache-2.0
/// Describes what the functions on lanes accept: any mix of varyings, what is derived from or stands for one, and plain
/// values. Internal.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <lanefold/simd/varying.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// A lane index: no varying itself, but one varying integer for each lane.
template <class X>
concept stands_for_varying = !varying_value<X> && requires(const X& x) {
  typename X::varying_type;
  x.value();
};

template <Element T, std::size_t N, class Isa>
void is_varying_number_test(const varying<T, N, Isa>&);

/// Is an operand that the functions on lanes accept.
template <class X>
concept Operand =
    std::is_arithmetic_v<X> || stands_for_varying<X> || requires(const X& x) { detail::is_varying_number_test(x); };

/// Is true if all operands are plain numbers. Functions take these by value, as the overloads of <cmath> do: where a
/// program has `using namespace` for std and for ours, a call with numbers of two types, or with an integer, then takes
/// ours, which has a constraint.
template <class... X>
concept Numbers = (std::is_arithmetic_v<X> && ...);
/// Is true if all are operands and at least one has lanes.
template <class... X>
concept WithLanes = (Operand<X> && ...) && !Numbers<X...>;

/// The varying or the plain value that an operand is.
template <class T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE const varying<T, N, Isa>& operand(const varying<T, N, Isa>& v) {
  return v;
}
template <class X>
  requires std::is_arithmetic_v<X>
LANEFOLD_ALWAYS_INLINE X operand(X x) {
  return x;
}
template <stands_for_varying X>
LANEFOLD_ALWAYS_INLINE auto operand(const X& x) {
  return x.value();
}

template <class X>
using operand_type = std::remove_cvref_t<decltype(operand(std::declval<const X&>()))>;

template <class V>
struct value_traits {
  using element = V;
  using isa = void;
  static constexpr std::size_t lanes = 0;
};
template <class T, std::size_t N, class Isa>
struct value_traits<varying<T, N, Isa>> {
  using element = T;
  using isa = Isa;
  static constexpr std::size_t lanes = N;
};

template <class X>
using element_of = typename value_traits<operand_type<X>>::element;

/// The type that values of types T... have in common: T itself if all are alike, else by C++'s arithmetic conversions.
template <class... T>
struct common_element {
  using type = std::common_type_t<decltype(std::declval<T>() + std::declval<T>())...>;
};
template <class T, class... Same>
  requires(std::is_same_v<T, Same> && ...)
struct common_element<T, Same...> {
  using type = T;
};
template <class... X>
using common_element_t = typename common_element<element_of<X>...>::type;

/// Is `common_element_t` for functions of real numbers: integers count as double, as in <cmath>.
template <class T>
using real_element = std::conditional_t<std::is_floating_point_v<T>, T, double>;
template <class... X>
using common_real_t = std::common_type_t<real_element<element_of<X>>...>;

/// varying<T, N, Isa> with the lanes of those of X... that have lanes; T if none has.
template <class T, class... V>
struct with_lanes {
  using type = T;
};
template <class T, class V, class... Rest>
struct with_lanes<T, V, Rest...> : with_lanes<T, Rest...> {};
template <class T, class U, std::size_t N, class Isa, class... Rest>
struct with_lanes<T, varying<U, N, Isa>, Rest...> {
  static_assert(((value_traits<Rest>::lanes == 0 ||
                  (value_traits<Rest>::lanes == N && std::is_same_v<typename value_traits<Rest>::isa, Isa>)) &&
                 ...),
                "lanefold: the operands have different numbers of lanes");
  using type = varying<T, N, Isa>;
};
template <class T, class... X>
using with_lanes_t = typename with_lanes<T, operand_type<X>...>::type;

/// The operand converted to V, a varying or a plain type, as C++ converts.
template <class V, class X>
LANEFOLD_ALWAYS_INLINE decltype(auto) operand_as(const X& x) {
  using value = operand_type<X>;
  if constexpr (std::is_same_v<value, V>)
    return operand(x);
  else if constexpr (std::is_arithmetic_v<value> && !std::is_arithmetic_v<V>)
    return V(static_cast<typename value_traits<V>::element>(x));
  else
    return static_cast<V>(operand(x));
}

/// f of the operands, converted to T, register by register (a scalar is a register of one lane):
/// `f.template operator()<Isa>(register...)`. For plain operands it calls the function of the generic instruction set.
template <class T, class F, class... X>
LANEFOLD_ALWAYS_INLINE with_lanes_t<T, X...> apply(F f, const X&... x) {
  using V = with_lanes_t<T, X...>;
  if constexpr (std::is_arithmetic_v<V>) {
    return static_cast<T>(f.template operator()<isa::generic>(operand_as<V>(x)...));
  } else {
    using isa = typename value_traits<V>::isa;
    using reg = typename V::register_type;
    return varying_access::make<V>(V::registers_type::map(
        [f](const auto&... r) LANEFOLD_INLINE_LAMBDA { return static_cast<reg>(f.template operator()<isa>(r...)); },
        varying_access::registers(operand_as<V>(x))...));
  }
}

} // namespace detail

LANEFOLD_END_NAMESPACE
