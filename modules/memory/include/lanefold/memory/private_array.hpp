// SPDX-License-Identifier: Apache-2.0
/// Arrays that each work-item has for itself.
#pragma once

#include <lanefold/memory/detail/indexing.hpp>
#include <lanefold/memory/view.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

/// An array of `Size` elements for each work-item, made by `it.array<T, Size>()` (in a generic kernel `auto a =
/// it.template array<float, 8>();`): what `T a[Size];` is in a plain kernel, uninitialised like that, on the stack of
/// the sub-group. T is an arithmetic type other than bool. An index is plain (all work-items mean the same element: a
/// vector access) or varying (each its own: a gather or scatter). `a[i]` is the value, and can be assigned to; in
/// divergent code that changes the active work-items only. It is valid as long as its item; a copy is an array of its
/// own. Errors: with LANEFOLD_CHECKED an index out of bounds throws errc::accessor; without, it is undefined behaviour.
template <class T, std::size_t Size, class Lanes = scalar>
class private_array {
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>,
                "lanefold: it.array<T, Size>() has elements of an arithmetic type other than bool");
  using context_type = detail::lane_context<Lanes>;
  using isa = typename Lanes::isa;

public:
  using value_type = T;

  LANEFOLD_ALWAYS_INLINE explicit private_array(context_type* context) : m_context(context) {}

  static constexpr std::size_t size() { return Size; }

  /// The element `i` of every work-item.
  template <std::integral I>
  LANEFOLD_ALWAYS_INLINE auto operator[](I i) {
    detail::check_index(i, Size);
    return private_reference<T, Lanes>(m_elements[i], m_context);
  }
  template <std::integral I>
  LANEFOLD_ALWAYS_INLINE auto operator[](I i) const {
    detail::check_index(i, Size);
    const auto registers = m_elements[i].registers;
    return detail::varying_access::make<varying<T, Lanes::size, isa>>(registers);
  }
  /// Element i of each work-item.
  template <element_index I>
    requires(!std::integral<I>)
  LANEFOLD_ALWAYS_INLINE auto operator[](const I& i) {
    return detail::element<true>(reinterpret_cast<T*>(m_elements), places_of(i));
  }
  template <element_index I>
    requires(!std::integral<I>)
  LANEFOLD_ALWAYS_INLINE auto operator[](const I& i) const {
    return detail::element(reinterpret_cast<const T*>(m_elements), places_of(i));
  }

private:
  // The elements of one index lie side by side, one for each lane.
  template <class I>
  LANEFOLD_ALWAYS_INLINE auto places_of(const I& i) const {
    using index = varying<unsigned, Lanes::size, isa>;
    static_assert(Size <= (std::size_t{1} << 31) / Lanes::size, "lanefold: it.array<T, Size>() is too large");
    detail::check_index(i, Size);
    return index(detail::index_value(i)) * static_cast<unsigned>(Lanes::size) + index::iota(0);
  }

  using place_type = typename private_reference<T, Lanes>::place_type;
  static_assert(sizeof(place_type) == Lanes::size * sizeof(T), "registers hold the lanes and nothing else");

  context_type* m_context;
  place_type m_elements[Size];
};

/// One work-item at a time: a plain array.
template <class T, std::size_t Size>
class private_array<T, Size, scalar> {
public:
  using value_type = T;

  static constexpr std::size_t size() { return Size; }

  template <std::integral I>
  LANEFOLD_ALWAYS_INLINE constexpr T& operator[](I i) {
    detail::check_index(i, Size);
    return m_elements[static_cast<std::size_t>(i)];
  }
  template <std::integral I>
  LANEFOLD_ALWAYS_INLINE constexpr const T& operator[](I i) const {
    detail::check_index(i, Size);
    return m_elements[static_cast<std::size_t>(i)];
  }

private:
  T m_elements[Size];
};

LANEFOLD_END_NAMESPACE
