// SPDX-License-Identifier: Apache-2.0
/// The phases of the older ways to reduce: every work-item's value goes to memory, the leader combines them.
#pragma once

#include <lanefold/group_algorithms/algorithm.hpp>
#include <lanefold/group_algorithms/detail/joint_loops.hpp>
#include <lanefold/group_algorithms/detail/meeting_point.hpp>

#include <memory>
#include <new>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The values of a group's work-items in memory, while `combine(values, n)` of the leader makes something of them in
/// place; returns what is then at the place of the calling work-item, or at `from` if given.
/// `serial_heap` has three barriers: memory allocated, values stored, combined. The others have two.
template <algorithm A, class Key, class G, class T, class Combine>
T through_memory(const G& g, const T& x, bool own_place, Combine combine) {
  using access = group_access<G>;
  const std::size_t units = access::units(g);
  if constexpr (A == algorithm::serial_heap) {
    const auto allocated = meeting_point<G>::template arrive<Key, struct heap_phase>(g);
    if (allocated.first()) {
      *allocated.template data<T*>() = static_cast<T*>(::operator new(units * sizeof(T), std::align_val_t(alignof(T))));
    }
    allocated.wait();
    T* const values = *allocated.template data<T*>();
    new (values + access::position(g)) T(x);
    access::barrier(g);
    if (allocated.first()) {
      combine(values, units);
    }
    access::barrier(g);
    const T result = values[own_place ? access::position(g) : 0];
    if (allocated.last()) { // work-items go on in their order
      ::operator delete(values, std::align_val_t(alignof(T)));
    }
    return result;
  } else {
    const auto stored = meeting_point<G>::template arrive<Key, struct store_phase>(g);
    T* const values = stored.template data<T>(units);
    new (values + stored.position()) T(x);
    stored.wait();
    if (stored.first()) {
      combine(values, units);
    }
    access::barrier(g);
    return values[own_place ? stored.position() : 0];
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
