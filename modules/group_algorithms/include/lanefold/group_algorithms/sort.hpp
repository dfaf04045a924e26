// SPDX-License-Identifier: Apache-2.0
/// Sorting the values of a group's work-items, or a range. Named after sycl_ext_oneapi_group_sort.
#pragma once

#include <lanefold/detail/checked_build.hpp>
#include <lanefold/exception.hpp>
#include <lanefold/group_algorithms/group_traits.hpp>

#include <algorithm>
#include <functional>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Comparators that the library has a network for.
template <class Compare, class T>
inline constexpr bool sorts_upwards = std::is_same_v<Compare, std::less<>> || std::is_same_v<Compare, std::less<T>>;
template <class Compare, class T>
inline constexpr bool sorts_downwards =
    std::is_same_v<Compare, std::greater<>> || std::is_same_v<Compare, std::greater<T>>;

/// Checked builds: throws errc::invalid if a value comes before itself. Sorting by such a comparator need not end.
template <class It, class Compare>
void check_comparator(It first, It last, const Compare& before) {
  if (std::any_of(first, last, [&](const auto& x) { return static_cast<bool>(before(x, x)); })) {
    throw exception(make_error_code(errc::invalid),
                    "the comparator of a sort says that a value comes before itself: it must be < or >, not <= or >=");
  }
}

template <class It, class Compare>
void sort_range(It first, It last, const Compare& before) {
  using T = std::iter_value_t<It>;
  const std::size_t n = length_of(first, last);
  if constexpr (ContiguousOf<It> && Element<T> && (sorts_upwards<Compare, T> || sorts_downwards<Compare, T>)) {
    if constexpr (has_registers<T>) {
      if (n <= largest_network) {
        return compiled<canonical_t<T>>().sort(as_canonical(std::to_address(first)), n, sorts_downwards<Compare, T>);
      }
    }
  }
  const It end = first + static_cast<std::iter_difference_t<It>>(n);
  if constexpr (checked_build) {
    check_comparator(first, end, before);
    std::partial_sort(first, end, end, before); // stays within the range whatever the comparator says
  } else {
    std::sort(first, end, before);
  }
}

/// Not inlined into kernels.
template <class T, class Compare>
__attribute__((noinline)) void sort_values(T* values, std::size_t n, const Compare& before) {
  sort_range(values, values + n, before);
}

} // namespace detail

/// The values of x of all work-items in the order of `before`: the work-item at position i of the group's linear order
/// gets the i-th of them. Varying. Equal values may change places.
/// `x` is a number or another trivially copyable value, or private memory of a scoped or hierarchical group, which is
/// sorted where it lies.
/// To be called by all work-items of the group, in converged code (errc::kernel otherwise).
/// Cost: the values go through memory of the group; one barrier, none in a group of one sub-group. Arithmetic types
/// with std::less and std::greater sort by a network of registers, for up to 2048 work-items.
/// Errors: with LANEFOLD_CHECKED errc::invalid if the comparator says that a value comes before itself; without, such
/// a sort is undefined, as that of std::sort.
template <Group G, class T, class Compare = std::less<>>
LANEFOLD_ALWAYS_INLINE auto sort_over_group(const G& g, const T& x, Compare before = {}) {
  return group_traits<G>::in_memory(g, "sort_over_group", x,
                                    [&](auto* values, std::size_t n) { detail::sort_values(values, n, before); });
}

/// Sorts [first, last); who must call it and errors as for `joint_reduce`. One work-item does it.
template <HostGroup G, std::random_access_iterator Ptr, class Compare = std::less<>>
LANEFOLD_ALWAYS_INLINE void joint_sort(const G& g, Ptr first, Ptr last, Compare before = {}) {
  detail::check_uniform_range(g, "joint_sort", first, last);
  group_traits<G>::once(g, [&] {
    detail::sort_range(first, last, before);
    return true;
  });
}

LANEFOLD_END_NAMESPACE
