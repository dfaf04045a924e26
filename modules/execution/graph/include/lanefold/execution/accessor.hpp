// SPDX-License-Identifier: Apache-2.0
/// accessor: how a command uses a buffer.
#pragma once

#include <lanefold/execution/access.hpp>
#include <lanefold/execution/buffer.hpp>
#include <lanefold/execution/detail/buffer_access.hpp>
#include <lanefold/execution/detail/element_access.hpp>
#include <lanefold/memory/detail/forward.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// Names what get_pointer of an accessor returns for the address that it has.
template <class T, target Target, class Element>
LANEFOLD_ALWAYS_INLINE auto accessor_pointer(Element* first) noexcept {
  if constexpr (Target == target::host_task) {
    return first;
  } else if constexpr (Target == target::constant_buffer) { // of SYCL 1.2.1: of elements that are not const
    return multi_ptr<T, access::address_space::constant_space>(const_cast<T*>(first));
  } else {
    return multi_ptr<Element, access::address_space::global_space>(first);
  }
}

} // namespace detail

/// Says what a command does with a buffer, or a part of it, and gives its kernel the elements [sycl.4.7.6]. Made in a
/// command group (`accessor a(buffer, handler, read_only)`) and captured by value in its kernel: the command then waits
/// for the earlier ones whose accessors overlap this one, unless both only read. Without a handler it is a placeholder,
/// which handler::require makes known to a command.
///
/// Behind buffer and handler there may be: a range (a part of the buffer from its beginning on) and an id (where the
/// part begins), a tag from which the template arguments are deduced (read_only, write_only, read_write, and the same
/// with _host_task), and properties (no_init). Elements are indexed as those of a view, from where the part begins:
/// by integers, ids, lane indices, varyings.
///
/// Parts of two- and three-dimensional buffers that share rows count as overlapping, as far as the order of commands is
/// concerned. Errors: errc::invalid for a part that is not within the buffer; errc::accessor for a kernel that captures
/// an accessor of another command, and for accessors of one command that conflict (see handler::require).
template <class T, int D, access_mode Mode, target Target, access::placeholder Placeholder>
class accessor : public detail::buffer_access<T, D, Mode> {
  using base = detail::buffer_access<T, D, Mode>;

public:
  template <access::decorated Decorated>
  using accessor_ptr = multi_ptr<typename base::value_type, access::address_space::global_space, Decorated>;

  /// Empty: no elements.
  accessor() = default;

  template <detail::SameElement<T> U, class A>
  accessor(const buffer<U, D, A>& b, const property_list& properties = {})
      : accessor(b, b.get_range(), {}, properties) {}
  template <detail::SameElement<T> U, class A, detail::AccessTag Tag>
  accessor(const buffer<U, D, A>& b, Tag, const property_list& properties = {})
      : accessor(b, b.get_range(), {}, properties) {}
  template <detail::SameElement<T> U, class A>
  accessor(const buffer<U, D, A>& b, range<D> part, const property_list& properties = {})
      : accessor(b, part, {}, properties) {}
  template <detail::SameElement<T> U, class A, detail::AccessTag Tag>
  accessor(const buffer<U, D, A>& b, range<D> part, Tag, const property_list& properties = {})
      : accessor(b, part, {}, properties) {}
  template <detail::SameElement<T> U, class A>
  accessor(const buffer<U, D, A>& b, range<D> part, id<D> from, const property_list& properties = {})
      : base(b, part, from, properties) {
    this->m_is_placeholder = true;
  }
  template <detail::SameElement<T> U, class A, detail::AccessTag Tag>
  accessor(const buffer<U, D, A>& b, range<D> part, id<D> from, Tag, const property_list& properties = {})
      : accessor(b, part, from, properties) {}

  // With a handler. (A template, so that handler.hpp is not needed here.)
  template <detail::SameElement<T> U, class A, std::same_as<handler> Handler>
  accessor(const buffer<U, D, A>& b, Handler& command, const property_list& properties = {})
      : accessor(b, command, b.get_range(), {}, properties) {}
  template <detail::SameElement<T> U, class A, std::same_as<handler> Handler, detail::AccessTag Tag>
  accessor(const buffer<U, D, A>& b, Handler& command, Tag, const property_list& properties = {})
      : accessor(b, command, b.get_range(), {}, properties) {}
  template <detail::SameElement<T> U, class A, std::same_as<handler> Handler>
  accessor(const buffer<U, D, A>& b, Handler& command, range<D> part, const property_list& properties = {})
      : accessor(b, command, part, {}, properties) {}
  template <detail::SameElement<T> U, class A, std::same_as<handler> Handler, detail::AccessTag Tag>
  accessor(const buffer<U, D, A>& b, Handler& command, range<D> part, Tag, const property_list& properties = {})
      : accessor(b, command, part, {}, properties) {}
  template <detail::SameElement<T> U, class A, std::same_as<handler> Handler>
  accessor(const buffer<U, D, A>& b, Handler& command, range<D> part, id<D> from, const property_list& properties = {})
      : base(b, part, from, properties) {
    command.require(*b.owner(), this->part_of(b));
  }
  template <detail::SameElement<T> U, class A, std::same_as<handler> Handler, detail::AccessTag Tag>
  accessor(const buffer<U, D, A>& b, Handler& command, range<D> part, id<D> from, Tag,
           const property_list& properties = {})
      : accessor(b, command, part, from, properties) {}

  LANEFOLD_ALWAYS_INLINE accessor(const accessor& other) : base(other) { this->arrive_as_copy(); }
  /// Where a kernel is moved, it is in place of the other one, see captured_memory.hpp.
  LANEFOLD_ALWAYS_INLINE accessor(const accessor&& other) : base(other) { this->arrive(); }
  accessor& operator=(const accessor&) = default;
  /// An accessor that only reads, from one that reads, too.
  template <class U, access_mode Other, access::placeholder P>
    requires(detail::can_read_as<T, Mode, U, Other> &&
             !std::is_same_v<accessor<U, D, Other, Target, P>, accessor<T, D, Mode, Target, Placeholder>>)
  accessor(const accessor<U, D, Other, Target, P>& other) : base(other) {
    this->check_captured();
  }

  /// Returns whether the accessor was made without a handler.
  [[nodiscard]] bool is_placeholder() const noexcept {
    return Placeholder == access::placeholder::true_t || this->m_is_placeholder;
  }
  /// Returns where the elements of the buffer begin (those of a part may begin behind).
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE auto get_pointer() const noexcept {
    return detail::accessor_pointer<T, Target>(base::get_pointer());
  }
  void swap(accessor& other) noexcept { std::swap(*this, other); }

  friend bool operator==(const accessor& a, const accessor& b) noexcept { return a.is_same(b); }
};

/// Of no dimensions: gives the first element of a one-dimensional buffer, to a reference to which it converts.
template <class T, access_mode Mode, target Target, access::placeholder Placeholder>
class accessor<T, 0, Mode, Target, Placeholder> : public detail::element_access<T, Mode> {
  using base = detail::element_access<T, Mode>;

public:
  using typename base::value_type;
  template <access::decorated Decorated>
  using accessor_ptr = multi_ptr<value_type, access::address_space::global_space, Decorated>;

  /// Empty: no element.
  accessor() = default;

  template <detail::SameElement<T> U, class A>
  accessor(const buffer<U, 1, A>& b, const property_list& properties = {}) : base(b, properties) {
    this->m_is_placeholder = true;
  }
  template <detail::SameElement<T> U, class A, detail::AccessTag Tag>
  accessor(const buffer<U, 1, A>& b, Tag, const property_list& properties = {}) : accessor(b, properties) {}
  template <detail::SameElement<T> U, class A, std::same_as<handler> Handler>
  accessor(const buffer<U, 1, A>& b, Handler& command, const property_list& properties = {}) : base(b, properties) {
    command.require(*b.owner(), this->part_of(b));
  }
  template <detail::SameElement<T> U, class A, std::same_as<handler> Handler, detail::AccessTag Tag>
  accessor(const buffer<U, 1, A>& b, Handler& command, Tag, const property_list& properties = {})
      : accessor(b, command, properties) {}

  LANEFOLD_ALWAYS_INLINE accessor(const accessor& other) : base(other) { this->arrive_as_copy(); }
  /// Where a kernel is moved, it is in place of the other one, see captured_memory.hpp.
  LANEFOLD_ALWAYS_INLINE accessor(const accessor&& other) : base(other) { this->arrive(); }
  accessor& operator=(const accessor&) = default;
  /// An accessor that only reads, from one that reads, too.
  template <class U, access_mode Other, access::placeholder P>
    requires(detail::can_read_as<T, Mode, U, Other> &&
             !std::is_same_v<accessor<U, 0, Other, Target, P>, accessor<T, 0, Mode, Target, Placeholder>>)
  accessor(const accessor<U, 0, Other, Target, P>& other) : base(other) {
    this->check_captured();
  }

  /// Sets the element.
  LANEFOLD_ALWAYS_INLINE const accessor& operator=(const value_type& value) const
    requires(Mode != access_mode::read)
  {
    this->assign(value);
    return *this;
  }

  /// Returns whether the accessor was made without a handler.
  [[nodiscard]] bool is_placeholder() const noexcept {
    return Placeholder == access::placeholder::true_t || this->m_is_placeholder;
  }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE auto get_pointer() const noexcept {
    return detail::accessor_pointer<T, Target>(base::get_pointer());
  }
  void swap(accessor& other) noexcept { std::swap(*this, other); }

  friend bool operator==(const accessor& a, const accessor& b) noexcept { return a.is_same(b); }
};

namespace detail {

/// An element as an atomic; a row of an array as one that gives atomics.
template <class T, access::address_space Space, class Element>
LANEFOLD_ALWAYS_INLINE auto as_atomic(Element&& element);
template <class T, access::address_space Space, class Row>
struct atomic_row {
  Row row;
  template <class I>
  LANEFOLD_ALWAYS_INLINE auto operator[](const I& i) const {
    return as_atomic<T, Space>(row[i]);
  }
};
template <class T, access::address_space Space, class Element>
LANEFOLD_ALWAYS_INLINE auto as_atomic(Element&& element) {
  if constexpr (std::is_same_v<Element, T&>) {
    return atomic<T, Space>(multi_ptr<T, Space>(&element));
  } else {
    return atomic_row<T, Space, std::remove_cvref_t<Element>>{std::forward<Element>(element)};
  }
}

/// An accessor of SYCL 1.2.1's mode atomic, from one that reads and writes: its elements are of class atomic.
template <class Plain, class T, access::address_space Space>
class atomic_access : public Plain {
public:
  using Plain::Plain;

  template <class I>
    requires(Plain::dimensions != 0)
  LANEFOLD_ALWAYS_INLINE auto operator[](const I& i) const {
    return as_atomic<T, Space>(Plain::operator[](i));
  }
  LANEFOLD_ALWAYS_INLINE operator atomic<T, Space>() const
    requires(Plain::dimensions == 0)
  {
    return as_atomic<T, Space>(*this->begin());
  }
};

/// Holds what local accessors had in SYCL 1.2.1.
template <class T, int D>
class legacy_local_accessor : public local_accessor<T, D> {
public:
  using local_accessor<T, D>::local_accessor;
  using local_accessor<T, D>::operator=;
  [[nodiscard]] std::size_t get_count() const noexcept { return this->size(); }
  [[nodiscard]] std::size_t get_size() const noexcept { return this->byte_size(); }
  /// Only the library calls this.
  [[nodiscard]] std::size_t hash() const noexcept { return this->place(); }
};

} // namespace detail

/// SYCL 1.2.1's spelling of local_accessor.
template <class T, int D, access_mode Mode, access::placeholder Placeholder>
class accessor<T, D, Mode, target::local, Placeholder> : public detail::legacy_local_accessor<T, D> {
public:
  using detail::legacy_local_accessor<T, D>::legacy_local_accessor;
  using detail::legacy_local_accessor<T, D>::operator=;
};
template <class T, access_mode Mode, access::placeholder Placeholder>
class accessor<T, 0, Mode, target::local, Placeholder> : public detail::legacy_local_accessor<T, 0> {
public:
  using detail::legacy_local_accessor<T, 0>::legacy_local_accessor;
  using detail::legacy_local_accessor<T, 0>::operator=;
};

/// Accessors of SYCL 1.2.1's mode atomic: elements are of class atomic.
template <class T, int D, target Target, access::placeholder P>
class accessor<T, D, access_mode::atomic, Target, P>
    : public detail::atomic_access<accessor<T, D, access_mode::read_write, Target, P>, T,
                                   access::address_space::global_space> {
  using base =
      detail::atomic_access<accessor<T, D, access_mode::read_write, Target, P>, T, access::address_space::global_space>;

public:
  using base::base;
};
template <class T, target Target, access::placeholder P>
class accessor<T, 0, access_mode::atomic, Target, P>
    : public detail::atomic_access<accessor<T, 0, access_mode::read_write, Target, P>, T,
                                   access::address_space::global_space> {
  using base =
      detail::atomic_access<accessor<T, 0, access_mode::read_write, Target, P>, T, access::address_space::global_space>;

public:
  using base::base;
};
template <class T, int D, access::placeholder P>
class accessor<T, D, access_mode::atomic, target::local, P>
    : public detail::atomic_access<detail::legacy_local_accessor<T, D>, T, access::address_space::local_space> {
  using base = detail::atomic_access<detail::legacy_local_accessor<T, D>, T, access::address_space::local_space>;

public:
  using base::base;
};
template <class T, access::placeholder P>
class accessor<T, 0, access_mode::atomic, target::local, P>
    : public detail::atomic_access<detail::legacy_local_accessor<T, 0>, T, access::address_space::local_space> {
  using base = detail::atomic_access<detail::legacy_local_accessor<T, 0>, T, access::address_space::local_space>;

public:
  using base::base;
};

// The template arguments follow from the tag if there is one [sycl.4.7.6.9].
template <class T, int D, class A, class... Rest>
accessor(const buffer<T, D, A>&, Rest...)
    -> accessor<T, D, detail::deduced_access<T, Rest...>::mode, detail::deduced_access<T, Rest...>::where>;
template <class T, int D, class A, std::same_as<handler> Handler, class... Rest>
accessor(const buffer<T, D, A>&, Handler&, Rest...)
    -> accessor<T, D, detail::deduced_access<T, Rest...>::mode, detail::deduced_access<T, Rest...>::where>;
// These guides say the types of what may stand in braces: properties, and extents beside a tag.
template <class T, int D, class A>
accessor(const buffer<T, D, A>&, const property_list&) -> accessor<T, D>;
template <class T, int D, class A, std::same_as<handler> Handler>
accessor(const buffer<T, D, A>&, Handler&, const property_list&) -> accessor<T, D>;
template <class T, int D, class A, std::same_as<handler> Handler>
accessor(const buffer<T, D, A>&, Handler&, range<D>, const property_list&) -> accessor<T, D>;
template <class T, int D, class A, std::same_as<handler> Handler>
accessor(const buffer<T, D, A>&, Handler&, range<D>, id<D>, const property_list&) -> accessor<T, D>;
template <class T, int D, class A, class Tag>
  requires(!std::same_as<Tag, handler>)
accessor(const buffer<T, D, A>&, Tag, const property_list&)
    -> accessor<T, D, detail::deduced_access<T, Tag>::mode, detail::deduced_access<T, Tag>::where>;
template <class T, int D, class A, std::same_as<handler> Handler, class Tag>
accessor(const buffer<T, D, A>&, Handler&, Tag, const property_list&)
    -> accessor<T, D, detail::deduced_access<T, Tag>::mode, detail::deduced_access<T, Tag>::where>;
template <class T, int D, class A, std::same_as<handler> Handler, class Tag>
accessor(const buffer<T, D, A>&, Handler&, range<D>, Tag, const property_list& = {})
    -> accessor<T, D, detail::deduced_access<T, Tag>::mode, detail::deduced_access<T, Tag>::where>;
template <class T, int D, class A, std::same_as<handler> Handler, class Tag>
accessor(const buffer<T, D, A>&, Handler&, range<D>, id<D>, Tag, const property_list& = {})
    -> accessor<T, D, detail::deduced_access<T, Tag>::mode, detail::deduced_access<T, Tag>::where>;

LANEFOLD_END_NAMESPACE

template <class T, int D, lanefold::access_mode Mode, lanefold::target Target, lanefold::access::placeholder P>
struct std::hash<lanefold::accessor<T, D, Mode, Target, P>> {
  std::size_t operator()(const lanefold::accessor<T, D, Mode, Target, P>& a) const noexcept { return a.hash(); }
};
