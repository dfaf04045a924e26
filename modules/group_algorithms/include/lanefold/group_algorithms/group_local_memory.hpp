// SPDX-License-Identifier: Apache-2.0
/// Local memory that a kernel declares where it needs it. (the extension SYCL_EXT_ONEAPI_LOCAL_MEMORY)
#pragma once

#include <lanefold/execution/group.hpp>
#include <lanefold/memory/multi_ptr.hpp>

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Returns the memory of one object for the work-groups of this thread, another one for each place: a work-group stays
/// on its thread.
template <class T, auto Place>
LANEFOLD_ALWAYS_INLINE T* local_object_memory() {
  static_assert(std::is_trivially_destructible_v<T>, "lanefold: nobody destroys objects in local memory");
  using element = std::remove_all_extents_t<T>;
  struct alignas(alignof(element) > 64 ? alignof(element) : 64) storage {
    std::byte bytes[sizeof(T)];
  };
  static thread_local storage memory;
  return reinterpret_cast<T*>(memory.bytes);
}

/// Lets one work-item of the group construct an object; all of them meet before and behind it.
template <int D, class Lanes, class F>
LANEFOLD_ALWAYS_INLINE void construct_once(const group<D, Lanes>& g, const F& construct) {
  group_barrier(g); // others may still use what the same place gave before
  if (g.place().local == id<D>()) {
    construct();
  }
  group_barrier(g);
}

} // namespace detail

namespace ext::oneapi {

/// An object in the local memory of the work-group, the same for all its work-items, another one at each place of the
/// program where this stands. Work-item and lane-generic kernels over ND-ranges. It is default-initialised: numbers and
/// trivial classes have no value, which costs nothing. One with a constructor is constructed by one work-item; it is to
/// be asked for by all work-items of the group then, see group_barrier.
template <class T, auto Place = [] {}, int D, class Lanes>
[[nodiscard]] LANEFOLD_ALWAYS_INLINE multi_ptr<T, access::address_space::local_space, access::decorated::legacy>
group_local_memory_for_overwrite([[maybe_unused]] const group<D, Lanes>& g) {
  T* const memory = lanefold::detail::local_object_memory<T, Place>();
  using element = std::remove_all_extents_t<T>;
  if constexpr (!std::is_trivially_default_constructible_v<element>) {
    lanefold::detail::construct_once(g, [&] {
      std::uninitialized_default_construct_n(reinterpret_cast<element*>(memory), sizeof(T) / sizeof(element));
    });
  }
  return multi_ptr<T, access::address_space::local_space, access::decorated::legacy>(memory);
}

/// Does the same; the object is initialised from the arguments: by one work-item, behind which all of them meet. To be
/// called by all work-items of the group, see group_barrier.
template <class T, auto Place = [] {}, int D, class Lanes, class... Arguments>
[[nodiscard]] LANEFOLD_ALWAYS_INLINE multi_ptr<T, access::address_space::local_space, access::decorated::legacy>
group_local_memory(const group<D, Lanes>& g, Arguments&&... arguments) {
  T* const memory = lanefold::detail::local_object_memory<T, Place>();
  lanefold::detail::construct_once(
      g, [&] { ::new (static_cast<void*>(memory)) T{std::forward<Arguments>(arguments)...}; });
  return multi_ptr<T, access::address_space::local_space, access::decorated::legacy>(memory);
}

} // namespace ext::oneapi

// DPC++ had them here first, where calls find them by the group.
using ext::oneapi::group_local_memory;
using ext::oneapi::group_local_memory_for_overwrite;

LANEFOLD_END_NAMESPACE
