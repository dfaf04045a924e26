// SPDX-License-Identifier: Apache-2.0
/// Tells the access_watch of checked builds which elements lanes access. Internal.
#pragma once

#include <lanefold/detail/access_watch.hpp>
#include <lanefold/simd/detail/forward.hpp>
#include <lanefold/simd/lane_context.hpp>

#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Not inlined, so that it can say where in the kernel it was called.
template <class T, class Index>
__attribute__((noinline)) void tell_lanes(access_watch& watch, const T* p, const Index& i, element_use kind) {
  const void* const code = __builtin_return_address(0);
  if constexpr (is_lane_index_v<Index>) {
    lane_access all[Index::lanes::size];
    std::size_t count = 0;
    for (unsigned lane = 0; lane < Index::lanes::size; ++lane) {
      if (i.context()->all || i.context()->active[lane]) {
        all[count++] = {p + i.lane(lane), lane};
      }
    }
    watch.lanes(p, all, count, sizeof(T), kind, code);
  } else {
    const auto* const active = announced_mask<Index::size(), typename Index::isa>();
    const auto indices = i.to_array();
    lane_access all[Index::size()];
    std::size_t count = 0;
    for (unsigned lane = 0; lane < Index::size(); ++lane) {
      if (active == nullptr || (*active)[lane]) {
        all[count++] = {p + indices[lane], lane};
      }
    }
    watch.lanes(p, all, count, sizeof(T), kind, code);
  }
}

/// The active lanes access `p[i]`. `i` is a lane index or a varying integer.
template <class T, class Index>
LANEFOLD_ALWAYS_INLINE void watch_lanes([[maybe_unused]] const T* p, [[maybe_unused]] const Index& i,
                                        [[maybe_unused]] element_use kind) {
  if constexpr (checked_build) {
    if (access_watch* const watch = access_watch::current()) {
      tell_lanes(*watch, p, i, kind);
    }
  }
}

/// What `x[i]` has loaded last is used: the store that follows does not undo it.
LANEFOLD_ALWAYS_INLINE void watch_use_of_load() {
  if constexpr (checked_build) {
    if (access_watch* const watch = access_watch::current()) {
      watch->lanes(nullptr, nullptr, 0, 0, element_use::read, nullptr);
    }
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
