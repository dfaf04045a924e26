// SPDX-License-Identifier: Apache-2.0
/// Local memory as an object or an array of the language. (sycl_ext_oneapi_work_group_memory)
#pragma once

#include <lanefold/memory/local_accessor.hpp>
#include <lanefold/memory/multi_ptr.hpp>

#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace ext::oneapi::experimental {

struct indeterminate_t {};
/// Makes a work_group_memory without memory, to which one with memory may be assigned.
inline constexpr indeterminate_t indeterminate{};

/// An object of type T in the local memory of each work-group: shared by the work-items of the group, without initial
/// value when the group starts, gone when it ends. T may be an array; of an array without bound the constructor takes
/// the number of its elements. Made in a command group and captured by value in its kernel; converts to a reference to
/// T there, so that `m[i]` is an element, `m[y][x]` one of an array of arrays. Uniform. Errors: those of
/// local_accessor.
template <class T>
class work_group_memory {
  static constexpr bool is_unbounded = std::is_unbounded_array_v<T>;
  /// The constructor makes one of these, or as many as it is told.
  using part = std::conditional_t<is_unbounded, std::remove_extent_t<T>, T>;
  static_assert(!std::is_const_v<std::remove_all_extents_t<T>>,
                "lanefold: nobody could write a const work_group_memory");

public:
  using value_type = std::remove_all_extents_t<T>;

  work_group_memory(const indeterminate_t&) {}
  work_group_memory(const work_group_memory&) = default;
  work_group_memory& operator=(const work_group_memory&) = default;
  template <lanefold::detail::gives_local_memory Handler>
    requires(!is_unbounded)
  explicit work_group_memory(Handler& handler) : m_values(range<1>(sizeof(part) / sizeof(value_type)), handler) {}
  template <lanefold::detail::gives_local_memory Handler>
    requires is_unbounded
  work_group_memory(std::size_t number, Handler& handler)
      : m_values(range<1>(number * (sizeof(part) / sizeof(value_type))), handler) {}

  // Within a kernel:

  LANEFOLD_ALWAYS_INLINE operator T&() const { return *reinterpret_cast<T*>(m_values.begin()); }
  /// Sets the object.
  LANEFOLD_ALWAYS_INLINE const work_group_memory& operator=(const T& value) const
    requires(!std::is_array_v<T>)
  {
    static_cast<T&>(*this) = value;
    return *this;
  }
  LANEFOLD_ALWAYS_INLINE T* operator&() const { return reinterpret_cast<T*>(m_values.begin()); }
  template <access::decorated Decorated>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE multi_ptr<value_type, access::address_space::local_space, Decorated>
  get_multi_ptr() const {
    return m_values.template get_multi_ptr<Decorated>();
  }

private:
  local_accessor<value_type, 1> m_values;
};

} // namespace ext::oneapi::experimental
LANEFOLD_END_NAMESPACE
