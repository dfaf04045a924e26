// SPDX-License-Identifier: Apache-2.0
/// The item of a one-dimensional range of lanes in place of its index, as SYCL's `item<1>` converts to std::size_t:
/// `x[i + 1]`, `i < n`. Internal.
#pragma once

#include <lanefold/execution/item.hpp>
#include <lanefold/memory/detail/indexing.hpp>

LANEFOLD_BEGIN_NAMESPACE

#define LANEFOLD_ITEM_OPERATOR(op)                                                                                     \
  template <detail::lane_item<1> Item, class T>                                                                        \
  LANEFOLD_ALWAYS_INLINE auto operator op(const Item& a, const T& b)->decltype(a.get_id() op b) {                      \
    return a.get_id() op b;                                                                                            \
  }                                                                                                                    \
  template <detail::lane_item<1> Item, class T>                                                                        \
    requires(!detail::lane_item<T, 1>)                                                                                 \
  LANEFOLD_ALWAYS_INLINE auto operator op(const T& a, const Item& b)->decltype(a op b.get_id()) {                      \
    return a op b.get_id();                                                                                            \
  }
LANEFOLD_ITEM_OPERATOR(+)
LANEFOLD_ITEM_OPERATOR(-)
LANEFOLD_ITEM_OPERATOR(*)
LANEFOLD_ITEM_OPERATOR(/)
LANEFOLD_ITEM_OPERATOR(%)
LANEFOLD_ITEM_OPERATOR(&)
LANEFOLD_ITEM_OPERATOR(|)
LANEFOLD_ITEM_OPERATOR(^)
LANEFOLD_ITEM_OPERATOR(<<)
LANEFOLD_ITEM_OPERATOR(>>)
LANEFOLD_ITEM_OPERATOR(<)
LANEFOLD_ITEM_OPERATOR(<=)
LANEFOLD_ITEM_OPERATOR(>)
LANEFOLD_ITEM_OPERATOR(>=)
LANEFOLD_ITEM_OPERATOR(==)
LANEFOLD_ITEM_OPERATOR(!=)
#undef LANEFOLD_ITEM_OPERATOR

/// Converts the index to `U`, as for every index. Varying.
template <class U, class Lanes>
LANEFOLD_ALWAYS_INLINE auto convert(const item_of<1, Lanes>& it) {
  return convert<U>(it.get_id(0));
}

LANEFOLD_END_NAMESPACE
