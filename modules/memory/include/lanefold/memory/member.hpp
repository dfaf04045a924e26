// SPDX-License-Identifier: Apache-2.0
/// Members of structs in kernels, whatever the values of the kernel are.
#pragma once

#include <lanefold/memory/view.hpp>

#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Returns where a member lies in its struct, in bytes.
template <class S, class M>
std::size_t offset_of(M S::* member) {
  alignas(S) static constinit unsigned char place[sizeof(S)] = {};
  const auto* const whole = reinterpret_cast<const S*>(place);
  return static_cast<std::size_t>(reinterpret_cast<const unsigned char*>(&(whole->*member)) - place);
}

/// `lf::member(array, &S::m)[i]` with an index of a recorded kernel is defined in <lanefold/recorded/composite.hpp>.
template <class M, class S, recorded_operand Index>
auto member_element(S* elements, std::size_t offset, const Index& i);

template <class X, class S>
concept ArrayOf = !varying_value<X> && requires(const X& x) {
  x.size();
  requires std::is_same_v<std::remove_cvref_t<decltype(x[std::size_t()])>, S>;
};

/// Returns the element that `x[0]` of a view or an accessor is: the first one of its part of the buffer.
template <class X>
auto* first_element(const X& x) {
  if constexpr (requires { x.data(); }) {
    return x.data();
  } else if constexpr (requires { requires std::is_pointer_v<decltype(x.begin())>; }) {
    return x.begin();
  } else if constexpr (requires { x.get_pointer().get(); }) {
    return x.get_pointer().get();
  } else {
    return x.get_pointer();
  }
}

} // namespace detail

/// One member of each struct of an array: made by `lf::member(bodies, &body::mass)`. `[i]` is what `x[i]` of a view of
/// that member would be, for any kind of index. Uniform; valid as long as the array.
template <class S, class M>
class member_view {
  static_assert(std::is_arithmetic_v<M> && sizeof(S) % sizeof(M) == 0,
                "lanefold: lf::member is for members of an arithmetic type");
  using element_type = std::conditional_t<std::is_const_v<S>, const M, M>;

public:
  using value_type = M;

  /// Only the library calls this.
  LANEFOLD_ALWAYS_INLINE member_view(S* elements, std::size_t count, M std::remove_const_t<S>::* member)
      : m_elements(elements), m_count(count), m_offset(detail::offset_of(member)) {}

  [[nodiscard]] std::size_t size() const { return m_count; }

  /// Checked builds: throws errc::accessor out of bounds.
  template <detail::one_index<1> I>
  LANEFOLD_ALWAYS_INLINE decltype(auto) operator[](const I& i) const {
    return at(detail::as_index(i));
  }
  LANEFOLD_ALWAYS_INLINE decltype(auto) operator[](const id<1>& i) const { return at(i[0]); }
  template <class Lanes>
  LANEFOLD_ALWAYS_INLINE decltype(auto) operator[](const lane_id<1, Lanes>& i) const {
    return at(i[0]);
  }
  template <detail::lane_item<1> Item>
  LANEFOLD_ALWAYS_INLINE decltype(auto) operator[](const Item& it) const {
    return (*this)[it.get_id()];
  }

private:
  template <element_index I>
  LANEFOLD_ALWAYS_INLINE decltype(auto) at(const I& i) const {
    detail::check_index(i, m_count);
    if constexpr (detail::recorded_operand<I>) {
      return detail::member_element<M>(detail::elements_for<I>(m_elements, range<1>(m_count)), m_offset, i);
    } else {
      using byte = std::conditional_t<std::is_const_v<S>, const unsigned char, unsigned char>;
      auto* const first = reinterpret_cast<element_type*>(reinterpret_cast<byte*>(m_elements) + m_offset);
      return detail::element(first, detail::scaled_index<false>(i, sizeof(S) / sizeof(M)));
    }
  }

  S* m_elements;
  std::size_t m_count;
  std::size_t m_offset;
};

/// One member of each struct of a view, an accessor or a local accessor: `lf::member(bodies, &body::mass)[i]`.
template <class X, class S, class M>
  requires detail::ArrayOf<X, S>
LANEFOLD_ALWAYS_INLINE auto member(const X& array, M S::* member) {
  using E = std::remove_pointer_t<decltype(detail::first_element(array))>;
  return member_view<E, M>(detail::first_element(array), array.size(), member);
}
/// A member of a struct, or of that of each work-item: a value.
template <class S, class M>
LANEFOLD_ALWAYS_INLINE M member(const S& x, M S::* member) {
  return x.*member;
}
template <varying_value X, class S, class M>
LANEFOLD_ALWAYS_INLINE auto member(const X& x, M S::* member) {
  return lane_wise([member](const S& s) LANEFOLD_INLINE_LAMBDA { return s.*member; }, x);
}
/// <lanefold/recorded/composite.hpp> has the one of recorded kernels.
template <class X, class S, class M>
  requires requires { typename X::recorded_composite_type; }
auto member(const X& x, M S::* member) {
  return member_value(x, member);
}

LANEFOLD_END_NAMESPACE
