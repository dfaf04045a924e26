// SPDX-License-Identifier: Apache-2.0
/// SYCL 1.2.1's atomic operations, deprecated in SYCL 2020. [sycl.4.15.2]
#pragma once

#include <lanefold/memory/atomic_ref.hpp>
#include <lanefold/memory/detail/forward.hpp>
#include <lanefold/memory/multi_ptr.hpp>

#include <concepts>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

/// An element in global or local memory whose operations are atomic: what `atomic_ref` is, with the only order that
/// there was, relaxed (another one throws errc::invalid). T is an integer of 32 or 64 bits or a float, which has no
/// fetch_… functions. Uniform; copies stand for the same element.
template <class T, access::address_space Space>
class atomic {
  static_assert(std::is_same_v<T, float> || (std::is_integral_v<T> && sizeof(T) >= 4),
                "lanefold: atomic is for integers of 32 and 64 bits and float; see atomic_ref");
  static constexpr bool is_local = Space == access::address_space::local_space;
  static_assert(is_local || Space == access::address_space::global_space,
                "lanefold: atomic is for global and local memory");

public:
  template <class U, access::decorated Decorated>
    requires(sizeof(U) == sizeof(T))
  atomic(multi_ptr<U, Space, Decorated> element) : m_element(reinterpret_cast<T*>(element.get_raw())) {}

  void store(T value, memory_order order = memory_order::relaxed) const {
    check(order);
    element().store(value);
  }
  T load(memory_order order = memory_order::relaxed) const {
    check(order);
    return element().load();
  }
  T exchange(T value, memory_order order = memory_order::relaxed) const {
    check(order);
    return element().exchange(value);
  }
  bool compare_exchange_strong(T& expected, T desired, memory_order success = memory_order::relaxed,
                               memory_order failure = memory_order::relaxed) const
    requires std::integral<T>
  {
    check(success);
    check(failure);
    return element().compare_exchange_strong(expected, desired);
  }
#define LANEFOLD_DETAIL_ATOMIC(name)                                                                                   \
  T name(T value, memory_order order = memory_order::relaxed) const                                                    \
    requires std::integral<T>                                                                                          \
  {                                                                                                                    \
    check(order);                                                                                                      \
    return element().name(value);                                                                                      \
  }
  LANEFOLD_DETAIL_ATOMIC(fetch_add)
  LANEFOLD_DETAIL_ATOMIC(fetch_sub)
  LANEFOLD_DETAIL_ATOMIC(fetch_and)
  LANEFOLD_DETAIL_ATOMIC(fetch_or)
  LANEFOLD_DETAIL_ATOMIC(fetch_xor)
  LANEFOLD_DETAIL_ATOMIC(fetch_min)
  LANEFOLD_DETAIL_ATOMIC(fetch_max)
#undef LANEFOLD_DETAIL_ATOMIC

private:
  auto element() const {
    constexpr memory_scope scope = is_local ? memory_scope::work_group : memory_scope::device;
    return atomic_ref<T, memory_order::relaxed, scope, Space>(*m_element);
  }
  static void check(memory_order order) {
    if (order != memory_order::relaxed) [[unlikely]] {
      throw exception(make_error_code(errc::invalid),
                      "atomic: its operations are relaxed; atomic_ref has other orders");
    }
  }

  T* m_element;
};

template <class T, access::address_space Space>
T atomic_load(atomic<T, Space> element, memory_order order = memory_order::relaxed) {
  return element.load(order);
}
template <class T, access::address_space Space>
void atomic_store(atomic<T, Space> element, std::type_identity_t<T> value, memory_order order = memory_order::relaxed) {
  element.store(value, order);
}
template <class T, access::address_space Space>
bool atomic_compare_exchange_strong(atomic<T, Space> element, std::type_identity_t<T>& expected,
                                    std::type_identity_t<T> desired, memory_order success = memory_order::relaxed,
                                    memory_order failure = memory_order::relaxed) {
  return element.compare_exchange_strong(expected, desired, success, failure);
}
#define LANEFOLD_DETAIL_ATOMIC(name)                                                                                   \
  template <class T, access::address_space Space>                                                                      \
  T atomic_##name(atomic<T, Space> element, std::type_identity_t<T> value,                                             \
                  memory_order order = memory_order::relaxed) {                                                        \
    return element.name(value, order);                                                                                 \
  }
LANEFOLD_DETAIL_ATOMIC(exchange)
LANEFOLD_DETAIL_ATOMIC(fetch_add)
LANEFOLD_DETAIL_ATOMIC(fetch_sub)
LANEFOLD_DETAIL_ATOMIC(fetch_and)
LANEFOLD_DETAIL_ATOMIC(fetch_or)
LANEFOLD_DETAIL_ATOMIC(fetch_xor)
LANEFOLD_DETAIL_ATOMIC(fetch_min)
LANEFOLD_DETAIL_ATOMIC(fetch_max)
#undef LANEFOLD_DETAIL_ATOMIC

LANEFOLD_END_NAMESPACE
