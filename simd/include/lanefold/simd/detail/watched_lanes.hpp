// SPDX-License-Identifier: Apache-2.0
/// Tells the access_watch and the access_counter of checked builds which elements lanes access. Internal.
#pragma once

#include <lanefold/detail/access_watch.hpp>
#include <lanefold/simd/detail/forward.hpp>
#include <lanefold/simd/lane_context.hpp>

#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Holds the elements that the active lanes access; the lanes lie in rows of `columns`.
template <std::size_t N, std::size_t Columns>
struct lane_accesses {
  static constexpr std::size_t columns = Columns;
  lane_access all[N];
  std::size_t count = 0;
};

template <class T, class Index>
  requires is_lane_index_v<Index>
auto accesses_of(const T* p, const Index& i) {
  lane_accesses<Index::lanes::size, Index::lanes::columns> found;
  for (unsigned lane = 0; lane < Index::lanes::size; ++lane) {
    if (i.context()->all || i.context()->active[lane]) {
      found.all[found.count++] = {p + i.lane(lane), lane};
    }
  }
  return found;
}
template <class T, class Index>
auto accesses_of(const T* p, const Index& i) {
  const auto* const active = announced_mask<Index::size(), typename Index::isa>();
  const auto indices = i.to_array();
  lane_accesses<Index::size(), Index::size()> found;
  for (unsigned lane = 0; lane < Index::size(); ++lane) {
    if (active == nullptr || (*active)[lane]) {
      found.all[found.count++] = {p + indices[lane], lane};
    }
  }
  return found;
}

/// Not inlined, so that it can say where in the kernel it was called.
template <class T, class Index>
__attribute__((noinline)) void tell_lanes(access_watch* watch, access_counter* counter, const T* p, const Index& i,
                                          element_use kind) {
  const void* const code = __builtin_return_address(0);
  const auto found = accesses_of(p, i);
  if (watch != nullptr) {
    watch->lanes(p, found.all, found.count, sizeof(T), kind, code);
  }
  if (counter != nullptr) {
    counter->lanes(found.all, found.count, found.columns, sizeof(T), kind);
  }
}

/// The active lanes access `p[i]`. `i` is a lane index or a varying integer.
template <class T, class Index>
LANEFOLD_ALWAYS_INLINE void watch_lanes([[maybe_unused]] const T* p, [[maybe_unused]] const Index& i,
                                        [[maybe_unused]] element_use kind) {
  if constexpr (checked_build) {
    access_watch* const watch = access_watch::current();
    access_counter* const counter = access_counter::current();
    if (watch != nullptr || counter != nullptr) {
      tell_lanes(watch, counter, p, i, kind);
    }
  }
}

/// Notes that what `x[i]` has loaded last is used: the store that follows does not undo it.
LANEFOLD_ALWAYS_INLINE void watch_use_of_load() {
  if constexpr (checked_build) {
    if (access_watch* const watch = access_watch::current()) {
      watch->lanes(nullptr, nullptr, 0, 0, element_use::read, nullptr);
    }
    if (access_counter* const counter = access_counter::current()) {
      counter->use_load();
    }
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
