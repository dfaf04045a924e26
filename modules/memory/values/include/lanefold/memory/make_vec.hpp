// SPDX-License-Identifier: Apache-2.0
/// Vectors of elements that are plain or vary.
#pragma once

#include <lanefold/memory/varying_record.hpp>
#include <lanefold/memory/varying_vec.hpp>

#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

template <class X>
struct plain_element {
  using type = X;
};
template <varying_value X>
struct plain_element<X> {
  using type = typename decltype(detail::lanes_of_test(std::declval<const X&>()))::value_type;
};
template <class X>
concept VecPart = std::is_arithmetic_v<X> || varying_value<X>;

} // namespace detail

/// The vec of 2, 3, 4, 8 or 16 elements, `make_vec(x, y, z)`, in the type that they have in common: a vec of numbers; a
/// varying one if an element is varying. In lane-generic kernels, where `vec{x, y, z}` would be that of one work-item.
template <detail::VecPart... X>
LANEFOLD_ALWAYS_INLINE auto make_vec(const X&... x) {
  using T = std::common_type_t<typename detail::plain_element<X>::type...>;
  using V = vec<T, static_cast<int>(sizeof...(X))>;
  if constexpr ((varying_value<X> || ...)) {
    using L = typename detail::lanes_among<X...>::type;
    return varying<V, L::size(), typename L::isa>(x...);
  } else {
    return V{static_cast<T>(x)...};
  }
}

LANEFOLD_END_NAMESPACE
