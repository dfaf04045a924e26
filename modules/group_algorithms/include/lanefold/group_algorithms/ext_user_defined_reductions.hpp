// SPDX-License-Identifier: Apache-2.0
/// Reductions as sycl_ext_oneapi_user_defined_reductions spells them, with a scratchpad that is not used. Those of
/// lanefold take any operator themselves.
#pragma once

#include <lanefold/group_algorithms/ext_group_sort.hpp>
#include <lanefold/group_algorithms/joint_reduce.hpp>
#include <lanefold/group_algorithms/reduce.hpp>

#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// An operator whose call is no const member, as one that may be called.
template <class BinaryOperation>
struct constant_operator {
  mutable BinaryOperation op;
  template <class A, class B>
  LANEFOLD_ALWAYS_INLINE auto operator()(const A& a, const B& b) const {
    return op(a, b);
  }
};
template <class T, class BinaryOperation>
LANEFOLD_ALWAYS_INLINE auto as_constant_operator(BinaryOperation op) {
  if constexpr (std::is_invocable_v<const BinaryOperation&, T, T> || !std::is_invocable_v<BinaryOperation&, T, T>) {
    return op;
  } else {
    return constant_operator<BinaryOperation>{op};
  }
}

} // namespace detail

namespace ext::oneapi::experimental {

/// The values of all work-items combined by `op`, which must be associative. Uniform. To be called by all work-items of
/// the group in converged code.
template <class G, std::size_t E, class T, class BinaryOperation>
LANEFOLD_ALWAYS_INLINE auto reduce_over_group(const group_with_scratchpad<G, E>& g, const T& x, BinaryOperation op) {
  return lanefold::reduce_over_group(g.get_group(), x, lanefold::detail::as_constant_operator<T>(op));
}
/// `init` combined with them.
template <class G, std::size_t E, class V, class T, class BinaryOperation>
LANEFOLD_ALWAYS_INLINE auto reduce_over_group(const group_with_scratchpad<G, E>& g, const V& x, const T& init,
                                              BinaryOperation op) {
  return lanefold::reduce_over_group(g.get_group(), x, init, lanefold::detail::as_constant_operator<T>(op));
}

/// The elements of [first, last) combined by `op`, which must be associative. Uniform. To be called by all work-items
/// of the group with the same arguments, in converged code.
template <class G, std::size_t E, class Ptr, class BinaryOperation>
LANEFOLD_ALWAYS_INLINE auto joint_reduce(const group_with_scratchpad<G, E>& g, Ptr first, Ptr last,
                                         BinaryOperation op) {
  return lanefold::joint_reduce(g.get_group(), first, last,
                                lanefold::detail::as_constant_operator<std::remove_cvref_t<decltype(*first)>>(op));
}
/// `init` combined with them.
template <class G, std::size_t E, class Ptr, class T, class BinaryOperation>
LANEFOLD_ALWAYS_INLINE T joint_reduce(const group_with_scratchpad<G, E>& g, Ptr first, Ptr last, T init,
                                      BinaryOperation op) {
  return lanefold::joint_reduce(g.get_group(), first, last, init, lanefold::detail::as_constant_operator<T>(op));
}

} // namespace ext::oneapi::experimental
LANEFOLD_END_NAMESPACE
