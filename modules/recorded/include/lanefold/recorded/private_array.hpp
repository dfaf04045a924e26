// SPDX-License-Identifier: Apache-2.0
/// Arrays that each work-item of a recorded kernel has for itself.
#pragma once

#include <lanefold/exception.hpp>
#include <lanefold/memory/private_array.hpp>
#include <lanefold/recorded/variable.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

/// An array in private memory of the device, made by `it.template array<T, Size>()`. An index is plain or recorded.
/// Errors: errc::accessor for a plain index out of bounds; a recorded one is not checked.
template <class T, std::size_t Size>
class private_array<T, Size, recorded> {
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>,
                "lanefold: it.array<T, Size>() has elements of an arithmetic type other than bool");

public:
  using value_type = T;

  /// Only the library calls this.
  explicit private_array(detail::recorder& r)
      : m_recorder(&r), m_number(r.new_private_array(detail::recorded_type_of<T>(), Size)), m_block(r.block()) {}
  private_array(const private_array& other) : private_array(*other.m_recorder) { *this = other; }
  private_array& operator=(const private_array& other) {
    for (std::size_t i = 0; i < Size; ++i) {
      (*this)[i] = other[i];
    }
    return *this;
  }

  static constexpr std::size_t size() { return Size; }

  template <detail::RecordableOperand I>
  recorded_private_reference<T> operator[](const I& i) {
    return {*m_recorder, m_number, index_node(i)};
  }
  template <detail::RecordableOperand I>
  recorded_value<T> operator[](const I& i) const {
    return recorded_private_reference<T>(*m_recorder, m_number, index_node(i)).recorded();
  }

private:
  template <class I>
  detail::node_number index_node(const I& i) const {
    static_assert(std::is_integral_v<detail::recorded_element_t<I>>, "lanefold: an index is a whole number");
    if constexpr (std::is_integral_v<I>) {
      if (static_cast<std::size_t>(i) >= Size) {
        detail::throw_out_of_bounds(static_cast<std::size_t>(i), Size);
      }
    }
    m_recorder->check_in_scope(m_block);
    return detail::node_of(*m_recorder, i);
  }

  detail::recorder* m_recorder;
  std::uint32_t m_number;
  std::uint32_t m_block; ///< it is valid until this ends
};

LANEFOLD_END_NAMESPACE
