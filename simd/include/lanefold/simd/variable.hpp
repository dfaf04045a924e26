// SPDX-License-Identifier: Apache-2.0
/// Mutable per-work-item values of lane-generic kernels.
#pragma once

#include <lanefold/simd/detail/compound.hpp>
#include <lanefold/simd/lane_index.hpp>
#include <lanefold/simd/wrapped_index.hpp>

#include <concepts>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// Stands for the lane context in a variable whose assignments change every lane.
struct every_lane {};

/// to = from for the lanes that `where` says.
template <class Value, class Lanes>
LANEFOLD_ALWAYS_INLINE void assign_where(Value& to, const Value& from, const lane_context<Lanes>* where) {
  if (where->all) {
    assign(to, from);
  } else {
    assign(to, from, where->active);
  }
}
template <class Value>
LANEFOLD_ALWAYS_INLINE void assign_where(Value& to, const Value& from, every_lane) {
  assign(to, from);
}

} // namespace detail

/// A variable of each work-item of a sub-group: made by `it.var(x)`, usable as the varying that it holds. An assignment
/// changes the active lanes only. Copying it makes a variable of its own, as copying a `float` does. Valid as long as
/// its item. `Where` is what an assignment asks for the active lanes.
template <class T, class Lanes, class Where = const detail::lane_context<Lanes>*>
class variable : public varying<T, Lanes::size, typename Lanes::isa> {
public:
  using value_type = varying<T, Lanes::size, typename Lanes::isa>;

  LANEFOLD_ALWAYS_INLINE variable(Where where, const value_type& v) : value_type(v), m_where(where) {}
  LANEFOLD_ALWAYS_INLINE variable(const variable&) = default;

  LANEFOLD_ALWAYS_INLINE variable& operator=(const variable& v) { return set(v); }
  LANEFOLD_ALWAYS_INLINE variable& operator=(const value_type& v) { return set(v); }
  /// From a plain value or a value of another type, converted as C++ converts.
  template <class U>
    requires(!std::derived_from<U, value_type>)
  LANEFOLD_ALWAYS_INLINE variable& operator=(const U& u) {
    return set(value_type(detail::index_value(u)));
  }

#define LANEFOLD_VARIABLE_OPERATOR(op, name)                                                                           \
  template <class U>                                                                                                   \
  LANEFOLD_ALWAYS_INLINE variable& operator op##=(const U & u) {                                                       \
    return set(value_type(detail::name##_assigned()(static_cast<const value_type&>(*this), detail::index_value(u))));  \
  }
  LANEFOLD_VARIABLE_OPERATOR(+, add)
  LANEFOLD_VARIABLE_OPERATOR(-, subtract)
  LANEFOLD_VARIABLE_OPERATOR(*, multiply)
  LANEFOLD_VARIABLE_OPERATOR(/, divide)
  LANEFOLD_VARIABLE_OPERATOR(%, remainder)
  LANEFOLD_VARIABLE_OPERATOR(&, bitwise_and)
  LANEFOLD_VARIABLE_OPERATOR(|, bitwise_or)
  LANEFOLD_VARIABLE_OPERATOR(^, bitwise_xor)
  LANEFOLD_VARIABLE_OPERATOR(<<, shift_left)
  LANEFOLD_VARIABLE_OPERATOR(>>, shift_right)
#undef LANEFOLD_VARIABLE_OPERATOR

  LANEFOLD_ALWAYS_INLINE variable& operator++() { return *this += T(1); }
  LANEFOLD_ALWAYS_INLINE variable& operator--() { return *this -= T(1); }
  LANEFOLD_ALWAYS_INLINE value_type operator++(int) {
    const value_type old(*this);
    ++*this;
    return old;
  }
  LANEFOLD_ALWAYS_INLINE value_type operator--(int) {
    const value_type old(*this);
    --*this;
    return old;
  }

private:
  LANEFOLD_ALWAYS_INLINE variable& set(const value_type& v) {
    detail::assign_where(static_cast<value_type&>(*this), v, m_where);
    return *this;
  }

  [[no_unique_address]] Where m_where;
};

/// A bool of each work-item: `it.var(mask)` or `it.var(true)`.
template <class Lanes, class Where>
class variable<bool, Lanes, Where> : public mask<Lanes::size, typename Lanes::isa> {
public:
  using value_type = mask<Lanes::size, typename Lanes::isa>;

  LANEFOLD_ALWAYS_INLINE variable(Where where, const value_type& m) : value_type(m), m_where(where) {}
  LANEFOLD_ALWAYS_INLINE variable(const variable&) = default;

  LANEFOLD_ALWAYS_INLINE variable& operator=(const variable& m) { return set(m); }
  LANEFOLD_ALWAYS_INLINE variable& operator=(const value_type& m) { return set(m); }
  LANEFOLD_ALWAYS_INLINE variable& operator=(bool b) { return set(value_type(b)); }
  LANEFOLD_ALWAYS_INLINE variable& operator&=(const value_type& m) { return set(value() & m); }
  LANEFOLD_ALWAYS_INLINE variable& operator|=(const value_type& m) { return set(value() | m); }
  LANEFOLD_ALWAYS_INLINE variable& operator^=(const value_type& m) { return set(value() ^ m); }
  LANEFOLD_ALWAYS_INLINE variable& operator&=(bool b) { return set(value() & b); }
  LANEFOLD_ALWAYS_INLINE variable& operator|=(bool b) { return set(value() | b); }
  LANEFOLD_ALWAYS_INLINE variable& operator^=(bool b) { return set(value() ^ b); }

private:
  LANEFOLD_ALWAYS_INLINE const value_type& value() const { return *this; }
  LANEFOLD_ALWAYS_INLINE variable& set(const value_type& m) {
    detail::assign_where(static_cast<value_type&>(*this), m, m_where);
    return *this;
  }

  [[no_unique_address]] Where m_where;
};

namespace detail {

template <class Lanes, class Where, class T>
LANEFOLD_ALWAYS_INLINE variable<T, Lanes, Where> make_variable(Where where,
                                                               const varying<T, Lanes::size, typename Lanes::isa>& v) {
  return {where, v};
}
template <class Lanes, class Where>
LANEFOLD_ALWAYS_INLINE variable<bool, Lanes, Where> make_variable(Where where,
                                                                  const mask<Lanes::size, typename Lanes::isa>& m) {
  return {where, m};
}
/// A uniform beginning.
template <class Lanes, class Where, class T>
  requires(!is_varying_v<T> && !is_mask_v<T>)
LANEFOLD_ALWAYS_INLINE variable<T, Lanes, Where> make_variable(Where where, const T& x) {
  return {where, typename variable<T, Lanes, Where>::value_type(x)};
}

} // namespace detail

LANEFOLD_END_NAMESPACE
