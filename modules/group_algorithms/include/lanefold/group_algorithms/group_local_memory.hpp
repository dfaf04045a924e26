// SPDX-License-Identifier: Apache-2.0
/// Local memory that a kernel declares where it needs it. (the extension SYCL_EXT_ONEAPI_LOCAL_MEMORY)
#pragma once

#include <lanefold/execution/group.hpp>
#include <lanefold/memory/multi_ptr.hpp>

#include <memory>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace ext::oneapi {

/// An object in the local memory of the work-group, the same for all its work-items, another one at each place of the
/// program where this stands; uninitialised. Work-item and lane-generic kernels over ND-ranges.
/// (A work-group stays on its thread, so it is memory of the thread.)
template <class T, auto Place = [] {}, int D, class Lanes>
[[nodiscard]] LANEFOLD_ALWAYS_INLINE multi_ptr<T, access::address_space::local_space, access::decorated::legacy>
group_local_memory_for_overwrite(const group<D, Lanes>&) {
  static_assert(std::is_trivially_destructible_v<T>, "lanefold: nobody destroys objects in local memory");
  using element = std::remove_all_extents_t<T>;
  struct alignas(alignof(element) > 64 ? alignof(element) : 64) storage {
    std::byte bytes[sizeof(T)];
  };
  static thread_local storage memory;
  return multi_ptr<T, access::address_space::local_space, access::decorated::legacy>(
      reinterpret_cast<T*>(memory.bytes));
}

/// Does the same; the object is initialised from the arguments: by one work-item, behind which all of them meet. To be
/// called by all work-items of the group, see group_barrier.
template <class T, auto Place = [] {}, int D, class Lanes, class... Arguments>
[[nodiscard]] LANEFOLD_ALWAYS_INLINE multi_ptr<T, access::address_space::local_space, access::decorated::legacy>
group_local_memory(const group<D, Lanes>& g, Arguments&&... arguments) {
  const auto memory = group_local_memory_for_overwrite<T, Place>(g);
  group_barrier(g); // others may still use what the same place gave before
  if (g.place().local == id<D>()) {
    ::new (static_cast<void*>(memory.get())) T{std::forward<Arguments>(arguments)...};
  }
  group_barrier(g);
  return memory;
}

} // namespace ext::oneapi
LANEFOLD_END_NAMESPACE
