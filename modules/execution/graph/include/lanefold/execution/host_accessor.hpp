// SPDX-License-Identifier: Apache-2.0
/// host_accessor: how host code uses a buffer.
#pragma once

#include <lanefold/execution/access.hpp>
#include <lanefold/execution/buffer.hpp>
#include <lanefold/execution/detail/buffer_access.hpp>
#include <lanefold/execution/detail/host_use.hpp>

#include <memory>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE

/// The host's use of a buffer, or a part of it [sycl.4.7.6.10]: the constructor returns when the commands submitted
/// before that use it are complete (unless both only read), and those submitted later wait until the host_accessor and
/// its copies are gone. Arguments, indexing and errors are those of accessor. It keeps the buffer alive.
///
/// Host only, and not in host tasks: there, it throws errc::invalid. So does a wait for a command that waits for a
/// host_accessor of the same thread.
template <class T, int D, access_mode Mode>
class host_accessor : public detail::buffer_access<T, D, Mode> {
  using base = detail::buffer_access<T, D, Mode>;
  using element = std::remove_const_t<T>;

public:
  /// Empty: no elements.
  host_accessor() = default;

  template <class A>
  host_accessor(const buffer<element, D, A>& b, const property_list& properties = {})
      : host_accessor(b, b.get_range(), {}, properties) {}
  template <class A, detail::AccessTag Tag>
  host_accessor(const buffer<element, D, A>& b, Tag, const property_list& properties = {})
      : host_accessor(b, b.get_range(), {}, properties) {}
  template <class A>
  host_accessor(const buffer<element, D, A>& b, range<D> part, const property_list& properties = {})
      : host_accessor(b, part, {}, properties) {}
  template <class A, detail::AccessTag Tag>
  host_accessor(const buffer<element, D, A>& b, range<D> part, Tag, const property_list& properties = {})
      : host_accessor(b, part, {}, properties) {}
  template <class A>
  host_accessor(const buffer<element, D, A>& b, range<D> part, id<D> from, const property_list& properties = {})
      : base(b, part, from, properties), m_use(std::make_shared<use>(b.owner(), this->requirement_of(b))) {}
  template <class A, detail::AccessTag Tag>
  host_accessor(const buffer<element, D, A>& b, range<D> part, id<D> from, Tag, const property_list& properties = {})
      : host_accessor(b, part, from, properties) {}

  friend bool operator==(const host_accessor& a, const host_accessor& b) noexcept { return a.is_same(b); }

private:
  /// Ends before the buffer may go.
  struct use {
    use(std::shared_ptr<detail::buffer_owner> b, const detail::buffer_requirement& r) : buffer(std::move(b)), host(r) {}
    std::shared_ptr<detail::buffer_owner> buffer;
    detail::host_use host;
  };
  std::shared_ptr<use> m_use;
};

template <class T, int D, class A, class... Rest>
host_accessor(const buffer<T, D, A>&, Rest...) -> host_accessor<T, D, detail::deduced_access<T, Rest...>::mode>;

LANEFOLD_END_NAMESPACE
