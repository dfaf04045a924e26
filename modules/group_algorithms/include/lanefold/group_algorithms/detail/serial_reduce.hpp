// SPDX-License-Identifier: Apache-2.0
/// The phases of the older ways to reduce: every work-item's value goes to memory, the leader combines them.
#pragma once

#include <lanefold/group_algorithms/algorithm.hpp>
#include <lanefold/group_algorithms/detail/joint_loops.hpp>
#include <lanefold/group_algorithms/detail/meeting_point.hpp>

#include <new>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Memory for the values of a group, owned by the leader until all have come and by the last one then: the frame that
/// unwinds, whichever it is, frees it.
template <class T>
class value_heap {
public:
  value_heap() = default;
  value_heap(const value_heap&) = delete;
  value_heap& operator=(const value_heap&) = delete;
  ~value_heap() { ::operator delete(m_values, std::align_val_t(alignof(T))); }

  T* allocate(std::size_t count) {
    return m_values = static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t(alignof(T))));
  }
  void take(T* values) { m_values = values; }
  void release() { m_values = nullptr; }

private:
  T* m_values = nullptr;
};

/// The values of a group's work-items in memory, while `combine(values, n)` of the leader makes something of them in
/// place; returns what is then at the place of the calling work-item, or at `from` if given.
/// `serial_heap` has three barriers: memory allocated, values stored, combined. The others have two.
template <algorithm A, class Key, class G, class T, class Combine>
T through_memory(const G& g, const T& x, bool own_place, Combine combine) {
  using access = group_access<G>;
  const std::size_t units = access::units(g);
  if constexpr (A == algorithm::serial_heap) {
    const auto allocated = meeting_point<G>::template arrive<Key, struct heap_phase>(g);
    value_heap<T> own;
    if (allocated.first()) {
      *allocated.template data<T*>() = own.allocate(units);
    }
    allocated.wait();
    T* const values = *allocated.template data<T*>();
    own.release();
    if (allocated.last()) {
      own.take(values);
    }
    new (values + access::position(g)) T(x);
    access::barrier(g);
    if (allocated.first()) {
      combine(values, units);
    }
    access::barrier(g);
    return values[own_place ? access::position(g) : 0]; // work-items go on in their order
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
