// SPDX-License-Identifier: Apache-2.0
/// Mutable per-work-item values of lane-generic kernels.
#pragma once

#include <lanefold/simd/lane_index.hpp>
#include <lanefold/simd/select.hpp>

#include <concepts>

LANEFOLD_BEGIN_NAMESPACE

/// A variable of each work-item of a sub-group: made by `it.var(x)`, usable as the varying that it holds. An assignment
/// changes the active lanes only. Copying it makes a variable of its own, as copying a `float` does. Valid as long as
/// its item.
template <class T, class Lanes>
class variable : public varying<T, Lanes::size, typename Lanes::isa> {
public:
  using value_type = varying<T, Lanes::size, typename Lanes::isa>;
  using context_type = detail::lane_context<Lanes>;

  LANEFOLD_ALWAYS_INLINE variable(const context_type* context, const value_type& v)
      : value_type(v), m_context(context) {}
  LANEFOLD_ALWAYS_INLINE variable(const variable&) = default;

  LANEFOLD_ALWAYS_INLINE variable& operator=(const variable& v) { return set(v); }
  LANEFOLD_ALWAYS_INLINE variable& operator=(const value_type& v) { return set(v); }
  /// From a plain value or a value of another type, converted as C++ converts.
  template <class U>
    requires(!std::derived_from<U, value_type>)
  LANEFOLD_ALWAYS_INLINE variable& operator=(const U& u) {
    return set(value_type(detail::index_value(u)));
  }

#define LANEFOLD_VARIABLE_OPERATOR(op)                                                                                 \
  template <class U>                                                                                                   \
  LANEFOLD_ALWAYS_INLINE variable& operator op##=(const U & u) {                                                       \
    return set(value_type(static_cast<const value_type&>(*this) op detail::index_value(u)));                           \
  }
  LANEFOLD_VARIABLE_OPERATOR(+)
  LANEFOLD_VARIABLE_OPERATOR(-)
  LANEFOLD_VARIABLE_OPERATOR(*)
  LANEFOLD_VARIABLE_OPERATOR(/)
  LANEFOLD_VARIABLE_OPERATOR(%)
  LANEFOLD_VARIABLE_OPERATOR(&)
  LANEFOLD_VARIABLE_OPERATOR(|)
  LANEFOLD_VARIABLE_OPERATOR(^)
  LANEFOLD_VARIABLE_OPERATOR(<<)
  LANEFOLD_VARIABLE_OPERATOR(>>)
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
    if (m_context->all) {
      detail::assign(static_cast<value_type&>(*this), v);
    } else {
      detail::assign(static_cast<value_type&>(*this), v, m_context->active);
    }
    return *this;
  }

  const context_type* m_context;
};

/// A bool of each work-item: `it.var(mask)` or `it.var(true)`.
template <class Lanes>
class variable<bool, Lanes> : public mask<Lanes::size, typename Lanes::isa> {
public:
  using value_type = mask<Lanes::size, typename Lanes::isa>;
  using context_type = detail::lane_context<Lanes>;

  LANEFOLD_ALWAYS_INLINE variable(const context_type* context, const value_type& m)
      : value_type(m), m_context(context) {}
  LANEFOLD_ALWAYS_INLINE variable(const variable&) = default;

  LANEFOLD_ALWAYS_INLINE variable& operator=(const variable& m) { return set(m); }
  LANEFOLD_ALWAYS_INLINE variable& operator=(const value_type& m) { return set(m); }
  LANEFOLD_ALWAYS_INLINE variable& operator=(bool b) { return set(value_type(b)); }
  LANEFOLD_ALWAYS_INLINE variable& operator&=(const value_type& m) { return set(value() & m); }
  LANEFOLD_ALWAYS_INLINE variable& operator|=(const value_type& m) { return set(value() | m); }
  LANEFOLD_ALWAYS_INLINE variable& operator^=(const value_type& m) { return set(value() ^ m); }

private:
  LANEFOLD_ALWAYS_INLINE const value_type& value() const { return *this; }
  LANEFOLD_ALWAYS_INLINE variable& set(const value_type& m) {
    if (m_context->all) {
      detail::assign(static_cast<value_type&>(*this), m);
    } else {
      detail::assign(static_cast<value_type&>(*this), m, m_context->active);
    }
    return *this;
  }

  const context_type* m_context;
};

namespace detail {

/// The variable that begins with a varying or a mask, or with what is derived from one.
template <class Lanes, class T>
LANEFOLD_ALWAYS_INLINE variable<T, Lanes> make_variable(const lane_context<Lanes>* context,
                                                        const varying<T, Lanes::size, typename Lanes::isa>& v) {
  return {context, v};
}
template <class Lanes>
LANEFOLD_ALWAYS_INLINE variable<bool, Lanes> make_variable(const lane_context<Lanes>* context,
                                                           const mask<Lanes::size, typename Lanes::isa>& m) {
  return {context, m};
}

} // namespace detail

LANEFOLD_END_NAMESPACE
