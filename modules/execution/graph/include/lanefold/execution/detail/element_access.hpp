// SPDX-License-Identifier: Apache-2.0
/// Holds what accessors and host_accessors of no dimensions have in common.
#pragma once

#include <lanefold/execution/detail/buffer_access.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The first element of a buffer, as the mode allows. It converts to a reference to the element.
template <class T, access_mode Mode>
class element_access : public buffer_access<T, 1, Mode> {
  using base = buffer_access<T, 1, Mode>;
  using base::operator[];

public:
  using typename base::reference;
  static constexpr int dimensions = 0;

  LANEFOLD_ALWAYS_INLINE operator reference() const { return watched(this->begin(), *this->begin()); }

protected:
  element_access() = default;
  template <class U, class A>
  element_access(const buffer<U, 1, A>& b, const property_list& properties)
      : base(b, range<1>(b.size() < 1 ? b.size() : 1), id<1>(), properties) {}
  template <class U, access_mode Other>
  explicit element_access(const element_access<U, Other>& other)
      : base(static_cast<const buffer_access<U, 1, Other>&>(other)) {}

  /// Sets the element, for operator= of the accessors.
  template <class Value>
  LANEFOLD_ALWAYS_INLINE void assign(Value&& value) const {
    watched(this->begin(), *this->begin()) = std::forward<Value>(value);
  }
};

} // namespace detail
LANEFOLD_END_NAMESPACE
