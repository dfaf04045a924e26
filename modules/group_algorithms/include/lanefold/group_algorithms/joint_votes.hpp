// SPDX-License-Identifier: Apache-2.0
/// Tests whether a condition holds for any, all or none of the elements of a range. [sycl.4.17.4.3]
#pragma once

#include <lanefold/group_algorithms/detail/joint_range.hpp>

LANEFOLD_BEGIN_NAMESPACE

/// Returns whether `predicate` holds for any element of [first, last). Uniform; iterators, who must call it and errors
/// as for `joint_reduce`. Stops at the first block of some hundred elements that has one.
/// A generic predicate (`[](auto x) { return x == 3; }`) is called with registers of elements; another one, and all of
/// plain SYCL source files, in a loop that the compiler is told to vectorise.
// [sycl.4.17.4.3]
template <algorithm A = detail::joint_algorithm, HostGroup G, std::random_access_iterator Ptr, class Predicate>
LANEFOLD_ALWAYS_INLINE bool joint_any_of(const G& g, Ptr first, Ptr last, Predicate predicate) {
  struct key;
  detail::check_uniform_range(g, "joint vote", first, last);
  return detail::compute_once<key>(
      g, [&] { return detail::any_range<A>(first, detail::length_of(first, last), predicate); });
}

/// Returns whether `predicate` holds for all elements. Otherwise as `joint_any_of`.
// [sycl.4.17.4.3]
template <algorithm A = detail::joint_algorithm, HostGroup G, std::random_access_iterator Ptr, class Predicate>
LANEFOLD_ALWAYS_INLINE bool joint_all_of(const G& g, Ptr first, Ptr last, Predicate predicate) {
  return !joint_any_of<A>(
      g, first, last, [&](const auto& x) LANEFOLD_INLINE_LAMBDA -> decltype(!predicate(x)) { return !predicate(x); });
}

/// Returns whether `predicate` holds for no element. Otherwise as `joint_any_of`.
// [sycl.4.17.4.3]
template <algorithm A = detail::joint_algorithm, HostGroup G, std::random_access_iterator Ptr, class Predicate>
LANEFOLD_ALWAYS_INLINE bool joint_none_of(const G& g, Ptr first, Ptr last, Predicate predicate) {
  return !joint_any_of<A>(g, first, last, predicate);
}

LANEFOLD_END_NAMESPACE
