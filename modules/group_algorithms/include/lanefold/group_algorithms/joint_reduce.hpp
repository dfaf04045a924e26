// SPDX-License-Identifier: Apache-2.0
/// The elements of a range combined by a group. [sycl.4.17.4.5]
#pragma once

#include <lanefold/group_algorithms/detail/joint_range.hpp>

LANEFOLD_BEGIN_NAMESPACE

/// The elements of [first, last) combined by `op`, which must be associative; `known_identity` (else a
/// value-initialised element, errc::invalid if T has no default constructor) of an empty range. Uniform. `first` and
/// `last` are uniform: pointers, or random-access iterators. Operators that are known to commute may see the elements
/// in another order, except with `algorithm::serial`. To be called by all work-items of the group alike, in converged
/// code (errc::kernel otherwise). Cost: one work-item does it all, at the speed of memory for arithmetic types with the
/// operators of the library (compiled for the widest instruction set of the CPU, whatever the program is compiled for);
/// one barrier, none in a group of one sub-group.
// [sycl.4.17.4.5]
template <algorithm A = detail::joint_algorithm, HostGroup G, std::random_access_iterator Ptr, class BinaryOperation>
LANEFOLD_ALWAYS_INLINE std::iter_value_t<Ptr> joint_reduce(const G& g, Ptr first, Ptr last, BinaryOperation op) {
  using T = std::iter_value_t<Ptr>;
  struct key;
  detail::check_uniform_range(g, "joint_reduce", first, last);
  return detail::compute_once<key>(g, [&]() -> T {
    if (first == last) {
      if constexpr (has_known_identity_v<BinaryOperation, T>) {
        return known_identity_v<BinaryOperation, T>;
      } else if constexpr (std::is_default_constructible_v<T>) {
        return T();
      } else {
        throw exception(errc::invalid, "joint_reduce: there are no elements, and the operator has no known identity");
      }
    }
    return detail::outcome_of<BinaryOperation>(detail::reduce_range<A>(first, detail::length_of(first, last), op));
  });
}

/// init op the elements; the type is that of `init`, which is uniform.
// [sycl.4.17.4.5]
template <algorithm A = detail::joint_algorithm, HostGroup G, std::random_access_iterator Ptr, class T,
          class BinaryOperation>
LANEFOLD_ALWAYS_INLINE T joint_reduce(const G& g, Ptr first, Ptr last, T init, BinaryOperation op) {
  struct key;
  detail::check_uniform_range(g, "joint_reduce", first, last);
  detail::check_uniform(g, "joint_reduce", "init", init);
  return detail::compute_once<key>(g, [&]() -> T {
    const auto n = detail::length_of(first, last);
    if constexpr (std::is_same_v<std::iter_value_t<Ptr>, T> && A != algorithm::serial && A != algorithm::serial_heap) {
      return n == 0 ? init : static_cast<T>(op(init, detail::reduce_range<A>(first, n, op)));
    } else {
      return detail::reduce_serial(first, n, init, op);
    }
  });
}

LANEFOLD_END_NAMESPACE
