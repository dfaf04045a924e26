// SPDX-License-Identifier: Apache-2.0
/// host_accessor: how host code uses a buffer.
#pragma once

#include <lanefold/execution/access.hpp>
#include <lanefold/execution/buffer.hpp>
#include <lanefold/execution/detail/buffer_access.hpp>
#include <lanefold/execution/detail/element_access.hpp>
#include <lanefold/execution/detail/host_use.hpp>

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE

/// The host's use of a buffer, or a part of it [sycl.4.7.6.10]: the constructor returns when the commands submitted
/// before that use it are complete (unless both only read), and those submitted later wait until the host_accessor and
/// its copies are gone. Arguments, indexing and errors are those of accessor. It keeps the buffer alive.
/// Host_accessors of one thread do not wait for each other, also where they write the same elements (of a reinterpreted
/// buffer, for instance); those of different threads do, unless they only read or their parts do not overlap.
///
/// Host only, and not in host tasks: there, it throws errc::invalid. So does a wait for a command that waits for a
/// host_accessor of the same thread.
template <class T, int D, access_mode Mode>
class host_accessor : public detail::buffer_access<T, D, Mode> {
  using base = detail::buffer_access<T, D, Mode>;

public:
  /// Empty: no elements.
  host_accessor() = default;

  template <detail::SameElement<T> U, class A>
  host_accessor(const buffer<U, D, A>& b, const property_list& properties = {})
      : host_accessor(b, b.get_range(), {}, properties) {}
  template <detail::SameElement<T> U, class A, detail::AccessTag Tag>
  host_accessor(const buffer<U, D, A>& b, Tag, const property_list& properties = {})
      : host_accessor(b, b.get_range(), {}, properties) {}
  template <detail::SameElement<T> U, class A>
  host_accessor(const buffer<U, D, A>& b, range<D> part, const property_list& properties = {})
      : host_accessor(b, part, {}, properties) {}
  template <detail::SameElement<T> U, class A, detail::AccessTag Tag>
  host_accessor(const buffer<U, D, A>& b, range<D> part, Tag, const property_list& properties = {})
      : host_accessor(b, part, {}, properties) {}
  template <detail::SameElement<T> U, class A>
  host_accessor(const buffer<U, D, A>& b, range<D> part, id<D> from, const property_list& properties = {})
      : base(b, part, from, properties), m_use(detail::use_on_host(b.owner(), this->part_of(b))) {}
  template <detail::SameElement<T> U, class A, detail::AccessTag Tag>
  host_accessor(const buffer<U, D, A>& b, range<D> part, id<D> from, Tag, const property_list& properties = {})
      : host_accessor(b, part, from, properties) {}

  /// One that only reads, from one that reads, too.
  template <class U, access_mode Other>
    requires(detail::can_read_as<T, Mode, U, Other> &&
             !std::is_same_v<host_accessor<U, D, Other>, host_accessor<T, D, Mode>>)
  host_accessor(const host_accessor<U, D, Other>& other) : base(other), m_use(other.m_use) {}

  void swap(host_accessor& other) noexcept { std::swap(*this, other); }

  friend bool operator==(const host_accessor& a, const host_accessor& b) noexcept { return a.is_same(b); }

protected:
  template <detail::SameElement<T> U, class A, std::same_as<handler> Handler>
  host_accessor(const buffer<U, D, A>& b, Handler& command) : base(b, b.get_range(), {}, {}) {
    command.require(*b.owner(), this->part_of(b));
  }

private:
  template <class, int, access_mode>
  friend class host_accessor;

  detail::shared_object m_use; // detail::use_on_host
};

/// Of no dimensions: gives the first element of a one-dimensional buffer, to a reference to which it converts.
template <class T, access_mode Mode>
class host_accessor<T, 0, Mode> : public detail::element_access<T, Mode> {
  using base = detail::element_access<T, Mode>;

public:
  using typename base::value_type;

  /// Empty: no element.
  host_accessor() = default;
  template <detail::SameElement<T> U, class A>
  host_accessor(const buffer<U, 1, A>& b, const property_list& properties = {})
      : base(b, properties), m_use(detail::use_on_host(b.owner(), this->part_of(b))) {}
  template <detail::SameElement<T> U, class A, detail::AccessTag Tag>
  host_accessor(const buffer<U, 1, A>& b, Tag, const property_list& properties = {}) : host_accessor(b, properties) {}
  /// One that only reads, from one that reads, too.
  template <class U, access_mode Other>
    requires(detail::can_read_as<T, Mode, U, Other> &&
             !std::is_same_v<host_accessor<U, 0, Other>, host_accessor<T, 0, Mode>>)
  host_accessor(const host_accessor<U, 0, Other>& other) : base(other), m_use(other.m_use) {}

  /// Sets the element.
  const host_accessor& operator=(const value_type& value) const
    requires(Mode != access_mode::read)
  {
    this->assign(value);
    return *this;
  }
  void swap(host_accessor& other) noexcept { std::swap(*this, other); }

  friend bool operator==(const host_accessor& a, const host_accessor& b) noexcept { return a.is_same(b); }

private:
  template <class, int, access_mode>
  friend class host_accessor;

  detail::shared_object m_use; // detail::use_on_host
};

/// SYCL 1.2.1's spelling of host_accessor.
template <class T, int D, access_mode Mode, access::placeholder Placeholder>
class accessor<T, D, Mode, target::host_buffer, Placeholder> : public host_accessor<T, D, Mode> {
public:
  using host_accessor<T, D, Mode>::host_accessor;
  accessor(const host_accessor<T, D, Mode>& other) : host_accessor<T, D, Mode>(other) {}
  /// Serves the host task of a command, as oneAPI had it: an accessor with target::host_task is the newer one.
  template <detail::SameElement<T> U, class A, std::same_as<handler> Handler>
  accessor(const buffer<U, D, A>& b, Handler& command) : host_accessor<T, D, Mode>(b, command) {}
  [[nodiscard]] static constexpr bool is_placeholder() noexcept { return false; }
};
template <class T, access_mode Mode, access::placeholder Placeholder>
class accessor<T, 0, Mode, target::host_buffer, Placeholder> : public host_accessor<T, 0, Mode> {
public:
  using host_accessor<T, 0, Mode>::host_accessor;
  using host_accessor<T, 0, Mode>::operator=;
  [[nodiscard]] static constexpr bool is_placeholder() noexcept { return false; }
};

namespace detail {

/// Is what buffer::get_access<mode>() returns: programs of SYCL 1.2.1 take `T*` of it, also where they only read.
template <class T, int D, access_mode Mode>
class older_host_accessor : public accessor<T, D, Mode, target::host_buffer> {
  using base = accessor<T, D, Mode, target::host_buffer>;

public:
  using base::base;
  [[nodiscard]] T* get_pointer() const noexcept { return const_cast<T*>(base::get_pointer()); }
};

} // namespace detail

template <class T, int D, class A, class... Rest>
host_accessor(const buffer<T, D, A>&, Rest...) -> host_accessor<T, D, detail::deduced_access<T, Rest...>::mode>;

LANEFOLD_END_NAMESPACE

template <class T, int D, lanefold::access_mode Mode>
struct std::hash<lanefold::host_accessor<T, D, Mode>> {
  std::size_t operator()(const lanefold::host_accessor<T, D, Mode>& a) const noexcept { return a.hash(); }
};
