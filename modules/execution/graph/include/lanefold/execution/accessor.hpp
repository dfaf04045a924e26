// SPDX-License-Identifier: Apache-2.0
/// accessor: how a command uses a buffer.
#pragma once

#include <lanefold/execution/access.hpp>
#include <lanefold/execution/buffer.hpp>
#include <lanefold/execution/detail/buffer_access.hpp>
#include <lanefold/memory/detail/forward.hpp>

#include <concepts>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

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
/// an accessor of another command, and for accessors of one command that contradict each other (see handler::require).
template <class T, int D, access_mode Mode, target Target, access::placeholder Placeholder>
class accessor : public detail::buffer_access<T, D, Mode> {
  using base = detail::buffer_access<T, D, Mode>;
  using element = std::remove_const_t<T>;

public:
  /// Empty: no elements.
  accessor() = default;

  template <class A>
  accessor(const buffer<element, D, A>& b, const property_list& properties = {})
      : accessor(b, b.get_range(), {}, properties) {}
  template <class A, detail::AccessTag Tag>
  accessor(const buffer<element, D, A>& b, Tag, const property_list& properties = {})
      : accessor(b, b.get_range(), {}, properties) {}
  template <class A>
  accessor(const buffer<element, D, A>& b, range<D> part, const property_list& properties = {})
      : accessor(b, part, {}, properties) {}
  template <class A, detail::AccessTag Tag>
  accessor(const buffer<element, D, A>& b, range<D> part, Tag, const property_list& properties = {})
      : accessor(b, part, {}, properties) {}
  template <class A>
  accessor(const buffer<element, D, A>& b, range<D> part, id<D> from, const property_list& properties = {})
      : base(b, part, from, properties) {}
  template <class A, detail::AccessTag Tag>
  accessor(const buffer<element, D, A>& b, range<D> part, id<D> from, Tag, const property_list& properties = {})
      : base(b, part, from, properties) {}

  // With a handler. (A template, so that handler.hpp is not needed here.)
  template <class A, std::same_as<handler> Handler>
  accessor(const buffer<element, D, A>& b, Handler& command, const property_list& properties = {})
      : accessor(b, command, b.get_range(), {}, properties) {}
  template <class A, std::same_as<handler> Handler, detail::AccessTag Tag>
  accessor(const buffer<element, D, A>& b, Handler& command, Tag, const property_list& properties = {})
      : accessor(b, command, b.get_range(), {}, properties) {}
  template <class A, std::same_as<handler> Handler>
  accessor(const buffer<element, D, A>& b, Handler& command, range<D> part, const property_list& properties = {})
      : accessor(b, command, part, {}, properties) {}
  template <class A, std::same_as<handler> Handler, detail::AccessTag Tag>
  accessor(const buffer<element, D, A>& b, Handler& command, range<D> part, Tag, const property_list& properties = {})
      : accessor(b, command, part, {}, properties) {}
  template <class A, std::same_as<handler> Handler>
  accessor(const buffer<element, D, A>& b, Handler& command, range<D> part, id<D> from,
           const property_list& properties = {})
      : base(b, part, from, properties) {
    command.require(this->requirement_of(b));
  }
  template <class A, std::same_as<handler> Handler, detail::AccessTag Tag>
  accessor(const buffer<element, D, A>& b, Handler& command, range<D> part, id<D> from, Tag,
           const property_list& properties = {})
      : accessor(b, command, part, from, properties) {}

  LANEFOLD_ALWAYS_INLINE accessor(const accessor& other) : base(other) { this->check_captured(); }
  accessor& operator=(const accessor&) = default;
  /// An accessor that only reads, from one that reads, too.
  template <class U, access_mode Other>
    requires(std::is_same_v<const U, const T> && Mode == access_mode::read && Other != Mode &&
             Other != access_mode::write && Other != access_mode::discard_write)
  accessor(const accessor<U, D, Other, Target, Placeholder>& other) : base(other) {
    this->check_captured();
  }

  [[nodiscard]] static constexpr bool is_placeholder() noexcept { return Placeholder == access::placeholder::true_t; }

  friend bool operator==(const accessor& a, const accessor& b) noexcept { return a.is_same(b); }
};

/// SYCL 1.2.1's spelling of local_accessor.
template <class T, int D, access_mode Mode, access::placeholder Placeholder>
class accessor<T, D, Mode, target::local, Placeholder> : public local_accessor<T, D> {
public:
  using local_accessor<T, D>::local_accessor;
};

// The template arguments follow from the tag if there is one [sycl.4.7.6.9].
template <class T, int D, class A, class... Rest>
accessor(const buffer<T, D, A>&, Rest...)
    -> accessor<T, D, detail::deduced_access<T, Rest...>::mode, detail::deduced_access<T, Rest...>::where>;
template <class T, int D, class A, std::same_as<handler> Handler, class... Rest>
accessor(const buffer<T, D, A>&, Handler&, Rest...)
    -> accessor<T, D, detail::deduced_access<T, Rest...>::mode, detail::deduced_access<T, Rest...>::where>;

LANEFOLD_END_NAMESPACE
