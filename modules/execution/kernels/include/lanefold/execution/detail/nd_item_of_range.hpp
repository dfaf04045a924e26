// SPDX-License-Identifier: Apache-2.0
/// Kernels over ranges that take an nd_item. SYCL gives them an item; programs for DPC++, which divides such a range
/// into work-groups of its choice, have been written so.
#pragma once

#include <lanefold/execution/nd_item.hpp>
#include <lanefold/execution/nd_range.hpp>

#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Is true of a call operator with one parameter, an nd_item.
template <class Operator, int D>
struct takes_nd_item : std::false_type {};
template <class Kernel, class Result, class Item, int D>
struct takes_nd_item<Result (Kernel::*)(Item) const, D> : std::is_same<std::remove_cvref_t<Item>, nd_item<D>> {};
template <class Kernel, class Result, class Item, int D>
struct takes_nd_item<Result (Kernel::*)(Item), D> : takes_nd_item<Result (Kernel::*)(Item) const, D> {};

/// A kernel that says with its type that it takes an nd_item; one that takes any item gets that of its index space.
template <class Kernel, class Space>
concept TakesNdItemOfRange = std::is_same_v<Space, range<Space::dimensions>> && requires { &Kernel::operator(); } &&
                             takes_nd_item<decltype(&Kernel::operator()), Space::dimensions>::value;

/// Divides a range into work-groups along its last dimension: the largest that fit, of up to 256 work-items.
template <int D>
nd_range<D> divided_into_groups(const range<D>& all) {
  range<D> local = all;
  for (int d = 0; d < D; ++d) {
    local[d] = 1;
  }
  std::size_t items = all[D - 1] < 256 ? all[D - 1] : 256;
  while (items > 1 && all[D - 1] % items != 0) {
    --items;
  }
  local[D - 1] = items > 0 ? items : 1;
  return nd_range<D>(all, local);
}

} // namespace detail
LANEFOLD_END_NAMESPACE
