// SPDX-License-Identifier: Apache-2.0
/// Atomic operations of recorded kernels.
#pragma once

#include <lanefold/memory/atomic_ref.hpp>
#include <lanefold/recorded/variable.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

/// One element for each work-item: what `atomic_ref(x[i])` is in a recorded kernel. The operations are relaxed,
/// whatever order is named: a group_barrier orders. Elements are integers, floats and doubles of 32 or 64 bits; those
/// of 64 need a device with aspect::atomic64.
template <class T, memory_order Order, memory_scope Scope, access::address_space Space>
class atomic_ref<recorded_reference<T>, Order, Scope, Space> {
  static constexpr bool is_integer = std::is_integral_v<T>;
  static constexpr bool is_wide = sizeof(T) == 8;
  static_assert((sizeof(T) == 4 || sizeof(T) == 8) && std::is_arithmetic_v<T>,
                "lanefold: atomic operations of recorded kernels are for numbers of 32 and 64 bits");

public:
  using value_type = recorded_value<T>;

  static constexpr std::size_t required_alignment = sizeof(T);
  static constexpr bool is_always_lock_free = true;

  explicit atomic_ref(const recorded_reference<T>& element) : m_element(element) {}
  atomic_ref(const atomic_ref&) = default;
  atomic_ref& operator=(const atomic_ref&) = delete;

  [[nodiscard]] bool is_lock_free() const noexcept { return true; }

#define LANEFOLD_RECORDED_FETCH(name, Requirement, function, op)                                                       \
  template <detail::RecordableOperand X>                                                                               \
    requires(Requirement)                                                                                              \
  value_type fetch_##name(const X& x, memory_order = Order, memory_scope = Scope) const {                              \
    return is_integer ? call(function, x) : combine(op, x);                                                            \
  }
  LANEFOLD_RECORDED_FETCH(and, is_integer, "and", "")
  LANEFOLD_RECORDED_FETCH(or, is_integer, "or", "")
  LANEFOLD_RECORDED_FETCH(xor, is_integer, "xor", "")
  LANEFOLD_RECORDED_FETCH(min, true, "min", "minimum")
  LANEFOLD_RECORDED_FETCH(max, true, "max", "maximum")
  LANEFOLD_RECORDED_FETCH(add, true, "add", "plus")
#undef LANEFOLD_RECORDED_FETCH
  template <detail::RecordableOperand X>
  value_type fetch_sub(const X& x, memory_order = Order, memory_scope = Scope) const {
    return is_integer ? call("sub", x) : combine("plus", -value_type(recorder(), detail::node_as<T>(recorder(), x)));
  }
  template <detail::RecordableOperand X>
  value_type exchange(const X& x, memory_order = Order, memory_scope = Scope) const {
    return is_integer || !is_wide ? call("xchg", x) : exchange_bits(x);
  }
  template <detail::RecordableOperand X>
  void store(const X& x, memory_order = Order, memory_scope = Scope) const {
    exchange(x);
  }
  template <detail::RecordableOperand X>
  void operator=(const X& x) const {
    store(x);
  }
  [[nodiscard]] value_type load(memory_order = Order, memory_scope = Scope) const {
    return is_integer ? call("or", T(0)) : combine("plus", T(-0.0));
  }
  operator value_type() const { return load(); }
  /// Writes `desired` if the element is `expected`, a variable, which gets what the element was. Returns for which
  /// work-items it wrote. Numbers are compared by their bits.
  template <detail::RecordableOperand X>
  recorded_value<bool> compare_exchange_strong(recorded_variable<T>& expected, const X& desired, memory_order = Order,
                                               memory_scope = Scope) const {
    const value_type before = expected.recorded();
    const detail::node_number wanted = before.node(), next = detail::node_as<T>(recorder(), desired);
    const value_type found(recorder(), add(name_of_compare_exchange(), wanted, next));
    expected = found;
    return bits(found) == bits(before);
  }
  template <detail::RecordableOperand X>
  recorded_value<bool> compare_exchange_strong(recorded_variable<T>& expected, const X& desired, memory_order success,
                                               memory_order /*failure*/, memory_scope scope = Scope) const {
    return compare_exchange_strong(expected, desired, success, scope);
  }
  template <detail::RecordableOperand X>
  recorded_value<bool> compare_exchange_weak(recorded_variable<T>& expected, const X& desired,
                                             memory_order order = Order, memory_scope scope = Scope) const {
    return compare_exchange_strong(expected, desired, order, scope);
  }
  template <detail::RecordableOperand X>
  recorded_value<bool> compare_exchange_weak(recorded_variable<T>& expected, const X& desired, memory_order success,
                                             memory_order /*failure*/, memory_scope scope = Scope) const {
    return compare_exchange_strong(expected, desired, success, scope);
  }
  value_type operator++(int) const { return fetch_add(T(1)); }
  value_type operator--(int) const { return fetch_sub(T(1)); }
  void operator++() const { fetch_add(T(1)); }
  void operator--() const { fetch_sub(T(1)); }
#define LANEFOLD_RECORDED_ATOMIC_ASSIGNMENT(op, name)                                                                  \
  template <detail::RecordableOperand X>                                                                               \
  void operator op(const X& x) const {                                                                                 \
    fetch_##name(x);                                                                                                   \
  }
  LANEFOLD_RECORDED_ATOMIC_ASSIGNMENT(+=, add)
  LANEFOLD_RECORDED_ATOMIC_ASSIGNMENT(-=, sub)
  LANEFOLD_RECORDED_ATOMIC_ASSIGNMENT(&=, and)
  LANEFOLD_RECORDED_ATOMIC_ASSIGNMENT(|=, or)
  LANEFOLD_RECORDED_ATOMIC_ASSIGNMENT(^=, xor)
#undef LANEFOLD_RECORDED_ATOMIC_ASSIGNMENT

private:
  [[nodiscard]] detail::recorder& recorder() const { return m_element.its_recorder(); }
  detail::node_number add(const std::string& name, detail::node_number x,
                          detail::node_number y = detail::no_node) const {
    return recorder().add_atomic(m_element.array(), name.c_str(), detail::recorded_type_of<T>(), m_element.index(), x,
                                 y);
  }
  /// A function of OpenCL C.
  template <class X>
  value_type call(const char* name, const X& x) const {
    return {recorder(), add(std::string(is_wide ? "atom_" : "atomic_") + name, detail::node_as<T>(recorder(), x))};
  }
  /// The name of a function of the device library, for the space in which the element lies.
  [[nodiscard]] std::string name_in_space(const char* name, const std::string& behind) const {
    const bool is_local = recorder().arrays()[m_element.array()].is_local;
    return name + std::string(is_local ? "_local_" : "_global_") + behind +
           detail::name_of_type(detail::recorded_type_of<T>());
  }
  [[nodiscard]] std::string name_of_compare_exchange() const {
    if constexpr (is_integer) {
      return is_wide ? "atom_cmpxchg" : "atomic_cmpxchg";
    } else {
      return name_in_space("lf_atomic_compare_exchange", "");
    }
  }
  static auto bits(const value_type& x) {
    if constexpr (is_integer) {
      return x;
    } else {
      using U = std::conditional_t<is_wide, std::uint64_t, std::uint32_t>;
      return detail::recorded_call<U, T>(is_wide ? "as_ulong" : "as_uint", x);
    }
  }
  template <class X>
  value_type in_space(const char* name, const std::string& behind, const X& x) const {
    return {recorder(), add(name_in_space(name, behind), detail::node_as<T>(recorder(), x))};
  }
  template <class X>
  value_type combine(const char* op, const X& x) const {
    return in_space("lf_atomic", std::string(op) + "_", x);
  }
  template <class X>
  value_type exchange_bits(const X& x) const {
    return in_space("lf_atomic_exchange", "", x);
  }

  recorded_reference<T> m_element;
};

template <class T>
atomic_ref(recorded_reference<T>) -> atomic_ref<recorded_reference<T>>;
template <class T>
atomic_ref(recorded_cell<T>) -> atomic_ref<recorded_reference<T>>;

/// `atomic_ref(x[0])`, of an element with a plain index, becomes this for an operand that work-items compute.
template <class T, detail::RecordedOperand X>
auto recorded_atomic_ref(T& element, const X& operand) {
  detail::recorder& r = operand.its_recorder();
  const T* place = &element;
  asm("" : "+r"(place)); // it may be in memory of a device
  const std::uint32_t array = r.array_at(place, detail::recorded_type_of<T>(), false);
  return atomic_ref(recorded_reference<T>(r, array, r.literal(detail::recorded_type::u64, 0)));
}

LANEFOLD_END_NAMESPACE
