// SPDX-License-Identifier: Apache-2.0
/// Prefixes over a range, computed by a group. [sycl.4.17.4.6]
#pragma once

#include <lanefold/group_algorithms/detail/joint_range.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The scan that begins with `init`, computed by the unit that comes last; the end of the results.
template <algorithm A, bool Exclusive, class G, class In, class Out, class T, class Op>
LANEFOLD_ALWAYS_INLINE Out joint_scan(const G& g, In first, In last, Out result, const T& init, const Op& op) {
  struct key;
  check_uniform_range(g, "joint scan", first, last);
  check_uniform_range(g, "joint scan's result", result, result);
  check_uniform(g, "joint scan", "init", init);
  return compute_once<key>(g, [&] {
    scan_range<A, Exclusive>(first, result, length_of(first, last), init, op);
    return result + (last - first);
  });
}

} // namespace detail

/// result[i] = init op first[0] op … op first[i - 1], for all elements of [first, last); returns the end of the
/// results. `result` may be `first`. The order of the operands is kept for every operator; it must be associative.
/// Iterators, operators, who must call it, cost and errors as for `joint_reduce`.
// [sycl.4.17.4.6]
template <algorithm A = detail::joint_algorithm, HostGroup G, std::random_access_iterator InPtr,
          std::random_access_iterator OutPtr, class T, class BinaryOperation>
LANEFOLD_ALWAYS_INLINE OutPtr joint_exclusive_scan(const G& g, InPtr first, InPtr last, OutPtr result, T init,
                                                   BinaryOperation op) {
  return detail::joint_scan<A, true>(g, first, last, result, init, op);
}
/// Does the same beginning with `known_identity`.
template <algorithm A = detail::joint_algorithm, HostGroup G, std::random_access_iterator InPtr,
          std::random_access_iterator OutPtr, class BinaryOperation>
LANEFOLD_ALWAYS_INLINE OutPtr joint_exclusive_scan(const G& g, InPtr first, InPtr last, OutPtr result,
                                                   BinaryOperation op) {
  using T = std::iter_value_t<OutPtr>;
  static_assert(has_known_identity_v<BinaryOperation, T>,
                "lanefold: joint_exclusive_scan without init needs a known_identity of operator and element type");
  return joint_exclusive_scan<A>(g, first, last, result, T(known_identity_v<BinaryOperation, T>), op);
}

/// result[i] = init op first[0] op … op first[i]. Otherwise as `joint_exclusive_scan`.
// [sycl.4.17.4.6]
template <algorithm A = detail::joint_algorithm, HostGroup G, std::random_access_iterator InPtr,
          std::random_access_iterator OutPtr, class BinaryOperation, class T>
LANEFOLD_ALWAYS_INLINE OutPtr joint_inclusive_scan(const G& g, InPtr first, InPtr last, OutPtr result,
                                                   BinaryOperation op, T init) {
  return detail::joint_scan<A, false>(g, first, last, result, init, op);
}
/// result[i] = first[0] op … op first[i], for operators with and without identity.
template <algorithm A = detail::joint_algorithm, HostGroup G, std::random_access_iterator InPtr,
          std::random_access_iterator OutPtr, class BinaryOperation>
LANEFOLD_ALWAYS_INLINE OutPtr joint_inclusive_scan(const G& g, InPtr first, InPtr last, OutPtr result,
                                                   BinaryOperation op) {
  using T = std::iter_value_t<OutPtr>;
  struct key;
  detail::check_uniform_range(g, "joint_inclusive_scan", first, last);
  detail::check_uniform_range(g, "joint_inclusive_scan's result", result, result);
  return detail::compute_once<key>(g, [&] {
    const auto n = detail::length_of(first, last);
    if constexpr (detail::is_compiled_in(A) && has_known_identity_v<BinaryOperation, T>) {
      detail::scan_range<A, false>(first, result, n, T(known_identity_v<BinaryOperation, T>), op);
    } else if (n > 0) {
      const T start = *first;
      *result = start;
      detail::scan_range<A, false>(first + 1, result + 1, n - 1, start, op);
    }
    return result + (last - first);
  });
}

LANEFOLD_END_NAMESPACE
