// SPDX-License-Identifier: Apache-2.0
/// Atomic operations of recorded kernels.
#pragma once

#include <lanefold/memory/atomic_ref.hpp>
#include <lanefold/recorded/variable.hpp>

#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

/// One element for each work-item: what `atomic_ref(x[i])` is in a recorded kernel. The operations are relaxed,
/// whatever order is named: a group_barrier orders. Elements are 32-bit integers, and floats for fetch_add and
/// fetch_sub.
template <class T, memory_order Order, memory_scope Scope, access::address_space Space>
class atomic_ref<recorded_reference<T>, Order, Scope, Space> {
  static constexpr bool is_integer = std::is_integral_v<T>;
  static_assert(sizeof(T) == 4 && !std::is_same_v<T, bool>,
                "lanefold: atomic operations of recorded kernels are for 32-bit integers and floats");

public:
  using value_type = recorded_value<T>;

  explicit atomic_ref(const recorded_reference<T>& element) : m_element(element) {}
  atomic_ref(const atomic_ref&) = default;
  atomic_ref& operator=(const atomic_ref&) = delete;

#define LANEFOLD_RECORDED_FETCH(name)                                                                                  \
  template <detail::RecordableOperand X>                                                                               \
    requires is_integer                                                                                                \
  value_type fetch_##name(const X& x, memory_order = Order, memory_scope = Scope) const {                              \
    return call("atomic_" #name, x);                                                                                   \
  }
  LANEFOLD_RECORDED_FETCH(and)
  LANEFOLD_RECORDED_FETCH(or)
  LANEFOLD_RECORDED_FETCH(xor)
  LANEFOLD_RECORDED_FETCH(min)
  LANEFOLD_RECORDED_FETCH(max)
#undef LANEFOLD_RECORDED_FETCH
  template <detail::RecordableOperand X>
  value_type fetch_add(const X& x, memory_order = Order, memory_scope = Scope) const {
    return is_integer ? call("atomic_add", x) : add(x);
  }
  template <detail::RecordableOperand X>
  value_type fetch_sub(const X& x, memory_order = Order, memory_scope = Scope) const {
    return is_integer ? call("atomic_sub", x) : add(-value_type(recorder(), detail::node_as<T>(recorder(), x)));
  }
  template <detail::RecordableOperand X>
  value_type exchange(const X& x, memory_order = Order, memory_scope = Scope) const {
    return call("atomic_xchg", x);
  }
  template <detail::RecordableOperand X>
  void store(const X& x, memory_order = Order, memory_scope = Scope) const {
    call("atomic_xchg", x);
  }
  [[nodiscard]] value_type load(memory_order = Order, memory_scope = Scope) const
    requires is_integer
  {
    return call("atomic_or", T(0));
  }
  value_type operator++(int) const { return fetch_add(T(1)); }
  value_type operator--(int) const { return fetch_sub(T(1)); }
  void operator++() const { fetch_add(T(1)); }
  void operator--() const { fetch_sub(T(1)); }
  template <detail::RecordableOperand X>
  void operator+=(const X& x) const {
    fetch_add(x);
  }
  template <detail::RecordableOperand X>
  void operator-=(const X& x) const {
    fetch_sub(x);
  }

private:
  [[nodiscard]] detail::recorder& recorder() const { return m_element.its_recorder(); }
  template <class X>
  value_type call(const char* name, const X& x) const {
    const detail::node_number value = detail::node_as<T>(recorder(), x);
    return {recorder(),
            recorder().add_atomic(m_element.array(), name, detail::recorded_type_of<T>(), m_element.index(), value)};
  }
  /// Adds floats, for which OpenCL C has no function.
  template <class X>
  value_type add(const X& x) const {
    const bool is_local = recorder().arrays()[m_element.array()].is_local;
    return call(is_local ? "lf_atomic_add_local_float" : "lf_atomic_add_global_float", x);
  }

  recorded_reference<T> m_element;
};

template <class T>
atomic_ref(recorded_reference<T>) -> atomic_ref<recorded_reference<T>>;

LANEFOLD_END_NAMESPACE
