// SPDX-License-Identifier: Apache-2.0
/// Sorting as sycl_ext_oneapi_group_sort spells it, with a scratchpad that is not used.
#pragma once

#include <lanefold/group_algorithms/sort.hpp>
#include <lanefold/memory/memory_order.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <span>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace ext::oneapi::experimental {

/// A group and memory for its algorithms.
template <Group G, std::size_t Extent = std::dynamic_extent>
class group_with_scratchpad {
public:
  group_with_scratchpad(G group, std::span<std::byte, Extent> scratch) : m_group(group), m_scratch(scratch) {}
  G get_group() const { return m_group; }
  std::span<std::byte, Extent> get_memory() const { return m_scratch; }

private:
  G m_group;
  std::span<std::byte, Extent> m_scratch;
};

namespace default_sorters {

/// Sorts ranges, for joint_sort.
template <class Compare = std::less<>>
class joint_sorter {
public:
  template <std::size_t Extent>
  explicit joint_sorter(std::span<std::byte, Extent>, Compare before = {}) : m_before(before) {}
  template <class G, class Ptr>
  void operator()(const G& g, Ptr first, Ptr last) const {
    lanefold::joint_sort(g, first, last, m_before);
  }
  /// Bytes of scratchpad; not 0, for programs that allocate as many.
  template <class T>
  static constexpr std::size_t memory_required(memory_scope, std::size_t) {
    return 1;
  }

private:
  [[no_unique_address]] Compare m_before;
};

/// Sorts values of work-items, for sort_over_group.
template <class T, class Compare = std::less<>>
class group_sorter {
public:
  template <std::size_t Extent>
  explicit group_sorter(std::span<std::byte, Extent>, Compare before = {}) : m_before(before) {}
  template <class G>
  auto operator()(const G& g, const T& x) const {
    return lanefold::sort_over_group(g, x, m_before);
  }
  static constexpr std::size_t memory_required(memory_scope, std::size_t) { return 1; }

private:
  [[no_unique_address]] Compare m_before;
};

} // namespace default_sorters

enum class sorting_order { ascending, descending };

} // namespace ext::oneapi::experimental
namespace detail {
template <ext::oneapi::experimental::sorting_order Order>
using compare_in =
    std::conditional_t<Order == ext::oneapi::experimental::sorting_order::ascending, std::less<>, std::greater<>>;
} // namespace detail
namespace ext::oneapi::experimental {

/// By numbers, as the sorters above do: the bits of a pass mean nothing here.
namespace radix_sorters {

template <class T, sorting_order Order = sorting_order::ascending, unsigned BitsPerPass = 4>
class joint_sorter : public default_sorters::joint_sorter<lanefold::detail::compare_in<Order>> {
public:
  template <std::size_t Extent>
  explicit joint_sorter(std::span<std::byte, Extent> scratch)
      : default_sorters::joint_sorter<lanefold::detail::compare_in<Order>>(scratch) {}
  static constexpr std::size_t memory_required(memory_scope, std::size_t) { return 1; }
};

template <class T, sorting_order Order = sorting_order::ascending, unsigned BitsPerPass = 4>
class group_sorter : public default_sorters::group_sorter<T, lanefold::detail::compare_in<Order>> {
public:
  template <std::size_t Extent>
  explicit group_sorter(std::span<std::byte, Extent> scratch)
      : default_sorters::group_sorter<T, lanefold::detail::compare_in<Order>>(scratch) {}
};

} // namespace radix_sorters

/// Sorts ranges and values of work-items: what there was before default_sorters.
template <class Compare = std::less<>>
class default_sorter : public default_sorters::joint_sorter<Compare> {
  using base = default_sorters::joint_sorter<Compare>;

public:
  template <std::size_t Extent>
  explicit default_sorter(std::span<std::byte, Extent> scratch, Compare before = {})
      : base(scratch, before), m_before(before) {}
  using base::operator();
  template <class G, class T>
  auto operator()(const G& g, const T& x) const {
    return lanefold::sort_over_group(g, x, m_before);
  }
  /// `Items`: a number of elements or a range of work-items.
  template <class T, class Items>
  static constexpr std::size_t memory_required(memory_scope, const Items&) {
    return 1;
  }

private:
  [[no_unique_address]] Compare m_before;
};
/// Before radix_sorters.
template <class T, sorting_order Order = sorting_order::ascending, unsigned BitsPerPass = 4>
class radix_sorter : public default_sorter<lanefold::detail::compare_in<Order>> {
public:
  template <std::size_t Extent>
  explicit radix_sorter(std::span<std::byte, Extent> scratch)
      : default_sorter<lanefold::detail::compare_in<Order>>(scratch) {}
  template <class Items>
  static constexpr std::size_t memory_required(memory_scope, const Items&) {
    return 1;
  }
};

/// Sorts the values of x, as lanefold::sort_over_group does; who must call it and errors as there.
template <Group G, std::size_t E, class T, class Compare = std::less<>>
auto sort_over_group(const group_with_scratchpad<G, E>& g, const T& x, Compare before = {}) {
  return lanefold::sort_over_group(g.get_group(), x, before);
}
/// By a sorter.
template <Group G, class T, class Sorter>
  requires std::invocable<const Sorter&, const G&, const T&>
auto sort_over_group(const G& g, const T& x, const Sorter& sorter) {
  return sorter(g, x);
}
/// Sorts [first, last), as lanefold::joint_sort does.
template <Group G, std::size_t E, class Ptr, class Compare = std::less<>>
void joint_sort(const group_with_scratchpad<G, E>& g, Ptr first, Ptr last, Compare before = {}) {
  lanefold::joint_sort(g.get_group(), first, last, before);
}
/// By a sorter.
template <Group G, class Ptr, class Sorter>
  requires std::invocable<const Sorter&, const G&, Ptr, Ptr>
void joint_sort(const G& g, Ptr first, Ptr last, const Sorter& sorter) {
  sorter(g, first, last);
}

} // namespace ext::oneapi::experimental
LANEFOLD_END_NAMESPACE
