// SPDX-License-Identifier: Apache-2.0
/// Pointers that name their address space in their type. [sycl.4.7.7.2]
#pragma once

#include <lanefold/memory/address_space.hpp>
#include <lanefold/memory/detail/forward.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// Returns whether a pointer into `From` is one into `To` without a cast.
constexpr bool is_within(access::address_space from, access::address_space to) {
  return from == to || (to == access::address_space::generic_space && from != access::address_space::constant_space);
}
/// Returns whether a cast between the two can be right.
constexpr bool may_be_within(access::address_space from, access::address_space to) {
  return is_within(from, to) || is_within(to, from);
}

/// An accessor, or what gives its memory as one does.
template <class A, class T>
concept HasPointer = requires(const A& a) {
  { std::to_address(a.get_pointer()) } -> std::convertible_to<T*>;
};

/// Holds what multi_ptr and its form for void have in common.
template <class T, access::address_space Space, access::decorated Decorated>
class multi_ptr_base {
public:
  using value_type = T;
  using pointer = T*;
  using difference_type = std::ptrdiff_t;
  // Of SYCL 1.2.1.
  using element_type = T;
  using pointer_t = T*;
  using const_pointer_t = const T*;
  using iterator_category = std::random_access_iterator_tag;
  static constexpr bool is_decorated = Decorated == access::decorated::yes;
  static constexpr access::address_space address_space = Space;

  constexpr multi_ptr_base(T* p = nullptr) : m_pointer(p) {}

  /// The plain pointer. (There are no decorated types here: all three are the same.)
  constexpr T* get() const { return m_pointer; }
  constexpr T* get_raw() const { return m_pointer; }
  constexpr T* get_decorated() const { return m_pointer; }

  constexpr explicit operator bool() const { return m_pointer != nullptr; }

  // These take no plain pointers, which convert in both directions: with them the operators are those of pointers.
  template <std::same_as<multi_ptr<T, Space, Decorated>> P>
  friend constexpr bool operator==(const P& a, const P& b) {
    return a.get() == b.get();
  }
  template <std::same_as<multi_ptr<T, Space, Decorated>> P>
  friend constexpr bool operator==(const P& a, std::nullptr_t) {
    return a.get() == nullptr;
  }
  template <std::same_as<multi_ptr<T, Space, Decorated>> P>
  friend constexpr auto operator<=>(const P& a, const P& b) {
    return std::compare_three_way{}(a.get(), b.get());
  }
  template <std::same_as<multi_ptr<T, Space, Decorated>> P>
  friend constexpr auto operator<=>(const P& a, std::nullptr_t) {
    return std::compare_three_way{}(a.get(), typename P::pointer(nullptr));
  }

protected:
  T* m_pointer;
};

} // namespace detail

/// A pointer to T in an address space: on a CPU a plain pointer whose type says where it points to. Converts as the
/// spaces and constness allow; `address_space_cast` does the rest. Uniform.
// [sycl.4.7.7.2]
template <class T, access::address_space Space, access::decorated Decorated>
class multi_ptr : public detail::multi_ptr_base<T, Space, Decorated> {
  using base = detail::multi_ptr_base<T, Space, Decorated>;
  using base::m_pointer;
  static constexpr bool is_legacy_const = Decorated == access::decorated::legacy && std::is_const_v<T>;

public:
  using reference = T&;
  using reference_t = T&; // of SYCL 1.2.1, as the next one is
  using const_reference_t = const T&;
  using typename base::difference_type;
  using typename base::pointer;

  constexpr multi_ptr() = default;
  constexpr multi_ptr(std::nullptr_t) {}
  /// Implicit for the pointers that SYCL 2020 calls legacy, `local_ptr<T>`.
  constexpr explicit(Decorated != access::decorated::legacy) multi_ptr(T* p) : base(p) {}
  /// From a pointer into the same space, or into any space for a generic one; T may become const.
  template <class U, access::address_space From, access::decorated D>
    requires(std::is_convertible_v<U (*)[], T (*)[]> && detail::is_within(From, Space))
  constexpr multi_ptr(const multi_ptr<U, From, D>& p) : base(p.get()) {}
  /// From a generic pointer, which must point into the space.
  template <class U, access::decorated D>
    requires(std::is_convertible_v<U (*)[], T (*)[]> && Space != access::address_space::generic_space)
  constexpr explicit multi_ptr(const multi_ptr<U, access::address_space::generic_space, D>& p) : base(p.get()) {}
  /// To the memory of an accessor.
  template <detail::HasPointer<T> Accessor>
  constexpr multi_ptr(const Accessor& accessor) : base(std::to_address(accessor.get_pointer())) {}

  constexpr multi_ptr& operator=(std::nullptr_t) {
    m_pointer = nullptr;
    return *this;
  }

  constexpr T& operator*() const { return *m_pointer; }
  constexpr T* operator->() const { return m_pointer; }
  /// The index is an integer, or converts to one, as an item does.
  template <std::convertible_to<difference_type> I>
  constexpr T& operator[](I i) const {
    return m_pointer[static_cast<difference_type>(i)];
  }
  /// Deprecated in SYCL 2020: get() says the same.
  constexpr operator T*() const
    requires(!is_legacy_const)
  {
    return m_pointer;
  }
  /// Legacy pointers to const are what get_pointer() of a reading accessor returns. In SYCL 1.2.1 it returned pointers
  /// to elements that are not const, and its programs pass them to functions that take such: 14 of 151 did. One
  /// function for both: calls of overloaded functions stay unambiguous.
  constexpr operator std::remove_const_t<T>*() const
    requires(is_legacy_const)
  {
    return const_cast<std::remove_const_t<T>*>(m_pointer);
  }
  template <class U>
    requires(is_legacy_const && std::is_same_v<U, std::remove_const_t<T>>)
  constexpr operator multi_ptr<U, Space, Decorated>() const {
    return multi_ptr<U, Space, Decorated>(const_cast<U*>(m_pointer));
  }

  /// Fetches the next n elements into the cache.
  void prefetch(std::size_t n) const {
    for (std::size_t byte = 0; byte < n * sizeof(T); byte += 64) {
      __builtin_prefetch(reinterpret_cast<const char*>(m_pointer) + byte);
    }
    asm volatile(""); // g++ leaves out calls of functions that do nothing but prefetch
  }

  constexpr multi_ptr& operator+=(difference_type n) {
    m_pointer += n;
    return *this;
  }
  constexpr multi_ptr& operator-=(difference_type n) { return *this += -n; }
  constexpr multi_ptr& operator++() { return *this += 1; }
  constexpr multi_ptr& operator--() { return *this -= 1; }
  constexpr multi_ptr operator++(int) { return multi_ptr(m_pointer++); }
  constexpr multi_ptr operator--(int) { return multi_ptr(m_pointer--); }
  template <std::convertible_to<difference_type> I>
  friend constexpr multi_ptr operator+(const multi_ptr& p, I n) {
    return multi_ptr(p.get() + static_cast<difference_type>(n));
  }
  template <std::convertible_to<difference_type> I>
  friend constexpr multi_ptr operator+(I n, const multi_ptr& p) {
    return p + n;
  }
  template <std::convertible_to<difference_type> I>
  friend constexpr multi_ptr operator-(const multi_ptr& p, I n) {
    return multi_ptr(p.get() - static_cast<difference_type>(n));
  }
  /// Takes no plain pointers, as the comparisons do.
  template <std::same_as<multi_ptr> P>
  friend constexpr difference_type operator-(const P& a, const P& b) {
    return a.get() - b.get();
  }
};

/// To memory of no type.
template <class T, access::address_space Space, access::decorated Decorated>
  requires std::is_void_v<T>
class multi_ptr<T, Space, Decorated> : public detail::multi_ptr_base<T, Space, Decorated> {
  using base = detail::multi_ptr_base<T, Space, Decorated>;

public:
  constexpr multi_ptr() = default;
  constexpr multi_ptr(std::nullptr_t) {}
  /// Implicit for the pointers that SYCL 2020 calls legacy, `global_ptr<void>`.
  constexpr explicit(Decorated != access::decorated::legacy) multi_ptr(T* p) : base(p) {}
  template <class U, access::address_space From, access::decorated D>
    requires(std::is_convertible_v<U*, T*> && detail::is_within(From, Space))
  constexpr multi_ptr(const multi_ptr<U, From, D>& p) : base(p.get()) {}
  /// To the memory of an accessor.
  template <detail::HasPointer<T> Accessor>
  constexpr multi_ptr(const Accessor& accessor) : base(std::to_address(accessor.get_pointer())) {}

  template <class U, access::decorated D>
    requires(!std::is_const_v<T> || std::is_const_v<U>)
  explicit operator multi_ptr<U, Space, D>() const {
    return multi_ptr<U, Space, D>(static_cast<U*>(this->get()));
  }
  /// Deprecated in SYCL 2020: get() says the same.
  constexpr operator T*() const { return this->get(); }
};

// A multi_ptr to the memory of an accessor: `multi_ptr p(accessor)`.
template <class Accessor>
  requires requires { typename Accessor::template accessor_ptr<access::decorated::no>; }
multi_ptr(const Accessor&)
    -> multi_ptr<typename Accessor::value_type, Accessor::template accessor_ptr<access::decorated::no>::address_space,
                 access::decorated::no>;

template <class T, access::decorated D = access::decorated::legacy>
using global_ptr = multi_ptr<T, access::address_space::global_space, D>;
template <class T, access::decorated D = access::decorated::legacy>
using local_ptr = multi_ptr<T, access::address_space::local_space, D>;
template <class T, access::decorated D = access::decorated::legacy>
using constant_ptr = multi_ptr<T, access::address_space::constant_space, D>;
template <class T, access::decorated D = access::decorated::legacy>
using private_ptr = multi_ptr<T, access::address_space::private_space, D>;
template <class T, access::decorated D = access::decorated::legacy>
using generic_ptr = multi_ptr<T, access::address_space::generic_space, D>;

template <class T>
using raw_global_ptr = global_ptr<T, access::decorated::no>;
template <class T>
using raw_local_ptr = local_ptr<T, access::decorated::no>;
template <class T>
using raw_private_ptr = private_ptr<T, access::decorated::no>;
template <class T>
using raw_generic_ptr = generic_ptr<T, access::decorated::no>;
template <class T>
using decorated_global_ptr = global_ptr<T, access::decorated::yes>;
template <class T>
using decorated_local_ptr = local_ptr<T, access::decorated::yes>;
template <class T>
using decorated_private_ptr = private_ptr<T, access::decorated::yes>;
template <class T>
using decorated_generic_ptr = generic_ptr<T, access::decorated::yes>;

// Pointers to USM of a device and of the host, which are the same here. (sycl_ext_intel_usm_address_spaces)
namespace ext::intel {
template <class T, access::decorated D = access::decorated::legacy>
using device_ptr = multi_ptr<T, access::address_space::ext_intel_global_device_space, D>;
template <class T, access::decorated D = access::decorated::legacy>
using host_ptr = multi_ptr<T, access::address_space::ext_intel_global_host_space, D>;
} // namespace ext::intel

/// The pointer as one into `Space`, into which it must point.
// [sycl.4.7.7.2]
template <access::address_space Space, access::decorated Decorated, class T>
constexpr multi_ptr<T, Space, Decorated> address_space_cast(T* p) {
  return multi_ptr<T, Space, Decorated>(p);
}
template <access::address_space Space, access::decorated Decorated, class T, access::address_space From,
          access::decorated D>
constexpr multi_ptr<T, Space, Decorated> address_space_cast(const multi_ptr<T, From, D>& p) {
  static_assert(detail::may_be_within(From, Space), "lanefold: these address spaces have nothing in common");
  return multi_ptr<T, Space, Decorated>(p.get());
}
template <class T, access::address_space Space, access::decorated Decorated = access::decorated::legacy>
constexpr multi_ptr<T, Space, Decorated> make_ptr(T* p) {
  return multi_ptr<T, Space, Decorated>(p);
}

/// Casts without a look at where the pointer points to. (the extension SYCL_KHR_STATIC_ADDRSPACE_CAST)
namespace khr {
template <access::address_space Space, class T>
constexpr multi_ptr<T, Space, access::decorated::no> static_addrspace_cast(T* p) {
  return multi_ptr<T, Space, access::decorated::no>(p);
}
template <access::address_space Space, class T, access::decorated Decorated>
constexpr multi_ptr<T, Space, Decorated>
static_addrspace_cast(const multi_ptr<T, access::address_space::generic_space, Decorated>& p) {
  return multi_ptr<T, Space, Decorated>(p.get());
}
} // namespace khr

LANEFOLD_END_NAMESPACE
