// SPDX-License-Identifier: Apache-2.0
/// Defines what recorded kernels assign to: variables of a work-item, and elements of arrays.
#pragma once

#include <lanefold/recorded/value.hpp>

#include <cstdint>

LANEFOLD_BEGIN_NAMESPACE

// The assignments of `Self`, whose member functions are const or not: `old` is the value before.
#define LANEFOLD_RECORDED_ASSIGNMENT(Self, constness, old, op)                                                         \
  template <detail::RecordableOperand X>                                                                               \
  Self operator op##=(const X& x) constness {                                                                          \
    return set(old op x);                                                                                              \
  }
#define LANEFOLD_RECORDED_ASSIGNMENTS(Self, constness, old)                                                            \
  LANEFOLD_RECORDED_ASSIGNMENT(Self, constness, old, +)                                                                \
  LANEFOLD_RECORDED_ASSIGNMENT(Self, constness, old, -)                                                                \
  LANEFOLD_RECORDED_ASSIGNMENT(Self, constness, old, *)                                                                \
  LANEFOLD_RECORDED_ASSIGNMENT(Self, constness, old, /)                                                                \
  LANEFOLD_RECORDED_ASSIGNMENT(Self, constness, old, %)                                                                \
  LANEFOLD_RECORDED_ASSIGNMENT(Self, constness, old, &)                                                                \
  LANEFOLD_RECORDED_ASSIGNMENT(Self, constness, old, |)                                                                \
  LANEFOLD_RECORDED_ASSIGNMENT(Self, constness, old, ^)                                                                \
  LANEFOLD_RECORDED_ASSIGNMENT(Self, constness, old, <<)                                                               \
  LANEFOLD_RECORDED_ASSIGNMENT(Self, constness, old, >>)

/// A variable of each work-item of a recorded kernel: made by `it.var(x)`, usable as the value that it holds. Copying
/// it makes a variable of its own, as copying a `float` does.
template <class T>
class recorded_variable {
public:
  using recorded_element_type = T;
  using value_type = recorded_value<T>;

  /// Only the library calls this.
  template <class X>
  recorded_variable(detail::recorder& r, const X& first)
      : m_recorder(&r), m_number(r.new_variable(detail::recorded_type_of<T>(), detail::node_as<T>(r, first))),
        m_block(r.block()) {}
  recorded_variable(const recorded_variable& other) : recorded_variable(other.its_recorder(), other) {}

  recorded_variable& operator=(const recorded_variable& other) { return set(other); }
  /// From a plain value or a value of another type, converted as C++ converts.
  template <detail::RecordableOperand X>
  recorded_variable& operator=(const X& x) {
    return set(x);
  }

  LANEFOLD_RECORDED_ASSIGNMENTS(recorded_variable&, , recorded())

  recorded_variable& operator++() { return *this += T(1); }
  recorded_variable& operator--() { return *this -= T(1); }
  value_type operator++(int) {
    const value_type old = recorded();
    ++*this;
    return old;
  }
  value_type operator--(int) {
    const value_type old = recorded();
    --*this;
    return old;
  }

  operator value_type() const { return recorded(); }
  explicit operator bool() const = delete; // no plain if on recorded values: it.if_, it.while_, select
  template <Element U>
  operator U() const = delete; // recorded values are no plain numbers: auto v = x, lf::view for a pointer, lf::sqrt

  /// Only the library calls these.
  [[nodiscard]] value_type recorded() const {
    m_recorder->check_in_scope(m_block);
    return {*m_recorder, m_recorder->add(detail::recorded_op::read, detail::recorded_type_of<T>(), m_number)};
  }
  [[nodiscard]] detail::recorder& its_recorder() const { return *m_recorder; }

private:
  template <class X>
  recorded_variable& set(const X& x) {
    m_recorder->check_in_scope(m_block);
    const detail::node_number value = detail::node_as<T>(*m_recorder, x);
    m_recorder->add(detail::recorded_op::assign, detail::recorded_type_of<T>(), m_number, value);
    return *this;
  }

  detail::recorder* m_recorder;
  std::uint32_t m_number;
  std::uint32_t m_block; ///< it is valid until this ends
};

/// An element of an array, by an index that work-items compute: the value that it had when it was named, and what can
/// be assigned to.
template <class T>
class recorded_reference {
public:
  using recorded_element_type = T;

  recorded_reference(const recorded_reference&) = default;
  const recorded_reference& operator=(const recorded_reference& other) const { return set(other); }
  template <detail::RecordableOperand X>
  const recorded_reference& operator=(const X& x) const {
    return set(x);
  }

  LANEFOLD_RECORDED_ASSIGNMENTS(const recorded_reference&, const, m_value)
  const recorded_reference& operator++() const { return *this += T(1); }
  const recorded_reference& operator--() const { return *this -= T(1); }

  operator recorded_value<T>() const { return m_value; }
  explicit operator bool() const = delete; // no plain if on recorded values: it.if_, it.while_, select
  template <Element U>
  operator U() const = delete; // recorded values are no plain numbers: auto v = x, lf::view for a pointer, lf::sqrt

  /// Only the library calls these.
  recorded_reference(detail::recorder& r, std::uint32_t array, detail::node_number index)
      : m_value(r, r.load(array, index)), m_array(array), m_index(index) {}
  [[nodiscard]] const recorded_value<T>& recorded() const { return m_value; }
  [[nodiscard]] detail::recorder& its_recorder() const { return m_value.its_recorder(); }
  [[nodiscard]] std::uint32_t array() const { return m_array; }
  [[nodiscard]] detail::node_number index() const { return m_index; }

private:
  template <class X>
  const recorded_reference& set(const X& x) const {
    detail::recorder& r = its_recorder();
    r.check_in_scope(m_value.block());
    r.store(m_array, m_index, detail::node_as<T>(r, x));
    return *this;
  }

  recorded_value<T> m_value;
  std::uint32_t m_array;
  detail::node_number m_index;
};

/// A number in the local memory of a scoped group: it is read anew wherever it is used, and can be assigned to.
template <class T>
class recorded_cell {
public:
  using recorded_element_type = T;
  using value_type = recorded_value<T>;

  recorded_cell(const recorded_cell&) = default;
  const recorded_cell& operator=(const recorded_cell& other) const { return set(other); }
  template <detail::RecordableOperand X>
  const recorded_cell& operator=(const X& x) const {
    return set(x);
  }

  LANEFOLD_RECORDED_ASSIGNMENTS(const recorded_cell&, const, recorded())
  const recorded_cell& operator++() const { return *this += T(1); }
  const recorded_cell& operator--() const { return *this -= T(1); }

  operator value_type() const { return recorded(); }
  operator recorded_reference<T>() const { return {*m_recorder, m_array, m_index}; } // for atomic_ref
  explicit operator bool() const = delete; // no plain if on recorded values: it.if_, it.while_, select
  template <Element U>
  operator U() const = delete; // recorded values are no plain numbers: auto v = x, lf::view for a pointer, lf::sqrt

  /// Only the library calls these.
  recorded_cell(detail::recorder& r, std::uint32_t array, detail::node_number index)
      : m_recorder(&r), m_array(array), m_index(index) {}
  [[nodiscard]] value_type recorded() const { return {*m_recorder, m_recorder->load(m_array, m_index)}; }
  [[nodiscard]] detail::recorder& its_recorder() const { return *m_recorder; }

private:
  template <class X>
  const recorded_cell& set(const X& x) const {
    m_recorder->store(m_array, m_index, detail::node_as<T>(*m_recorder, x));
    return *this;
  }

  detail::recorder* m_recorder;
  std::uint32_t m_array;
  detail::node_number m_index;
};

/// An element of an array that each work-item has for itself: the value that it had when it was named, and what can be
/// assigned to.
template <class T>
class recorded_private_reference {
public:
  using recorded_element_type = T;

  recorded_private_reference(const recorded_private_reference&) = default;
  const recorded_private_reference& operator=(const recorded_private_reference& other) const { return set(other); }
  template <detail::RecordableOperand X>
  const recorded_private_reference& operator=(const X& x) const {
    return set(x);
  }

  LANEFOLD_RECORDED_ASSIGNMENTS(const recorded_private_reference&, const, m_value)
  const recorded_private_reference& operator++() const { return *this += T(1); }
  const recorded_private_reference& operator--() const { return *this -= T(1); }

  operator recorded_value<T>() const { return m_value; }
  explicit operator bool() const = delete; // no plain if on recorded values: it.if_, it.while_, select
  template <Element U>
  operator U() const = delete; // recorded values are no plain numbers: auto v = x, lf::view for a pointer, lf::sqrt

  /// Only the library calls these.
  recorded_private_reference(detail::recorder& r, std::uint32_t array, detail::node_number index)
      : m_value(r, r.add(detail::recorded_op::element, detail::recorded_type_of<T>(), array, index)), m_array(array),
        m_index(index) {}
  [[nodiscard]] const recorded_value<T>& recorded() const { return m_value; }
  [[nodiscard]] detail::recorder& its_recorder() const { return m_value.its_recorder(); }

private:
  template <class X>
  const recorded_private_reference& set(const X& x) const {
    detail::recorder& r = its_recorder();
    r.check_in_scope(m_value.block());
    r.add(detail::recorded_op::set_element, detail::recorded_type_of<T>(), m_array, m_index, detail::node_as<T>(r, x));
    return *this;
  }

  recorded_value<T> m_value;
  std::uint32_t m_array;
  detail::node_number m_index;
};

#undef LANEFOLD_RECORDED_ASSIGNMENTS
#undef LANEFOLD_RECORDED_ASSIGNMENT

namespace detail {

template <class X>
inline constexpr bool is_recorded_variable = false;
template <class T>
inline constexpr bool is_recorded_variable<recorded_variable<T>> = true;

/// Vectors and structs, see composite.hpp.
template <class C>
struct composite_access;

/// `p[i]` for the index of a recorded kernel: a value for const elements, else what can be assigned to.
template <bool Owned, class T, recorded_operand Index>
auto element(T* p, const Index& i) {
  using E = std::remove_const_t<T>;
  static_assert(RecordableNumber<E> || RecordableComposite<E>,
                "lanefold: recorded kernels have arrays of numbers, vectors and trivially copyable structs");
  static_assert(std::is_integral_v<recorded_element_t<Index>>, "lanefold: an index is a whole number");
  recorder& r = i.its_recorder();
  const node_number index = detail::node_of(r, i);
  if constexpr (RecordableComposite<E>) {
    return composite_access<E>::template at<std::is_const_v<T>>(r, p, index);
  } else if constexpr (std::is_const_v<T>) {
    return recorded_value<E>(r, r.load(r.array_at(p, recorded_type_of<E>(), true), index));
  } else {
    return recorded_reference<E>(r, r.array_at(p, recorded_type_of<E>(), false), index);
  }
}

} // namespace detail

LANEFOLD_END_NAMESPACE
